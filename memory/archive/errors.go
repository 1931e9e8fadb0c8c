package archive

import (
	"errors"

	"github.com/slotway/slotway/memory/internal/modelcall"
)

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
	ErrModel = modelcall.ErrModel

	errVersion = errors.New("a document of another version")
)
