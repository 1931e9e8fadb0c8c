package sessions

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/transfer"
	"github.com/slotway/slotway/router/telemetry"
)

// errNotJSON: something stored that should be JSON is not. Its text never names the value.
var errNotJSON = errors.New("a stored value is not JSON")

// Export writes a session as JSON lines with what is redacted masked wherever it stands.
// The header has another name than that of memory.Header, so that no import takes it for
// the session itself. prompt says whether the session's system prompt is written.
// memory.ErrNotFound: there is no such session. It is read three times, and not held: first for
// what there is to hide.
func Export(ctx context.Context, store memory.Transfer, key memory.Key, r *telemetry.Redactor, prompt bool, out io.Writer) error {
	read := func(do func(io.Reader) error) error {
		return transfer.Pipe(nil, func(_ io.Reader, w io.Writer) error { return store.Export(ctx, key, w) }, do)
	}
	for try := 1; ; try++ {
		s := newSecrets(r)
		version, err := s.exported(read)
		if err == nil {
			mask := &Mask{redactor: r, known: r.Masker(s.values)}
			err = read(func(lines io.Reader) error { return mask.lines(lines, version, prompt, out) })
		}
		if try == maxTries || !errors.Is(err, errWentOn) {
			return err
		}
	}
}

// errWentOn: a turn was faster than an export, and may have had something more to hide.
var errWentOn = fmt.Errorf("export a session whose turns leave no gap: %w", memory.ErrConflict)

// exported finds the redacted values of a session in its export, and the version that they are
// of. State and turns, which name their params, come first.
func (s *secrets) exported(read func(func(io.Reader) error) error) (version int64, err error) {
	same := func(h *transfer.Header) error {
		if version != 0 && version != h.Counters.Version {
			return errWentOn
		}
		version = h.Counters.Version
		return nil
	}
	named := &transfer.Parts{
		Header: same,
		State:  func(state *memory.State) error { s.state(state); return nil },
		Turn:   func(t *memory.Turn) error { s.turn(t); return nil },
	}
	marks, left := 0, 0
	told := &transfer.Parts{
		Header: same,
		Message: func(m *memory.Message) error {
			if m.Damaged() {
				marks++
			}
			s.message(m)
			return nil
		},
		Missing: func(n int) { left = n },
		Step:    func(step *memory.Step) error { s.call(step.Tool, step.Args); return nil },
	}
	for _, parts := range []*transfer.Parts{named, told} {
		if err := read(func(r io.Reader) error { return transfer.Read(r, parts) }); err != nil {
			return 0, fmt.Errorf("mask the export: %w", err)
		}
	}
	if left > marks && s.redactor.HidesParams() {
		return 0, fmt.Errorf("mask the export: rows that say what to hide are damaged; an export that reveals all can be made: %w", memory.ErrCorrupt)
	}
	return version, nil
}

// lines masks an export, unless it is of another version than what there is to hide.
func (m *Mask) lines(export io.Reader, version int64, prompt bool, out io.Writer) error {
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	lines := bufio.NewReader(export)
	for {
		text, err := lines.ReadBytes('\n')
		if len(text) == 0 && errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("mask the export: %w", err)
		}
		v, err := decode(text)
		line, ok := v.(map[string]any)
		if err != nil || !ok {
			return fmt.Errorf("mask the export: %w", errNotJSON)
		}
		if head, ok := line["head"].(map[string]any); ok && fmt.Sprint(head["version"]) != strconv.FormatInt(version, 10) {
			return errWentOn
		}
		if about, ok := line["about"].(map[string]any); ok && !prompt {
			delete(about, "system_prompt")
		}
		if err := enc.Encode(m.line(line)); err != nil {
			return fmt.Errorf("write the export: %w", err)
		}
	}
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
