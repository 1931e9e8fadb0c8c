package record

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/slotway/slotway/memory"
)

// JSON encodes a value. < and & stay as they are: raw JSON inside comes back as it was given.
func JSON(v any) (string, error) {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return "", err
	}
	return strings.TrimSuffix(b.String(), "\n"), nil
}

// Params encodes a state's params. memory.ErrBadDelta: JSON cannot express them.
func Params(params map[string]any) (string, error) {
	text, err := JSON(params)
	if err != nil {
		return "", fmt.Errorf("%w: params cannot be written as JSON", memory.ErrBadDelta)
	}
	return text, nil
}

// Extras holds the rare fields of a message, each as JSON or "".
type Extras struct{ Calls, Metadata string }

// Encode brings the times of a delta to the precision of stores, and encodes its params and the
// extras of its messages.
func Encode(d *memory.Delta) (params string, extras []Extras, err error) {
	d.At = memory.Moment(d.At)
	if d.Turn != nil {
		d.Turn.At = memory.Moment(d.Turn.At)
	}
	if !validOrNone(d.State.LastResult) || !validOrNone(d.State.PlanExecution) {
		return "", nil, fmt.Errorf("%w: a part of the state is not JSON", memory.ErrBadDelta)
	}
	if params, err = Params(d.State.Params); err != nil {
		return "", nil, err
	}
	extras = make([]Extras, len(d.Messages))
	for i := range d.Messages {
		m := &d.Messages[i]
		m.Timestamp = memory.Moment(m.Timestamp)
		if extras[i], err = ExtrasOf(m); err != nil {
			return "", nil, err
		}
	}
	return params, extras, nil
}

func validOrNone(part json.RawMessage) bool { return len(part) == 0 || json.Valid(part) }

// ExtrasOf encodes a message's tool calls and metadata. memory.ErrBadDelta: arguments of a
// call are not JSON.
func ExtrasOf(m *memory.Message) (x Extras, err error) {
	if len(m.ToolCalls) > 0 {
		if x.Calls, err = JSON(m.ToolCalls); err != nil {
			return x, fmt.Errorf("%w: tool calls of message %d are not JSON", memory.ErrBadDelta, m.Seq)
		}
	}
	if len(m.Metadata) > 0 {
		if x.Metadata, err = JSON(m.Metadata); err != nil { // unreachable: a map of strings always encodes
			return x, err
		}
	}
	return x, nil
}

// Apply decodes what ExtrasOf has encoded into a message and reports whether it was JSON.
func (x Extras) Apply(m *memory.Message) bool {
	return (x.Calls == "" || json.Unmarshal([]byte(x.Calls), &m.ToolCalls) == nil) &&
		(x.Metadata == "" || json.Unmarshal([]byte(x.Metadata), &m.Metadata) == nil)
}
