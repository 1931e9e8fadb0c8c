package archive

import "errors"

// Sentinel errors.
var (
	// ErrReserved: a search for a user that no person is.
	ErrReserved = errors.New("the user id is reserved")
	// ErrEmpty: a document without a text.
	ErrEmpty = errors.New("the document has no text")
	// ErrTooLarge: a document of more than MaxDocument bytes.
	ErrTooLarge = errors.New("the document is too large")

	errVersion = errors.New("a document of another version")
)
