package replay

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/transfer"
	"github.com/slotway/slotway/router"
	"github.com/slotway/slotway/router/sessions"
	"github.com/slotway/slotway/tools"
)

// Heading is the head of a recorded replay. Empty fields are left out.
type Heading struct {
	Name    string // default "recorded conversation"
	Agent   string // path of the agent's YAML, relative to the file that will hold the replay
	Session string
	User    string
}

// FromHistory writes a stored session as a replay file: what the user said, turn by turn,
// and what came of it as the expectation. messages are all of the session's, by Seq, the
// inactive ones included; turns are its turns, without which the reply's text alone is
// expected. A tool answers from the record wherever everything that it gave is kept there;
// others, and the checks of params, are called for real when the replay runs.
//
// Values of redacted params are written as they are, since a masked value would make the
// replay fail: the file belongs to the owner of the session, and is as confidential.
func FromHistory(h Heading, messages []memory.Message, turns []memory.Turn) ([]byte, error) {
	rec := &record{heading: h, turns: map[int64]*recorded{}, results: map[string][]string{}}
	for _, m := range messages {
		rec.add(m)
	}
	if len(rec.order) == 0 {
		return nil, fmt.Errorf("record: %w", errNothingSaid)
	}
	for i := range turns {
		if err := rec.addTurn(&turns[i]); err != nil {
			return nil, err
		}
	}
	slices.Sort(rec.order)
	return rec.yaml(), nil
}

var errNothingSaid = fmt.Errorf("the user has said nothing in it: %w", memory.ErrNotFound)

// record is a session that becomes a replay file.
type record struct {
	heading Heading
	order   []int64 // of the turns
	turns   map[int64]*recorded
	tools   []string            // in the order of their first call
	results map[string][]string // by tool: its answers as YAML; nil: not all are known
	by      string              // the person who had the conversation last
}

// recorded is one turn.
type recorded struct {
	said  string
	at    time.Time
	reply router.Reply
	calls []any  // tools, without the checks of params
	known bool   // reply is whole
	by    string // of an action: the person
}

// add takes a message in. What was undone is left out: a replay cannot undo.
func (rec *record) add(m memory.Message) {
	if m.Retracted {
		return
	}
	switch m.Role {
	case memory.User:
		if rec.turns[m.Turn] == nil {
			rec.order = append(rec.order, m.Turn)
			rec.turns[m.Turn] = &recorded{said: m.Text, at: m.Timestamp}
		}
	case memory.Agent:
		if r := rec.turns[m.Turn]; r != nil {
			r.reply.Reply = m.Text
			for _, c := range m.ToolCalls {
				r.calls = append(r.calls, c.Tool)
			}
		}
	case memory.Tool:
		rec.addResult(m.Name, m.Text)
	}
}

// addTurn adds the reply of a turn, or what a person did in it. The messages do not tell of that.
func (rec *record) addTurn(t *memory.Turn) error {
	r := rec.turns[t.Number]
	if r == nil && t.Undone {
		return nil
	}
	reply, err := router.StoredReply("", t)
	if err != nil {
		return fmt.Errorf("record: %w", err)
	}
	if r == nil && reply.Action == "" {
		return nil
	}
	if reply.Person != nil {
		rec.by = reply.Person.By
	}
	if r == nil {
		r = &recorded{at: t.At, by: rec.by}
		rec.turns[t.Number], rec.order = r, append(rec.order, t.Number)
	}
	r.reply, r.known = reply, true
	return nil
}

// addResult adds what the history keeps of a tool's result: the result as JSON, an error code, or
// only the size of a large result.
func (rec *record) addResult(tool, text string) {
	rows, seen := rec.results[tool]
	if !seen {
		rec.tools = append(rec.tools, tool)
	}
	if seen && rows == nil {
		return
	}
	rec.results[tool] = nil
	var value any
	if json.Unmarshal([]byte(text), &value) == nil {
		rec.results[tool] = append(rows, "result: "+flow(value, nil))
		return
	}
	for _, code := range tools.Codes {
		if text == string(code) {
			rec.results[tool] = append(rows, "error: "+text)
		}
	}
}

func (rec *record) yaml() []byte {
	var b strings.Builder
	name := rec.heading.Name
	if name == "" {
		name = "recorded conversation"
	}
	line(&b, 0, "conversation: "+scalar(name))
	for _, kv := range [][2]string{{"agent", rec.heading.Agent}, {"session", rec.heading.Session}, {"user", rec.heading.User}} {
		if kv[1] != "" {
			line(&b, 0, kv[0]+": "+scalar(kv[1]))
		}
	}
	line(&b, 0, "start: "+rec.turns[rec.order[0]].at.UTC().Format(time.RFC3339))
	rec.writeTools(&b)
	line(&b, 0, "turns:")
	for i, number := range rec.order {
		t := rec.turns[number]
		line(&b, 2, "- "+t.first())
		if i > 0 {
			if d := t.at.Sub(rec.turns[rec.order[i-1]].at).Truncate(time.Millisecond); d > 0 {
				line(&b, 4, "after: "+d.String())
			}
		}
		t.writeExpect(&b)
	}
	return []byte(b.String())
}

// first returns what happened in the turn.
func (r *recorded) first() string {
	switch r.reply.Action {
	case "":
		return "user: " + scalar(r.said)
	case router.ActionAnswer:
		return "handoff: " + flow(map[string]any{string(router.ActionAnswer): r.reply.Reply}, nil)
	}
	return "handoff: " + flow(map[string]any{string(r.reply.Action): r.by}, nil)
}

func (rec *record) writeTools(b *strings.Builder) {
	head := false
	for _, tool := range rec.tools {
		if rec.results[tool] == nil {
			continue
		}
		if !head {
			line(b, 0, "tools:")
			head = true
		}
		line(b, 2, scalar(tool)+":")
		for _, row := range rec.results[tool] {
			line(b, 4, "- "+row)
		}
	}
}

func (r *recorded) writeExpect(b *strings.Builder) {
	line(b, 4, "expect:")
	if r.known {
		line(b, 6, "intent: "+flow(orNull(&r.reply.Intent), nil))
		line(b, 6, "asked: "+flow(orNull(r.reply.Asked), nil))
		line(b, 6, "waiting_for_param: "+flow(orNull(r.reply.WaitingForParam), nil))
		line(b, 6, "confirming: "+flow(orNull(r.reply.Confirming), nil))
		line(b, 6, "params: "+flow(mapOf(r.reply.Params), nil))
		line(b, 6, "calls: "+flow(append([]any{}, r.calls...), nil))
		line(b, 6, "handoff: "+flow(r.reply.Handoff, nil))
		line(b, 6, "error: "+flow(orNull(r.reply.Error), nil))
		r.writeLists(b)
	}
	line(b, 6, "reply: "+scalar(r.reply.Reply))
}

// writeLists writes the suggested messages and the unheard parts, if there are any.
func (r *recorded) writeLists(b *strings.Builder) {
	var titles, left []any
	for _, o := range r.reply.Options {
		titles = append(titles, o.Title)
	}
	for _, u := range r.reply.Unheard {
		left = append(left, u.Text)
	}
	if len(titles) > 0 {
		line(b, 6, "options: "+flow(titles, nil))
	}
	if len(left) > 0 {
		line(b, 6, "unheard: "+flow(left, nil))
	}
}

func mapOf(params map[string]any) any {
	if params == nil {
		return map[string]any{}
	}
	return params
}

func line(b *strings.Builder, indent int, text string) {
	b.WriteString(strings.Repeat(" ", indent) + text + "\n")
}

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
