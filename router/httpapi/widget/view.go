package widget

import (
	"errors"
	"net/http"
	"time"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/planner"
	"github.com/slotway/slotway/router"
	"github.com/slotway/slotway/router/httpapi"
	"github.com/slotway/slotway/router/sessions"
)

// mostMessages bounds a response. It is one page of a store, and more than a person reads again.
const mostMessages = 100

// view is the conversation, or its end, as the page shows it.
type view struct {
	ConversationID string               `json:"conversation_id"`
	Agent          agentView            `json:"agent"`
	Messages       []messageView        `json:"messages"`
	Seq            int64                `json:"seq"`  // number of the newest message; the next request asks for later ones
	More           bool                 `json:"more"` // there are later messages already
	Turn           int64                `json:"turn"` // the turn that the next message answers
	Options        []planner.Suggestion `json:"options"`
	Person         *string              `json:"person"` // who has the conversation, "" without a name; null: the agent

	mask *sessions.Mask
}

type agentView struct {
	Name     string `json:"name"`
	Language string `json:"language"`
}

// messageView is a message of the user, of the agent, or of a person in the agent's place.
type messageView struct {
	Seq  int64       `json:"seq"` // 0: not stored
	Turn int64       `json:"turn"`
	Role memory.Role `json:"role"`
	Text string      `json:"text"`
	At   *time.Time  `json:"timestamp,omitempty"`

	Person *string `json:"person,omitempty"` // who said it in the agent's place, "" without a name
}

// since reads the messages of the caller's conversation after a given one; nil: the newest ones. It reads
// the state before the messages, so that the page never answers a turn whose messages it does not show.
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
	snap, err := stored.Store.Load(r.Context(), key, memory.LoadOptions{Fresh: true})
	if err != nil || snap.State.Version == 0 {
		return v, ignoreMissing(err)
	}
	v.Turn = httpapi.CurrentTurn(snap)
	if plan, err := planner.Load(snap.State.PlanExecution, nil); err == nil && plan.Held() != nil { // an error: another release wrote the plan
		name := mask.Text(plan.Held().By)
		v.Person = &name
	}
	if after != nil && snap.Counters.NextSeq-1 <= *after {
		v.Seq = *after
		return v, nil // the result of most polls
	}
	page := memory.Page{Limit: mostMessages, Last: after == nil}
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

// ignoreMissing treats a conversation that has not begun as an empty one.
func ignoreMissing(err error) error {
	if errors.Is(err, memory.ErrNotFound) {
		return nil
	}
	return err
}

// take adds the messages of the user and the agent, without tool calls and notes. It does not mask those
// of the newest turn: its question may wait for a yes, and the person must see what that confirms.
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

// options adds the options of the newest turn.
func (s *server) options(r *http.Request, v *view, key memory.Key) error {
	turns, err := s.api.Memory().Store.Turns(r.Context(), key, memory.Page{Last: true, Limit: 1})
	if err != nil || len(turns) == 0 || turns[0].Number != v.Turn {
		return ignoreMissing(err)
	}
	reply, err := router.StoredReply(key.SessionID, &turns[0])
	if err != nil {
		return nil // another release wrote it, or it is not kept: the person can still type
	}
	v.Options = append(v.Options, reply.Options...)
	return nil
}

// live shows the messages of this turn unmasked, even if another turn has come after it. If the store has
// no text of them, or the turn has cleared it, live adds them without a number.
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
	if found || v.More { // the page asks for the missing ones next
		return
	}
	v.Messages = append(v.Messages, messageView{Turn: reply.Turn, Role: memory.User, Text: text})
	if reply.Reply != "" {
		v.Messages = append(v.Messages, messageView{Turn: reply.Turn, Role: memory.Agent, Text: reply.Reply})
	}
}
