package sessions

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/router/telemetry"
)

// errNotJSON: something stored that should be JSON is not. Its text never names the value.
var errNotJSON = errors.New("a stored value is not JSON")

// Export writes a session as JSON lines with what is redacted masked wherever it stands.
// The header has another name than that of memory.Archive, so that no import takes it for
// the session itself. memory.ErrNotFound: there is no such session.
func Export(ctx context.Context, store memory.Store, key memory.Key, r *telemetry.Redactor, out io.Writer) error {
	var plain bytes.Buffer
	if err := store.Export(ctx, key, &plain); err != nil {
		return err
	}
	s, err := secretsOf(plain.Bytes(), r)
	if err != nil {
		return err
	}
	mask := &Mask{redactor: r, known: r.Knowing(s.values)}
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	return eachLine(plain.Bytes(), func(line map[string]any) error {
		if err := enc.Encode(mask.line(line)); err != nil {
			return fmt.Errorf("write the export: %w", err)
		}
		return nil
	})
}

// storedLine is what a line of an export may hold of redacted values.
type storedLine struct {
	State   *memory.State
	Turn    *memory.Turn
	Message *memory.Message
	Step    *memory.Step
}

// secretsOf finds the redacted values of a session in its export, a line at a time: what is
// decoded of a long one would take several times its size. State and turns, which name their
// params, come first.
func secretsOf(export []byte, r *telemetry.Redactor) (*secrets, error) {
	s := newSecrets(r)
	for _, kinds := range [...][]string{{`{"state":`, `{"turn":`}, {`{"message":`, `{"step":`}} {
		for line := range bytes.Lines(export) {
			if !bytes.HasPrefix(line, []byte(kinds[0])) && !bytes.HasPrefix(line, []byte(kinds[1])) {
				continue
			}
			var l storedLine
			if json.Unmarshal(line, &l) != nil {
				return nil, fmt.Errorf("mask the export: %w", errNotJSON)
			}
			s.line(&l)
		}
	}
	return s, nil
}

// line masks one line of an export. The header has only a title and tags to hide.
func (m *Mask) line(line map[string]any) map[string]any {
	if form, ok := line["slotway_session"]; ok {
		delete(line, "slotway_session")
		line["slotway_session_masked"] = form
		if about, ok := line["about"]; ok {
			line["about"] = m.Value(about)
		}
		return line
	}
	if _, ok := line["end"]; ok {
		return line
	}
	return m.tree("", line).(map[string]any)
}

// tree masks whatever a line holds: params by name, arguments by where they come from,
// everything else by content. tool is that of the call or journal row around v.
func (m *Mask) tree(tool string, v any) any {
	switch v := v.(type) {
	case map[string]any:
		if name, ok := v["tool"].(string); ok {
			tool = name
		}
		out := make(map[string]any, len(v))
		for k, e := range v {
			out[m.Text(k)] = m.tree(tool, m.named(tool, k, e))
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = m.tree(tool, e)
		}
		return out
	case string:
		return m.text(v)
	}
	return m.Value(v)
}

// text masks a text, or the JSON that it is: what a tool said is kept as text.
func (m *Mask) text(s string) string {
	if raw := []byte(s); len(raw) > 0 && (raw[0] == '{' || raw[0] == '[') && json.Valid(raw) {
		return string(m.JSON(raw))
	}
	return m.Text(s)
}

// named masks by name what stands under params and args.
func (m *Mask) named(tool, name string, v any) any {
	inner, ok := v.(map[string]any)
	switch {
	case ok && name == "params":
		return m.Params(inner)
	case ok && name == "args":
		for arg, value := range inner {
			if param := m.redactor.ArgParam(tool, arg); param != "" && value != nil {
				inner[arg] = m.redactor.Mask(param)
			}
		}
	}
	return v
}

func eachLine(lines []byte, do func(map[string]any) error) error {
	for text := range bytes.Lines(lines) {
		v, err := decode(text)
		line, ok := v.(map[string]any)
		if err != nil || !ok {
			return fmt.Errorf("mask the export: %w", errNotJSON)
		}
		if err := do(line); err != nil {
			return err
		}
	}
	return nil
}
