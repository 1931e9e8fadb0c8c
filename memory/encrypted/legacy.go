package encrypted

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/slotway/slotway/memory"
)

// Values in the legacy form were bound to a session and a field, not to the content of their row: an
// earlier state, or an unencrypted value, passed. They can still be read in a store that had them
// before, and the next turn encrypts them anew.
//
// legacy decrypts what is stored in that form.
type legacy struct {
	box
	plain bool                      // also what is not sealed
	again func(*memory.State) error // is given each state; see Options
}

// text decrypts one value; "" was never encrypted.
func (o legacy) text(text, aad string) (string, error) {
	if !isSeal(text) {
		return strings.TrimPrefix(text, escapePrefix), o.unencrypted(text != "", aad)
	}
	id, coded, ok := strings.Cut(strings.TrimPrefix(text, mark), ":")
	data, err := base64.RawStdEncoding.DecodeString(coded)
	if !ok || err != nil {
		return "", tampered(aad)
	}
	aead, err := o.keys.of(id, o.user)
	if err != nil {
		return "", err
	}
	plain, err := aead.Open(nil, nil, data, []byte(o.at+aad))
	if err != nil {
		return "", tampered(aad)
	}
	return string(plain), nil
}

// unencrypted returns the error of a value that is not encrypted, unless such values are read.
func (o legacy) unencrypted(there bool, aad string) error {
	if there && !o.plain {
		return fmt.Errorf("%w (%s)", ErrUnencrypted, kindOfAAD(aad))
	}
	return nil
}

func (o legacy) json(text json.RawMessage, aad string) (json.RawMessage, error) {
	var held string
	if len(text) == 0 || text[0] != '"' || json.Unmarshal(text, &held) != nil || !isSeal(held) {
		return text, o.unencrypted(len(text) > 0, aad)
	}
	plain, err := o.text(held, aad)
	return json.RawMessage(plain), err
}

// object decrypts a map or list into out.
func (o legacy) object(held, aad string, out any) error {
	plain, err := o.text(held, aad)
	if err != nil {
		return err
	}
	if err := json.Unmarshal([]byte(plain), out); err != nil {
		return fmt.Errorf("%w: %s is not JSON", memory.ErrCorrupt, kindOfAAD(aad))
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
