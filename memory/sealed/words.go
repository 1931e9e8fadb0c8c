package sealed

import (
	"encoding/json"
	"fmt"

	"github.com/slotway/slotway/memory"
)

func asAny(text string) any { return text }

func fromAny(v any) string {
	text, _ := v.(string)
	return text
}

func same(text string) string { return text }

// crypt is one direction: sealing or opening. The words below walk over what a store
// keeps and give each field its place.
type crypt struct {
	text   func(string, string) (string, error)
	json   func(json.RawMessage, string) (json.RawMessage, error)
	params func(map[string]any, string) (map[string]any, error)
	words  func(map[string]string, string) (map[string]string, error)
	calls  func([]memory.ToolCall, string) ([]memory.ToolCall, error)
}

func (b box) sealing() crypt {
	return crypt{
		b.seal, b.sealJSON,
		func(m map[string]any, at string) (map[string]any, error) { return sealMap(b, m, at, asAny) },
		func(m map[string]string, at string) (map[string]string, error) { return sealMap(b, m, at, same) },
		b.sealCalls,
	}
}

func (b box) opening() crypt {
	return crypt{
		b.open, b.openJSON,
		func(m map[string]any, at string) (map[string]any, error) { return openMap(b, m, at, fromAny) },
		func(m map[string]string, at string) (map[string]string, error) { return openMap(b, m, at, same) },
		b.openCalls,
	}
}

func (b box) sealCalls(calls []memory.ToolCall, place string) ([]memory.ToolCall, error) {
	if len(calls) == 0 {
		return calls, nil
	}
	text, err := json.Marshal(calls)
	if err != nil {
		return nil, fmt.Errorf("%w: tool calls are not JSON", memory.ErrBadDelta)
	}
	args, err := b.sealJSON(text, place)
	return []memory.ToolCall{{Tool: sealedName, Args: args}}, err
}

func (b box) openCalls(calls []memory.ToolCall, place string) ([]memory.ToolCall, error) {
	if len(calls) != 1 || calls[0].Tool != sealedName {
		return calls, nil
	}
	text, err := b.openJSON(calls[0].Args, place)
	if err != nil {
		return nil, err
	}
	var out []memory.ToolCall
	if err := json.Unmarshal(text, &out); err != nil {
		return nil, fmt.Errorf("%w: tool calls are not JSON", memory.ErrCorrupt)
	}
	return out, nil
}

func (c crypt) message(m *memory.Message) (err error) {
	at := fmt.Sprint(" ", m.Seq)
	if m.Text, err = c.text(m.Text, "message"+at); err != nil {
		return err
	}
	if m.Metadata, err = c.words(m.Metadata, "metadata"+at); err != nil {
		return err
	}
	m.ToolCalls, err = c.calls(m.ToolCalls, "calls"+at)
	return err
}

func (c crypt) messages(list []memory.Message) error {
	for i := range list {
		if err := c.message(&list[i]); err != nil {
			return err
		}
	}
	return nil
}

func (c crypt) state(s *memory.State) (err error) {
	if s.Params, err = c.params(s.Params, "params"); err != nil {
		return err
	}
	if s.LastResult, err = c.json(s.LastResult, "last_result"); err != nil {
		return err
	}
	s.PlanExecution, err = c.json(s.PlanExecution, "plan_execution")
	return err
}

func (c crypt) turn(t *memory.Turn) (err error) {
	if t.Response, err = c.json(t.Response, fmt.Sprint("response ", t.Number)); err != nil || t.Past == nil {
		return err
	}
	return c.state(&t.Past.State)
}

func (c crypt) step(s *memory.Step) (err error) {
	if s.Args, err = c.json(s.Args, "args "+s.IdempotencyKey); err != nil {
		return err
	}
	s.Result, err = c.json(s.Result, "result "+s.IdempotencyKey)
	return err
}

func (c crypt) steps(list []memory.Step) error {
	for i := range list {
		if err := c.step(&list[i]); err != nil {
			return err
		}
	}
	return nil
}

func (c crypt) archive(a *memory.Archive) error {
	if err := c.state(&a.State); err != nil {
		return err
	}
	if err := c.messages(a.Messages); err != nil {
		return err
	}
	for i := range a.Turns {
		if err := c.turn(&a.Turns[i]); err != nil {
			return err
		}
	}
	return c.steps(a.Steps)
}
