package router

import (
	"encoding/json"
	"fmt"
	"maps"
	"time"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/planner"
	"github.com/slotway/slotway/router/telemetry"
)

// Reply is the answer to one message.
type Reply struct {
	SessionID       string         `json:"session_id"`
	Turn            int64          `json:"turn"`
	Intent          string         `json:"intent"`
	Confidence      float64        `json:"confidence"`
	Reply           string         `json:"reply"`
	Asked           *string        `json:"asked"`             // param that this reply asks for
	WaitingForParam *string        `json:"waiting_for_param"` // param that the session waits for
	Confirming      *string        `json:"confirming"`        // write tool that waits for a yes
	Params          map[string]any `json:"params"`            // known after the turn
	ToolCalls       []ToolReport   `json:"tool_calls"`
	Handoff         bool           `json:"handoff"` // the conversation goes, or has gone, to a person
	Error           *string        `json:"error"`   // code of what went wrong, when the reply had to work around it

	// Person is who has the conversation: the agent has said nothing. Action is what the person has
	// done in this turn; "": it is a message of the user.
	Person *Person `json:"person,omitempty"`
	Action Action  `json:"action,omitempty"`

	Options []planner.Suggestion `json:"options,omitempty"` // messages that can come next, if there are several to name
	Unheard []Unheard            `json:"unheard,omitempty"` // parts of the message that the turn did nothing about

	// Model and Provider name the model that read the message or generated text in this turn;
	// "" if none did.
	Model    string `json:"model,omitempty"`
	Provider string `json:"provider,omitempty"`
}

// storedReply is a Reply as it is stored with its turn: without what the turn says itself, and what is empty.
type storedReply struct {
	SessionID       string               `json:"-"`
	Turn            int64                `json:"-"`
	Intent          string               `json:"-"`
	Confidence      float64              `json:"confidence,omitempty"`
	Reply           string               `json:"reply,omitempty"`
	Asked           *string              `json:"asked,omitempty"`
	WaitingForParam *string              `json:"waiting_for_param,omitempty"`
	Confirming      *string              `json:"confirming,omitempty"`
	Params          map[string]any       `json:"params,omitempty"`
	ToolCalls       []ToolReport         `json:"tool_calls,omitempty"`
	Handoff         bool                 `json:"handoff,omitempty"`
	Error           *string              `json:"error,omitempty"`
	Person          *Person              `json:"person,omitempty"`
	Action          Action               `json:"action,omitempty"`
	Options         []planner.Suggestion `json:"options,omitempty"`
	Unheard         []Unheard            `json:"unheard,omitempty"`
	Model           string               `json:"model,omitempty"`
	Provider        string               `json:"provider,omitempty"`
}

// StoredReply rebuilds the reply of a turn of a session. memory.ErrCorrupt: it is none, as where a store keeps no
// text.
func StoredReply(session string, t *memory.Turn) (Reply, error) {
	r := Reply{Params: map[string]any{}, ToolCalls: []ToolReport{}}
	if err := json.Unmarshal(t.Response, &r); err != nil {
		return Reply{}, fmt.Errorf("stored reply of turn %d: %w", t.Number, memory.ErrCorrupt)
	}
	r.SessionID, r.Turn, r.Intent = session, t.Number, t.Intent
	return r, nil
}

// Unheard is a part of the message that the turn did nothing about.
type Unheard struct {
	Text  string `json:"text"`
	Told  bool   `json:"told"`            // the reply says so
	Param string `json:"param,omitempty"` // that it could be a value of; "": none
}

// Shown returns copies of Options and Unheard whose texts went through show.
func (r *Reply) Shown(show func(string) string) (options []planner.Suggestion, unheard []Unheard) {
	for _, o := range r.Options {
		o.Title, o.Text = show(o.Title), show(o.Text)
		options = append(options, o)
	}
	for _, u := range r.Unheard {
		u.Text = show(u.Text)
		unheard = append(unheard, u)
	}
	return options, unheard
}

// Values returns the reply's params, with the values of hidden params that its options and unheard
// parts contain added to them.
func (r *Reply) Values(hide *telemetry.Redactor) map[string]any {
	known := maps.Clone(r.Params)
	if known == nil {
		known = map[string]any{}
	}
	add := func(param, text string) {
		if hide.Hides(param) {
			known[param] = []any{known[param], text}
		}
	}
	for _, o := range r.Options {
		add(o.Param, o.Text)
	}
	for _, u := range r.Unheard {
		add(u.Param, u.Text)
	}
	return known
}

// Masked returns the reply with hidden values masked.
func (r *Reply) Masked(hide *telemetry.Redactor) Reply {
	known := r.Values(hide)
	show := func(text string) string { return hide.MaskText(text, known) }
	masked := *r
	masked.Reply, masked.Params = show(r.Reply), hide.MaskParams(r.Params)
	masked.Options, masked.Unheard = r.Shown(show)
	masked.Person = r.Person.Shown(show)
	return masked
}

// ToolReport is one tool call of a turn, which may be the validation of a param.
type ToolReport struct {
	Tool   string  `json:"tool"`
	Status string  `json:"status"` // ok, error, unknown (may have had its effect)
	Error  *string `json:"error"`  // the tool's code
}

// Trace says how a turn went. It is not stored.
type Trace struct {
	Path           []string               // states that the turn went through
	Replayed       bool                   // the stored reply of an earlier turn
	Interpretation planner.Interpretation // how the message was understood
	Duration       time.Duration
}

// Readings returns the readings of the interpretation in the form of telemetry.
func (t *Trace) Readings() (chosen, others []telemetry.Reading) {
	return weighed(t.Interpretation.Chosen), weighed(t.Interpretation.RunnersUp)
}
