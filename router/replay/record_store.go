package replay

import (
	"context"
	"encoding/json"
	"fmt"
	"io"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/transfer"
	"github.com/slotway/slotway/router"
	"github.com/slotway/slotway/router/sessions"
)

// FromStore writes a session of a store as FromHistory does. agent is the path of the agent's YAML as
// the file has to name it. mask hides the redacted values of the session.
func FromStore(ctx context.Context, store memory.Transfer, key memory.Key, agent string, mask *sessions.Mask) ([]byte, error) {
	h := Heading{Name: "session " + key.SessionID, Agent: agent, Session: key.SessionID, User: key.UserID}
	var text []byte
	export := func(_ io.Reader, out io.Writer) error { return store.Export(ctx, key, out) }
	err := transfer.Pipe(nil, export, func(in io.Reader) error { // only an export includes the turns
		return transfer.ReadArchives(in, func(a *transfer.Archive) (err error) {
			if a.Turns, err = maskedTurns(mask, a.Turns); err != nil {
				return err
			}
			text, err = FromHistory(h, mask.Messages(a.Messages), a.Turns)
			return err
		})
	})
	return text, err
}

// maskedTurns masks the replies of turns.
func maskedTurns(mask *sessions.Mask, turns []memory.Turn) ([]memory.Turn, error) {
	if mask == sessions.Reveal() {
		return turns, nil
	}
	for i := range turns {
		reply, err := router.StoredReply("", &turns[i])
		if err != nil {
			return nil, fmt.Errorf("record: %w", err)
		}
		reply.Reply, reply.Params = mask.Text(reply.Reply), mask.Params(reply.Params)
		reply.Options, reply.Unheard = reply.Shown(mask.Text)
		reply.Person = reply.Person.Shown(mask.Text)
		out, err := json.Marshal(reply)
		if err != nil {
			return nil, fmt.Errorf("record turn %d: %w", turns[i].Number, err)
		}
		turns[i].Response = out
	}
	return turns, nil
}
