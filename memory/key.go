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

// maxKeyPart is the longest part of a key, in bytes.
const maxKeyPart = printable.MaxID

// Validate reports a part that no store takes. Callers that let ids in check them by the stricter
// printable.CheckID.
func (k Key) Validate() error {
	for _, p := range [...]struct{ name, value string }{
		{"user id", k.UserID}, {"agent id", k.AgentID}, {"session id", k.SessionID},
	} {
		if p.value == "" {
			return fmt.Errorf("%w: %s is empty", ErrBadKey, p.name)
		}
		if len(p.value) > maxKeyPart {
			return fmt.Errorf("%w: %s has %d bytes, at most %d are allowed", ErrBadKey, p.name, len(p.value), maxKeyPart)
		}
		for _, r := range p.value {
			if r < 0x20 || r == 0x7f || r == '\uFFFD' {
				return fmt.Errorf("%w: %s holds a control character or is not UTF-8", ErrBadKey, p.name)
			}
		}
	}
	return nil
}

// Reserved reports a user id that no person can have, because the program stores data of its own
// under it: one that begins with "$". Callers that let people name users refuse such ids; pruning
// by age skips such sessions.
func Reserved(userID string) bool { return strings.HasPrefix(userID, "$") }
