package archive

import "errors"

// Sentinel errors.
var (
	// ErrReserved reports a search for a user id that no person has.
	ErrReserved = errors.New("the user id is reserved")
	// ErrEmpty reports a document without text.
	ErrEmpty = errors.New("the document has no text")
	// ErrTooLarge reports a document of more than MaxDocument bytes.
	ErrTooLarge = errors.New("the document is too large")

	// ErrModel reports that Options.Model did not answer. The digest made by rules is used until
	// the next job, or Archive, asks the model again.
	ErrModel error = modelError{}

	errVersion = errors.New("a document of another version")
)

// modelError also carries the code of a failed job.
type modelError struct{}

func (modelError) Error() string { return "the model server did not answer" }
func (modelError) Code() string  { return "model" }
