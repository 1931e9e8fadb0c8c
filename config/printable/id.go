package printable

import "errors"

// MaxID is the longest id that somebody may choose, in bytes.
const MaxID = 200

// IDRule is what ids are that people and programs choose: of sessions, users, messages and
// keys, at every door.
const IDRule = "1 to 200 bytes of UTF-8, without controls, line separators and marks of direction"

// ErrID is the one thing that is said of an id that breaks the rule. It does not repeat it.
var ErrID = errors.New("an id has " + IDRule)

// CheckID returns ErrID for an id that breaks the rule: it goes to lists and logs as it is,
// and two that look alike would be taken for one.
func CheckID(id string) error {
	if id == "" || len(id) > MaxID {
		return ErrID
	}
	for _, r := range id {
		if suspect(r) || r == '\n' || r == '\t' {
			return ErrID
		}
	}
	return nil
}
