package embed

import "errors"

// ErrTable reports bytes that are no table of this format: too short, of another version,
// inconsistent, or with a wrong checksum.
var ErrTable = errors.New("malformed embedding table")
