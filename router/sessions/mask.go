package sessions

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/summary"
	"github.com/slotway/slotway/planner"
	"github.com/slotway/slotway/router/telemetry"
)

// Mask hides the redacted values of one session. A nil mask, and the zero value, hide every value and
// text; only Reveal shows all. It is safe for concurrent use.
type Mask struct {
	redactor *telemetry.Redactor
	known    *telemetry.Masker
}

// reveal is the mask that hides nothing.
var reveal = &Mask{}

// Reveal returns the mask that hides nothing. Who asks for it has checked that the caller may see all.
func Reveal() *Mask { return reveal }

func (m *Mask) reveals() bool { return m == reveal }

// masker returns nil, which hides everything, for a mask that knows nothing.
func (m *Mask) masker() *telemetry.Masker {
	if m == nil {
		return nil
	}
	return m.known
}

// MaskOf returns a mask for known values without reading the session: those of redacted params in
// params, and what the patterns find.
func MaskOf(r *telemetry.Redactor, params map[string]any) *Mask {
	return &Mask{redactor: r, known: r.Masker(params)}
}

// Text masks a text.
func (m *Mask) Text(text string) string {
	if m.reveals() {
		return text
	}
	return m.masker().Text(text)
}

// Shows reports whether part occurs in the visible parts of text, in any case.
func (m *Mask) Shows(text, part string) bool {
	if m.reveals() {
		return strings.Contains(strings.ToLower(text), strings.ToLower(part))
	}
	return m.masker().Shows(text, part)
}

// Value masks a copy of a value as encoding/json decodes it.
func (m *Mask) Value(v any) any {
	if m.reveals() {
		return v
	}
	return m.masker().Value(v)
}

// Params masks a copy of params; never nil.
func (m *Mask) Params(params map[string]any) map[string]any {
	if !m.reveals() {
		return m.masker().Params(params)
	}
	out := map[string]any{}
	maps.Copy(out, params)
	return out
}

// JSON masks an encoded value. Invalid JSON is masked as text.
func (m *Mask) JSON(raw json.RawMessage) json.RawMessage {
	if m.reveals() || len(raw) == 0 {
		return raw
	}
	v, err := decode(raw)
	if err != nil {
		v = string(raw)
	}
	return encode(m.masker().Value(v))
}

// Args masks the arguments of a tool call. An argument from a redacted param is masked whole.
func (m *Mask) Args(tool string, raw json.RawMessage) json.RawMessage {
	if m.reveals() || len(raw) == 0 {
		return raw
	}
	v, err := decode(raw)
	args, ok := v.(map[string]any)
	if err != nil || !ok || m == nil {
		return m.JSON(raw)
	}
	for name, value := range args {
		if param := m.redactor.ArgParam(tool, name); param != "" && value != nil {
			args[name] = m.redactor.Mask(param)
		}
	}
	return encode(m.masker().Params(args))
}

// Message masks a copy of a message. A tool's result is masked as JSON, in which a value may
// contain escapes.
func (m *Mask) Message(msg memory.Message) memory.Message {
	if m.reveals() {
		return msg
	}
	msg = msg.Clone()
	if raw := json.RawMessage(msg.Text); msg.Role == memory.Tool && json.Valid(raw) {
		msg.Text = string(m.JSON(raw))
	} else {
		msg.Text = m.Text(msg.Text)
	}
	for i := range msg.ToolCalls {
		msg.ToolCalls[i].Args = m.Args(msg.ToolCalls[i].Tool, msg.ToolCalls[i].Args)
	}
	for name, text := range msg.Metadata {
		msg.Metadata[name] = m.Text(text)
	}
	return msg
}

// Messages masks copies of messages.
func (m *Mask) Messages(list []memory.Message) []memory.Message {
	out := make([]memory.Message, len(list))
	for i := range list {
		out[i] = m.Message(list[i])
	}
	return out
}

// Plan masks the view of a plan.
func (m *Mask) Plan(v planner.View) planner.View {
	if m.reveals() {
		return v
	}
	if v.Active != nil {
		f := m.frame(*v.Active)
		v.Active = &f
	}
	v.Suspended, v.Queued = m.frames(v.Suspended), m.frames(v.Queued)
	if v.Question != nil {
		q := *v.Question
		q.Options = make([]planner.Option, len(q.Options))
		for i, o := range v.Question.Options {
			q.Options[i] = planner.Option{Value: m.Params(map[string]any{string(q.Param): o.Value})[string(q.Param)], Label: m.Text(o.Label)}
		}
		v.Question = &q
	}
	return v
}

func (m *Mask) frames(list []planner.FrameView) []planner.FrameView {
	out := make([]planner.FrameView, len(list))
	for i := range list {
		out[i] = m.frame(list[i])
	}
	return out
}

// frame also masks saved results by name: a result may have a param's name.
func (m *Mask) frame(f planner.FrameView) planner.FrameView {
	f.Params, f.Results = m.Params(f.Params), m.Params(f.Results)
	if f.Caller != nil {
		c := m.frame(*f.Caller)
		f.Caller = &c
	}
	return f
}

// Facts masks copies of facts. The value of a sensitive fact is masked whole.
func (m *Mask) Facts(facts []memory.Fact) []memory.Fact {
	if m.reveals() {
		return facts
	}
	out := make([]memory.Fact, len(facts))
	for i, f := range facts {
		f.Key, f.Value = m.Text(f.Key), m.Text(f.Value)
		if f.Sensitive {
			f.Value = f.Key
		}
		out[i] = f
	}
	return out
}

// Summary masks a stored summary.
func (m *Mask) Summary(s summary.Summary) summary.Summary {
	s.Narrative, s.Facts = m.Text(s.Narrative), m.Facts(s.Facts)
	return s
}

// decode keeps numbers as they are written: an id of eighteen digits does not fit a float.
func decode(raw []byte) (any, error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		return nil, fmt.Errorf("mask a value: %w", errNotJSON)
	}
	return v, nil
}

// encode encodes a decoded value, which cannot fail.
func encode(v any) json.RawMessage {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return json.RawMessage("null")
	}
	return bytes.TrimSpace(out.Bytes())
}

// Masks makes the masks of sessions, each once. Those of a nil Masks, and of the zero value, hide everything.
// It is not safe for concurrent use.
type Masks struct {
	redactor *telemetry.Redactor
	made     map[memory.Key]*Mask
	kept     *MaskCache
}

// revealAll makes masks that hide nothing.
var revealAll = &Masks{}

// RevealAll returns Masks that hide nothing. Who asks for them has checked that the caller may see all.
func RevealAll() *Masks { return revealAll }

// Reveal reports whether the masks hide nothing.
func (s *Masks) Reveal() bool { return s == revealAll }

// NewMasks returns masks for the sessions of a store.
func NewMasks(store memory.Reader, r *telemetry.Redactor) *Masks {
	return NewMaskCache(store, nil).Masks(r)
}

// Of returns the mask of a session.
func (s *Masks) Of(ctx context.Context, key memory.Key) (*Mask, error) {
	switch {
	case s.Reveal():
		return Reveal(), nil
	case s == nil || s.kept == nil:
		return nil, nil
	}
	if m := s.made[key]; m != nil {
		return m, nil
	}
	b, err := s.kept.look(ctx, key, s.redactor)
	if err != nil {
		return nil, err
	}
	m := b.mask()
	s.made[key] = m
	return m, nil
}

// Recalled masks copies of recalled messages, each with the mask of its own session. It drops
// messages of a session that cannot be read, because its values to hide are unknown.
func (s *Masks) Recalled(ctx context.Context, found []memory.Recalled) ([]memory.Recalled, error) {
	if s.Reveal() {
		return found, nil
	}
	out := make([]memory.Recalled, 0, len(found))
	for _, r := range found {
		m, err := s.Of(ctx, r.Key)
		if errors.Is(err, memory.ErrCorrupt) {
			continue
		}
		if err != nil {
			return nil, err
		}
		r.Message, r.Before, r.After = m.Message(r.Message), m.Messages(r.Before), m.Messages(r.After)
		out = append(out, r)
	}
	return out, nil
}

// Context masks a copy of the context that a model would get.
func (s *Masks) Context(ctx context.Context, key memory.Key, c memory.Context) (memory.Context, error) {
	m, err := s.Of(ctx, key)
	if err != nil {
		return memory.Context{}, err
	}
	if c.Recalled, err = s.Recalled(ctx, c.Recalled); err != nil {
		return memory.Context{}, err
	}
	c.System, c.Kept, c.Recent = m.Messages(c.System), m.Messages(c.Kept), m.Messages(c.Recent)
	c.Facts, c.Narrative = m.Facts(c.Facts), m.Text(c.Narrative)
	return c, nil
}
