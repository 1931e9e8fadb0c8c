package access

import (
	"net/http"

	"github.com/slotway/slotway/config/printable"
	"github.com/slotway/slotway/memory"
)

// UserHeader names the user that a service speaks for.
const UserHeader = "X-User-Id"

// resolveUser settles whose conversations the request is about. An identity without a user is
// a service: it names one. Any other may name nobody but itself.
func resolveUser(id Identity, r *http.Request) (Identity, error) {
	named := r.Header.Values(UserHeader)
	switch {
	case len(named) > 1:
		return Identity{}, ErrBadUser // which one would be a guess
	case id.UserID != "":
		if len(named) == 1 && named[0] != id.UserID {
			return Identity{}, ErrForbidden
		}
		return id, nil
	case len(named) == 0 || named[0] == "":
		return Identity{}, ErrUserRequired
	}
	id.UserID = named[0]
	return id, checkUser(id.UserID)
}

// checkUser holds a user id to what the store takes, and keeps it from what the program
// has under ids of its own.
func checkUser(id string) error {
	if printable.CheckID(id) != nil {
		return ErrBadUser // which does not repeat it
	}
	if memory.Reserved(id) {
		return ErrForbidden
	}
	return nil
}
