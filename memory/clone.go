package memory

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// CloneParams returns a deep copy of params whose values are JSON-normal; whole numbers
// of Go's own types become float64, and text becomes valid UTF-8, as it would on its way
// through JSON. It never returns nil.
func CloneParams(params map[string]any) map[string]any {
	out := make(map[string]any, len(params))
	for k, v := range params {
		out[strings.ToValidUTF8(k, "\uFFFD")] = cloneValue(v)
	}
	return out
}

// cloneValue copies one value. A type that is not JSON-normal goes through JSON; one that
// JSON cannot express stays as it is, and Delta.Validate refuses it.
func cloneValue(v any) any {
	switch own := v; v := v.(type) {
	case nil, bool, float64:
		return v
	case string:
		if utf8.ValidString(v) {
			return own // another one would be allocated
		}
		return strings.ToValidUTF8(v, "\uFFFD")
	case map[string]any:
		return CloneParams(v)
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = cloneValue(e)
		}
		return out
	case int:
		return float64(v)
	case int64:
		return float64(v)
	}
	text, err := json.Marshal(v)
	if err != nil {
		return v
	}
	var out any
	if err := json.Unmarshal(text, &out); err != nil {
		return v
	}
	return out
}

// Clone returns a deep copy.
func (s State) Clone() State {
	s.Params = CloneParams(s.Params)
	s.LastResult = bytes.Clone(s.LastResult)
	s.PlanExecution = bytes.Clone(s.PlanExecution)
	return s
}

// Clone returns a deep copy.
func (m Message) Clone() Message {
	m.Metadata = maps.Clone(m.Metadata)
	m.ToolCalls = slices.Clone(m.ToolCalls)
	for i := range m.ToolCalls {
		m.ToolCalls[i].Args = bytes.Clone(m.ToolCalls[i].Args)
	}
	return m
}

// CloneMessages returns deep copies; nil for none.
func CloneMessages(list []Message) []Message {
	if len(list) == 0 {
		return nil
	}
	out := make([]Message, len(list))
	for i, m := range list {
		out[i] = m.Clone()
	}
	return out
}

// Clone returns a deep copy.
func (t Turn) Clone() Turn {
	t.Response = bytes.Clone(t.Response)
	if t.Snapshot != nil {
		t.Snapshot = &TurnSnapshot{t.Snapshot.Counters, t.Snapshot.State.Clone()}
	}
	return t
}

// Clone returns a deep copy.
func (s Step) Clone() Step {
	s.Args = bytes.Clone(s.Args)
	s.Result = bytes.Clone(s.Result)
	return s
}

func cloneSteps(list []Step) []Step {
	if len(list) == 0 {
		return nil
	}
	out := make([]Step, len(list))
	for i, s := range list {
		out[i] = s.Clone()
	}
	return out
}

// Moment rounds a time to what every store keeps: UTC, microseconds.
func Moment(t time.Time) time.Time { return t.UTC().Truncate(time.Microsecond) }

// Clone returns a deep copy.
func (d *Delta) Clone() *Delta {
	c := *d
	c.State = d.State.Clone()
	c.Messages = CloneMessages(d.Messages)
	c.Steps = cloneSteps(d.Steps)
	c.Jobs = slices.Clone(d.Jobs)
	if d.Undo != nil {
		u := *d.Undo
		c.Undo = &u
	}
	if d.Turn != nil {
		t := d.Turn.Clone()
		c.Turn = &t
	}
	return &c
}
