package encrypted

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/slotway/slotway/memory"
)

// Seals of the first form were bound to a session and a field, not to a row as it stood: a
// state that had been, or a value that was not sealed at all, passed. They can still be opened,
// where the store is one that had them before; what opens so is sealed anew with its next turn.
//
// older opens what is stored in that form.
type legacy struct {
	box
	plain bool                      // also what is not sealed
	again func(*memory.State) error // is given each state; see Options
}

// text opens one value; "" was never sealed.
func (o legacy) text(text, place string) (string, error) {
	if !isSeal(text) {
		return strings.TrimPrefix(text, escapePrefix), o.unencrypted(text != "", place)
	}
	id, coded, ok := strings.Cut(strings.TrimPrefix(text, mark), ":")
	data, err := base64.RawStdEncoding.DecodeString(coded)
	if !ok || err != nil {
		return "", tampered(place)
	}
	aead, err := o.keys.of(id, o.user)
	if err != nil {
		return "", err
	}
	plain, err := aead.Open(nil, nil, data, []byte(o.at+place))
	if err != nil {
		return "", tampered(place)
	}
	return string(plain), nil
}

// bare is what becomes of a value that is not sealed.
func (o legacy) unencrypted(there bool, place string) error {
	if there && !o.plain {
		return fmt.Errorf("%w (%s)", ErrUnencrypted, kindOfAAD(place))
	}
	return nil
}

func (o legacy) json(text json.RawMessage, place string) (json.RawMessage, error) {
	var held string
	if len(text) == 0 || text[0] != '"' || json.Unmarshal(text, &held) != nil || !isSeal(held) {
		return text, o.unencrypted(len(text) > 0, place)
	}
	plain, err := o.text(held, place)
	return json.RawMessage(plain), err
}

// object opens a sealed map or list into out, and reports whether there was one.
func (o legacy) object(held, place string, out any) error {
	plain, err := o.text(held, place)
	if err != nil {
		return err
	}
	if err := json.Unmarshal([]byte(plain), out); err != nil {
		return fmt.Errorf("%w: %s is not JSON", memory.ErrCorrupt, kindOfAAD(place))
	}
	return nil
}

func (o legacy) message(m *memory.Message) (err error) {
	at := fmt.Sprint(" ", m.Seq)
	if m.Text, err = o.text(m.Text, "message"+at); err != nil {
		return err
	}
	if held, ok := m.Metadata[encryptedName]; ok && len(m.Metadata) == 1 {
		m.Metadata = nil
		err = o.object(held, "metadata"+at, &m.Metadata)
	} else {
		err = o.unencrypted(len(m.Metadata) > 0, "metadata")
	}
	if err != nil {
		return err
	}
	if len(m.ToolCalls) != 1 || m.ToolCalls[0].Tool != encryptedName {
		return o.unencrypted(len(m.ToolCalls) > 0, "calls")
	}
	text, err := o.json(m.ToolCalls[0].Args, "calls"+at)
	if err != nil {
		return err
	}
	m.ToolCalls = nil
	if err := json.Unmarshal(text, &m.ToolCalls); err != nil {
		return fmt.Errorf("%w: tool calls are not JSON", memory.ErrCorrupt)
	}
	return nil
}

func (o legacy) state(s *memory.State) (err error) {
	if held, ok := s.Params[encryptedName].(string); ok && len(s.Params) == 1 {
		s.Params = nil
		err = o.object(held, "params", &s.Params)
	} else {
		err = o.unencrypted(len(s.Params) > 0, "params")
	}
	if err != nil {
		return err
	}
	if s.LastResult, err = o.json(s.LastResult, "last_result"); err != nil {
		return err
	}
	if s.PlanExecution, err = o.json(s.PlanExecution, "plan_execution"); err != nil || o.again == nil {
		return err
	}
	return o.again(s)
}

func (o legacy) turn(t *memory.Turn) (err error) {
	t.Response, err = o.json(t.Response, fmt.Sprint("response ", t.Number))
	return err
}

func (o legacy) args(s *memory.Step) (err error) {
	s.Args, err = o.json(s.Args, "args "+s.IdempotencyKey)
	return err
}

func (o legacy) result(s *memory.Step) (err error) {
	s.Result, err = o.json(s.Result, "result "+s.IdempotencyKey)
	return err
}
