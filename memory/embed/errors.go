package embed

import "errors"

// ErrTable says that the bytes are not a table of this format: too short, of another
// version, inconsistent in themselves, or with a wrong checksum.
var ErrTable = errors.New("malformed embedding table")
