package memory

import (
	"fmt"
	"strings"

	"github.com/slotway/slotway/config/printable"
)

// Key names one session. All three parts are needed: a key of another user or agent
// sees nothing of this one, whatever its session id.
type Key struct {
	UserID    string `json:"user_id"`
	AgentID   string `json:"agent_id"`
	SessionID string `json:"session_id"`
}

// MaxKeyPart is the longest part of a key, in bytes.
const MaxKeyPart = printable.MaxID

// Validate reports a part that is no id, by the rule for all of them.
func (k Key) Validate() error {
	for _, p := range [...]struct{ name, value string }{
		{"user id", k.UserID}, {"agent id", k.AgentID}, {"session id", k.SessionID},
	} {
		if err := printable.CheckID(p.value); err != nil {
			return fmt.Errorf("%w: %s: %w", ErrBadKey, p.name, err)
		}
	}
	return nil
}

// Reserved reports a user id that no person can have, because the program keeps something
// of its own under it: what begins with "$". Who lets people name users refuses such ids;
// pruning by age passes over such sessions.
func Reserved(userID string) bool { return strings.HasPrefix(userID, "$") }
