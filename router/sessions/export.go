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

// errNotJSON reports stored data that should be JSON. The text never names the data.
var errNotJSON = errors.New("a stored value is not JSON")

// Export writes a session as JSON lines with redacted values masked. The header has another name
// than memory.Header, so that no import takes it for the session itself. prompt says whether to
// write the session's system prompt. Export returns memory.ErrNotFound if there is no such session.
// memory.ErrCorrupt: rows that say what to hide are damaged.
func Export(ctx context.Context, store ExportStore, key memory.Key, r *telemetry.Redactor, prompt bool, out io.Writer) error {
	for try := 1; ; try++ {
		snap, err := store.Load(ctx, key, memory.LoadOptions{Fresh: true})
		known, version := newCachedSecrets(key, r), int64(0)
		if err == nil {
			version = snap.State.Version
		}
		if version > 0 && r.HidesParams() {
			known, err = known.next(ctx, store, snap)
		}
		switch {
		case errors.Is(err, memory.ErrCorrupt):
			return fmt.Errorf("mask the export: rows that say what to hide are damaged; an export that reveals all can be made: %w", err)
		case err != nil:
			return fmt.Errorf("mask the export: %w", err)
		case version == 0:
			return memory.ErrNotFound
		}
		mask := known.mask()
		err = transfer.Pipe(nil, func(_ io.Reader, w io.Writer) error { return store.Export(ctx, key, w) }, func(lines io.Reader) error {
			return mask.lines(lines, version, prompt, out)
		})
		if try == maxTries || !errors.Is(err, errChanged) {
			return err
		}
	}
}

// ExportStore is the part of a backend that Export reads.
type ExportStore interface {
	memory.Reader
	memory.Transfer
}

// errChanged reports that a turn was committed during an export. The turn may have had more values
// to hide.
var errChanged = fmt.Errorf("export a session whose turns leave no gap: %w", memory.ErrConflict)

// lines masks an export. It fails if the session's version is not that of the values to hide.
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
			return errChanged
		}
		if about, ok := line["about"].(map[string]any); ok && !prompt {
			delete(about, "system_prompt")
		}
		if err := enc.Encode(m.line(line)); err != nil {
			return fmt.Errorf("write the export: %w", err)
		}
	}
}

// line masks one line of an export. In the header, only the title and the tags can contain values.
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

// tree masks a line: params by name, arguments by their sources, and everything else by content.
// tool is that of the call or journal row around v.
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

// text masks a text, or the JSON in it: results of tools are stored as text.
func (m *Mask) text(s string) string {
	if raw := []byte(s); len(raw) > 0 && (raw[0] == '{' || raw[0] == '[') && json.Valid(raw) {
		return string(m.JSON(raw))
	}
	return m.Text(s)
}

// named masks the values under params and args by name.
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
