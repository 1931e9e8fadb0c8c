package egress

import (
	"errors"

	"github.com/slotway/slotway/tools"
)

// RefusedError says that connecting to a target is not permitted. Its text names neither host nor
// address.
type RefusedError struct{ Class Class }

// remedies say what to do about a refused target.
var remedies = map[Class]string{
	Loopback: "a name that leads to a loopback address; write localhost or 127.0.0.1 in the agent file, or allow the name in tools.allow_hosts",
	Private:  "a private address; allow it in tools.allow_hosts",
}

// Error returns the class of the target and the remedy.
func (e *RefusedError) Error() string {
	if text, ok := remedies[e.Class]; ok {
		return text
	}
	article := "a "
	if e.Class == Unspecified {
		article = "an "
	}
	return article + string(e.Class) + " address; allow it, by address, in tools.allow_hosts"
}

// Denied returns the tool's error if err is or wraps a refusal, else nil. In that case nothing was
// sent.
func Denied(tool string, err error) *tools.Error {
	var refused *RefusedError
	if !errors.As(err, &refused) {
		return nil
	}
	return &tools.Error{Code: tools.Denied, Tool: tool, Detail: refused.Error()}
}
