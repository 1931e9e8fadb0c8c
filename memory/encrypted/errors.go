package encrypted

import (
	"errors"

	"github.com/slotway/slotway/memory"
)

// Errors of keys and of what they open. Those of stored values are memory.ErrCorrupt too: the
// session that they are of cannot be read, and the others can.
var (
	// ErrBadKey: a master key that is not 32 bytes as hex or base64.
	ErrBadKey = errors.New("not an encryption key")
	// ErrWrongKey: what is stored was sealed with a master key that is not among those given.
	ErrWrongKey error = unreadable("stored data is encrypted with another key")
	// ErrNoKey: what is stored is sealed, and no key is given.
	ErrNoKey error = unreadable("stored data is encrypted; set memory.encryption_key_env to the variable that holds its key")
	// ErrTampered: a sealed value was changed, or stands in another place than it was sealed for.
	ErrTampered error = unreadable("encrypted data does not match its seal")
	// ErrPlain: a value that is not sealed, in a store that is encrypted.
	ErrUnencrypted error = unreadable("a value is stored that is not encrypted: this program did not write it with its key; if encryption was " +
		"switched on over an older store, take that over once with: slotway store copy --unsealed --from OLD --to NEW")
)

// unreadable is why a session cannot be read.
type unreadable string

// Error implements error.
func (u unreadable) Error() string { return string(u) }

// Is makes it memory.ErrCorrupt too.
func (u unreadable) Is(target error) bool { return target == memory.ErrCorrupt || target == error(u) }
