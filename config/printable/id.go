package printable

import "errors"

// MaxID is the maximum length of an id, in bytes.
const MaxID = 200

// IDRule is the rule for ids that people and programs choose: of sessions, users, messages and
// keys, in every interface.
const IDRule = "1 to 200 bytes of UTF-8, without controls, line separators and marks of direction"

// ErrID is the error for an id that breaks the rule. It does not quote the id.
var ErrID = errors.New("an id has " + IDRule)

// CheckID returns ErrID for an id that breaks the rule: ids appear in lists and logs, and two that
// look alike would be mistaken for one another.
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
