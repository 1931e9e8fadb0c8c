package access

import (
	"net/http"

	"github.com/slotway/slotway/config/printable"
	"github.com/slotway/slotway/memory"
)

// UserHeader names the user for whom a service acts.
const UserHeader = "X-User-Id"

// resolveUser determines the user of a request. An identity without a user is a service, which must
// name one. Any other identity may name only itself.
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

// checkUser refuses ids that the store does not take, and those that the program reserves for itself.
func checkUser(id string) error {
	if printable.CheckID(id) != nil {
		return ErrBadUser // which does not repeat it
	}
	if memory.Reserved(id) {
		return ErrForbidden
	}
	return nil
}
