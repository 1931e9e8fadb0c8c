package seal

import (
	"errors"

	"github.com/slotway/slotway/memory"
)

// Errors of keys and of encrypted values. Those of stored values are memory.ErrCorrupt too: their
// session cannot be read, the others can.
var (
	// ErrBadKey: a master key that is not 32 bytes as hex or base64.
	ErrBadKey = errors.New("not an encryption key")
	// ErrWrongKey: stored data was encrypted with a master key that is not among those given.
	ErrWrongKey error = unreadable("stored data is encrypted with another key")
	// ErrNoKey: stored data is encrypted, and no key is given.
	ErrNoKey error = unreadable("stored data is encrypted; set memory.encryption_key_env to the variable that holds its key")
	// ErrTampered: an encrypted value was changed, or moved to another row.
	ErrTampered error = unreadable("encrypted data does not match its seal")
	// ErrUnencrypted: a value that is not encrypted, in a store that is.
	ErrUnencrypted error = unreadable("a value is stored that is not encrypted: this program did not write it with its key; if encryption was " +
		"switched on over an older store, take that over once with: slotway store copy --unencrypted --from OLD --to NEW")
)

// unreadable is an error that makes a session unreadable.
type unreadable string

// Error implements error.
func (u unreadable) Error() string { return string(u) }

// Is makes it memory.ErrCorrupt too.
func (u unreadable) Is(target error) bool { return target == memory.ErrCorrupt || target == error(u) }

// Damaged reports a row that is not as it was written. One of another key, of none, or in need of one is
// not damaged: a key helps, or a copy.
func Damaged(err error) bool {
	foreign := errors.Is(err, ErrWrongKey) || errors.Is(err, ErrUnencrypted) || errors.Is(err, ErrNoKey)
	return !foreign && errors.Is(err, memory.ErrCorrupt)
}
