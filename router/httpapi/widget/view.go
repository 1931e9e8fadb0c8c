package widget

import (
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/planner"
	"github.com/slotway/slotway/router"
	"github.com/slotway/slotway/router/httpapi"
	"github.com/slotway/slotway/router/sessions"
)

// mostMessages bounds an answer: more than a person reads again, and what one page of a store holds.
const mostMessages = 100

// view is the conversation, or its end, as the page shows it.
type view struct {
	ConversationID string               `json:"conversation_id"`
	Agent          agentView            `json:"agent"`
	Messages       []messageView        `json:"messages"`
	Seq            int64                `json:"seq"`  // the number after which the next messages come
	More           bool                 `json:"more"` // there are some already
	Turn           int64                `json:"turn"` // that the next message answers
	Options        []planner.Suggestion `json:"options"`
	Person         *string              `json:"person"` // who has the conversation, "" without a name; null: the agent

	mask *sessions.Mask
}

type agentView struct {
	Name     string `json:"name"`
	Language string `json:"language"`
}

// messageView is what the user or the agent, or a person in its place, said.
type messageView struct {
	Seq  int64       `json:"seq"` // 0: not stored
	Turn int64       `json:"turn"`
	Role memory.Role `json:"role"`
	Text string      `json:"text"`
	At   *time.Time  `json:"timestamp,omitempty"`

	Person *string `json:"person,omitempty"` // who said it in the agent's place, "" without a name
}

// since reads the caller's conversation after a message; nil: its newest messages. It asks for the state
// before the messages, so that nobody answers to a turn whose words they do not see.
func (s *server) since(r *http.Request, id string, after *int64) (view, error) {
	v := view{ConversationID: id, Messages: []messageView{}, Options: []planner.Suggestion{}}
	if a := s.api.Agent(); a != nil {
		v.Agent = agentView{a.ID, a.Language}
	}
	stored := s.api.Memory()
	if stored == nil {
		return v, nil
	}
	key, mask, err := s.api.OwnSession(r, id)
	if err != nil {
		return v, err
	}
	v.mask = mask
	snap, err := memory.LoadReadable(r.Context(), stored.Store, key, memory.LoadOptions{Fresh: true})
	if err != nil || snap.State.Version == 0 {
		return v, ignoreMissing(err)
	}
	v.Turn = httpapi.CurrentTurn(snap)
	if plan, err := planner.Load(snap.State.PlanExecution, nil); err == nil && plan.Held() != nil { // else of another release
		name := mask.Text(plan.Held().By)
		v.Person = &name
	}
	if after != nil && snap.Counters.NextSeq-1 <= *after {
		v.Seq = *after
		return v, nil // as for most polls
	}
	page := memory.Page{Limit: mostMessages, Salvage: true, Last: after == nil}
	if after != nil {
		page.After, v.Seq = *after, *after
	}
	list, err := stored.Store.Messages(r.Context(), key, page)
	if err != nil {
		return v, ignoreMissing(err)
	}
	v.take(list)
	v.More = after != nil && len(list) == mostMessages
	return v, s.options(r, &v, key)
}

// ignoreMissing takes a conversation that has not begun for an empty one.
func ignoreMissing(err error) error {
	if errors.Is(err, memory.ErrNotFound) {
		return nil
	}
	return err
}

// take adds the messages that are words of the conversation: no calls of tools, no notes. Those of the
// newest turn are as they were said: its question may wait for a yes, and the person must see what that
// confirms.
func (v *view) take(list []memory.Message) {
	for i := range list {
		m := &list[i]
		v.Seq = max(v.Seq, m.Seq)
		if m.Retracted || m.Text == "" || (m.Role != memory.User && m.Role != memory.Agent) {
			continue
		}
		at, text := m.Timestamp, m.Text
		if m.Turn != v.Turn {
			text = v.mask.Text(text)
		}
		said := messageView{Seq: m.Seq, Turn: m.Turn, Role: m.Role, Text: text, At: &at}
		if name, person := m.Person(); person {
			name = v.mask.Text(name)
			said.Person = &name
		}
		v.Messages = append(v.Messages, said)
	}
}

// options adds what can be said next, if the newest turn offers it.
func (s *server) options(r *http.Request, v *view, key memory.Key) error {
	turns, err := s.api.Memory().Store.Turns(r.Context(), key, memory.Page{Last: true, Limit: 1, Salvage: true})
	if err != nil || len(turns) == 0 || turns[0].Number != v.Turn {
		return ignoreMissing(err)
	}
	var reply router.Reply
	if json.Unmarshal(turns[0].Response, &reply) != nil {
		return nil // of another release, or not kept: people can still type
	}
	v.Options = append(v.Options, reply.Options...)
	return nil
}

// live shows what was said just now as it was said, although another turn may have come after it. What is not among the messages, because no text is stored or the turn cleared them, comes without a
// number.
func (v *view) live(text string, reply router.Reply) {
	if reply.Turn >= v.Turn {
		v.Options = append([]planner.Suggestion{}, reply.Options...)
	}
	found := false
	for i := range v.Messages {
		m := &v.Messages[i]
		for _, said := range []messageView{{Role: memory.User, Text: text}, {Role: memory.Agent, Text: reply.Reply}} {
			if m.Turn == reply.Turn && m.Role == said.Role && (m.Text == said.Text || m.Text == v.mask.Text(said.Text)) {
				m.Text, found = said.Text, true
			}
		}
	}
	if found || v.More { // those that are missing here are asked for next
		return
	}
	v.Messages = append(v.Messages, messageView{Turn: reply.Turn, Role: memory.User, Text: text})
	if reply.Reply != "" {
		v.Messages = append(v.Messages, messageView{Turn: reply.Turn, Role: memory.Agent, Text: reply.Reply})
	}
}
