package router_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/router"
)

// Stream gives the answer in pieces of three bytes, so that names come in parts; one that is to
// fail does so in the middle.
func (e *echo) Stream(ctx context.Context, prompt []memory.Message, yield func(string)) (string, error) {
	text, err := e.Generate(ctx, prompt)
	if err != nil {
		text = text[:len(text)/2]
	}
	for rest := text; rest != ""; {
		n := min(3, len(rest))
		yield(rest[:n])
		rest = rest[n:]
	}
	return text, err
}

// drafted holds a turn whose drafts are kept: as a client would show them, with ~ for a void.
func (w *fixture) drafted(t *testing.T, id, text string) (reply router.Reply, drafts string, err error) {
	t.Helper()
	var told strings.Builder
	reply, err = w.Handle(t.Context(), router.Interaction{ID: id, Text: text, Context: router.Context{SessionID: "s"}, Draft: func(d router.Draft) {
		if d.Void {
			told.WriteString("~")
		}
		told.WriteString(d.Text)
	}})
	return reply, told.String(), err
}

// The drafts of a turn are the beginning of its reply, with redacted values in the places of the
// names that the model gave; a message that comes again has none.
func TestDrafts(t *testing.T) {
	w := newFixture(t, true)
	w.say(t, "1", "find I-4711")
	for _, turn := range []struct{ id, text, drafts, reply string }{
		{"2", "talk", "You said: Talk about I-4711.", "You said: Talk about I-4711."},
		{"3", "brief", "Listen. You said: One about I-4711. You said: Two.", "Listen. You said: One about I-4711. You said: Two."},
		{"4", "find I-8", "", "Found: I-8."},
		{"3", "brief", "", "Listen. You said: One about I-4711. You said: Two."},
	} {
		reply, drafts, err := w.drafted(t, turn.id, turn.text)
		if err != nil || drafts != turn.drafts || reply.Reply != turn.reply {
			t.Errorf("%s: drafts %q, reply %q, %v\nwant %q and %q", turn.text, drafts, reply.Reply, err, turn.drafts, turn.reply)
		}
	}
	if sent := w.model.seen.String(); strings.Contains(sent, "4711") {
		t.Errorf("sent to the model: %q", sent)
	}
}

// An answer that breaks off is void, and the step's else is said in its place.
func TestDraftOfAnAnswerThatBreaksOff(t *testing.T) {
	w := newFixture(t, true)
	w.say(t, "1", "find I-4711")
	w.model.fail = errors.New("the server is down")
	reply, drafts, err := w.drafted(t, "2", "talk")
	if err != nil || drafts != "You said: Talk ~" || reply.Reply != "I have nothing to say." {
		t.Errorf("drafts %q, reply %q, %v", drafts, reply.Reply, err)
	}
	if reply.Error == nil || *reply.Error != "generate_failed" {
		t.Errorf("error %v, want generate_failed", reply.Error)
	}
}

// A turn that is run again, because another process was faster, drafts again; one that cannot be
// committed is void, leaves nothing behind, and runs when its message comes again.
func TestDraftsOfATurnThatIsNotCommitted(t *testing.T) {
	w := newFixture(t, true)
	w.say(t, "1", "find I-1")
	w.Store.OnCommit(func(*memory.Delta) error { return memory.ErrConflict })
	const answer = "You said: Talk about I-1."
	reply, drafts, err := w.drafted(t, "2", "talk")
	if err != nil || drafts != answer+"~"+answer || reply.Reply != answer {
		t.Errorf("after a conflict: drafts %q, reply %q, %v", drafts, reply.Reply, err)
	}
	w.Store.OnCommit(func(*memory.Delta) error { return errPowerCut })
	if _, drafts, err = w.drafted(t, "3", "talk"); !errors.Is(err, errPowerCut) || drafts != answer+"~" {
		t.Errorf("a commit that fails: drafts %q, %v", drafts, err)
	}
	key := memory.Key{UserID: "local", AgentID: "test", SessionID: "s"}
	before, err := w.Store.Messages(t.Context(), key, memory.Page{})
	if err != nil || fmt.Sprint(before[len(before)-1].Text) != answer || strings.Count(fmt.Sprint(before), answer) != 1 {
		t.Errorf("the history has what was not committed: %v, %v", before, err)
	}
	if reply, drafts, err = w.drafted(t, "3", "talk"); err != nil || drafts != answer || reply.Turn != 3 {
		t.Errorf("once more: drafts %q, turn %d, %v", drafts, reply.Turn, err)
	}
}
