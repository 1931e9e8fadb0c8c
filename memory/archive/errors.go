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

	// ErrModel: Options.Model did not answer, and the rules' digest serves until it does. The next
	// job asks it again, and so does Archive.
	ErrModel error = modelError{}

	errVersion = errors.New("a document of another version")
)

// modelError also names the failure of a job.
type modelError struct{}

func (modelError) Error() string { return "the model server did not answer" }
func (modelError) Code() string  { return "model" }
