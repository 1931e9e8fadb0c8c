package encrypted

import (
	"encoding/json"
	"strconv"
	"time"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/record"
)

// Each row has one encrypted value, of all that is hidden in it, bound to all that is not: a row that
// was moved, mixed from two, or taken from another moment does not open. Only fields that never
// change are bound; what a later commit changes in a row (a retracted message, an undone turn) is not
// among them.

func micros(t time.Time) int64 { return memory.Moment(t).UnixMicro() }

func messageAAD(m *memory.Message) string {
	return additionalData("message", m.Seq, m.Turn, string(m.Role), micros(m.Timestamp), m.Name, m.ToolCallID, m.Tokens, m.Importance)
}

func (b box) sealMessage(m *memory.Message) error {
	if m.Damaged() { // it hides nothing, and imports count it
		return nil
	}
	x, err := record.ExtrasOf(m)
	if err != nil {
		return err
	}
	m.Text, err = b.seal(pack(m.Text, x.Metadata, x.Calls), messageAAD(m))
	m.Metadata, m.ToolCalls = nil, nil
	return err
}

func (b box) message(m *memory.Message) error {
	if m.Damaged() && m.Text == "" {
		return nil
	}
	at := messageAAD(m)
	data, err := b.open(m.Text, at)
	if err != nil {
		return err
	}
	var x record.Extras
	m.Metadata, m.ToolCalls = nil, nil
	if !unpack(data, &m.Text, &x.Metadata, &x.Calls) || !x.Apply(m) {
		return tampered(at)
	}
	return nil
}

func (b box) messages(list []memory.Message) error {
	for i := range list {
		if err := b.message(&list[i]); err != nil {
			return err
		}
	}
	return nil
}

// position is where a session stood with a state. A zero was not known when the state was
// encrypted, and unknown is not when it is decrypted.
type position struct{ next, turns, updated int64 }

func (s position) texts() []string {
	return []string{strconv.FormatInt(s.next, 10), strconv.FormatInt(s.turns, 10), strconv.FormatInt(s.updated, 10)}
}

// fits reports whether a session may stand at this position.
func (s position) fits(texts ...string) bool {
	for i, have := range []int64{s.next, s.turns, s.updated} {
		if have != unknown && texts[i] != "0" && texts[i] != strconv.FormatInt(have, 10) {
			return false
		}
	}
	return true
}

const unknown = -1

func stateAAD(version int64, s *memory.State) string {
	return additionalData("state", version, s.WaitingForParam, s.LastIntentID)
}

// sealState encrypts the state that a session has at a version.
func (b box) sealState(version int64, s *memory.State, at position) error {
	params, err := record.Params(s.Params)
	if err != nil {
		return err
	}
	fields := append([]string{params, string(s.LastResult), string(s.PlanExecution)}, at.texts()...)
	held, err := b.seal(pack(fields...), stateAAD(version, s))
	s.Params, s.LastResult, s.PlanExecution = map[string]any{encryptedName: held}, nil, nil
	return err
}

func (b box) state(version int64, s *memory.State, at position) error {
	held, _ := s.Params[encryptedName].(string)
	where := stateAAD(version, s)
	data, err := b.open(held, where)
	if err != nil {
		return err
	}
	var params, result, plan, next, turns, updated string
	if !unpack(data, &params, &result, &plan, &next, &turns, &updated) || !at.fits(next, turns, updated) {
		return tampered(where)
	}
	s.Params, s.LastResult, s.PlanExecution = map[string]any{}, record.Raw(result), record.Raw(plan)
	if json.Unmarshal([]byte(params), &s.Params) != nil {
		return tampered(where)
	}
	return nil
}

func turnAAD(t *memory.Turn) string {
	return additionalData("turn", t.Number, t.RequestID, t.Intent, t.Outcome, micros(t.At))
}

func (b box) sealTurn(t *memory.Turn) (err error) {
	t.Response, err = b.sealJSON(t.Response, turnAAD(t))
	if p := t.Snapshot; p != nil && err == nil {
		p.State.Version = p.Counters.Version
		err = b.sealState(p.Counters.Version, &p.State, position{next: p.Counters.NextSeq, turns: p.Counters.Turns})
	}
	return err
}

func (b box) turn(t *memory.Turn) error {
	err := b.json(&t.Response, turnAAD(t))
	if p := t.Snapshot; p != nil && err == nil {
		err = b.state(p.Counters.Version, &p.State, position{p.Counters.NextSeq, p.Counters.Turns, unknown})
	}
	return err
}

// callAAD covers the call itself; its outcome is encrypted separately.
func callAAD(s *memory.Step) string {
	return additionalData("call", s.IdempotencyKey, s.Turn, s.Plan, s.Step, s.Tool, micros(s.StartedAt), s.Origin)
}

func outcomeAAD(s *memory.Step) string {
	return additionalData("outcome", s.IdempotencyKey, string(s.Status), s.ErrorCode, micros(s.EndedAt))
}

func (b box) sealStep(s *memory.Step) (err error) {
	if s.Args, err = b.sealJSON(s.Args, callAAD(s)); err != nil {
		return err
	}
	if s.Status == memory.StepStarted {
		s.Result = nil
		return nil
	}
	s.Result, err = b.sealJSON(s.Result, outcomeAAD(s))
	return err
}

func (b box) step(s *memory.Step) error {
	if err := b.json(&s.Args, callAAD(s)); err != nil {
		return err
	}
	if s.Status == memory.StepStarted {
		s.Result = nil
		return nil
	}
	return b.json(&s.Result, outcomeAAD(s))
}

func (b box) steps(list []memory.Step) error {
	for i := range list {
		if err := b.step(&list[i]); err != nil {
			return err
		}
	}
	return nil
}

func aboutAAD(a *memory.About) string {
	parts := []any{micros(a.ExpiresAt), a.Title}
	for _, tag := range a.Tags {
		parts = append(parts, tag)
	}
	return additionalData("about", parts...)
}

// sealAbout encrypts what no store finds a session by.
func (b box) sealAbout(a *memory.About) (err error) {
	if a.SystemPrompt == "" && len(a.Metadata) == 0 {
		return nil
	}
	a.SystemPrompt, err = b.seal(pack(a.SystemPrompt, string(a.Metadata)), aboutAAD(a))
	a.Metadata = nil
	return err
}

func (b box) about(a *memory.About) error {
	if a.SystemPrompt == "" && len(a.Metadata) == 0 {
		return nil
	}
	at := aboutAAD(a)
	data, err := b.open(a.SystemPrompt, at)
	if err != nil {
		return err
	}
	var metadata string
	if !unpack(data, &a.SystemPrompt, &metadata) {
		return tampered(at)
	}
	a.Metadata = record.Raw(metadata)
	return nil
}

func viewAAD(v *memory.View) string {
	return additionalData("view", v.Tier, v.ID, v.Epoch, v.UpTo, micros(v.At))
}

// sealJSON turns a JSON text, or nothing, into a JSON string that holds it.
func (b box) sealJSON(text json.RawMessage, at string) (json.RawMessage, error) {
	held, err := b.seal(text, at)
	if err != nil {
		return nil, err
	}
	return json.Marshal(held)
}

// heldIn returns the text that a JSON string holds, or "".
func heldIn(text json.RawMessage) (held string) {
	if len(text) == 0 || text[0] != '"' || json.Unmarshal(text, &held) != nil {
		return ""
	}
	return held
}

// json decrypts what sealJSON made.
func (b box) json(text *json.RawMessage, at string) error {
	data, err := b.open(heldIn(*text), at)
	if *text = nil; len(data) > 0 {
		*text = data
	}
	return err
}
