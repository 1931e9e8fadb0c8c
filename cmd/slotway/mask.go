package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/router/telemetry"
)

// exportMasked writes an export in which the values of redaction.params are masked
// wherever they occur. Its header has another name, so that no import takes it for the
// session itself.
func exportMasked(ctx context.Context, store memory.Store, key memory.Key, mask *telemetry.Redactor, out io.Writer) error {
	var plain bytes.Buffer
	if err := store.Export(ctx, key, &plain); err != nil {
		return err
	}
	secrets, err := secretsOf(plain.Bytes())
	if err != nil {
		return err
	}
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	return eachLine(plain.Bytes(), func(line map[string]any) error {
		if form, ok := line["slotway_session"]; ok {
			delete(line, "slotway_session")
			line["slotway_session_masked"] = form
			return enc.Encode(line)
		}
		return enc.Encode(maskValue(mask, secrets, "", line))
	})
}

// secretsOf collects every value that a param ever had in the session: in the state, and
// in the replies and arguments that are kept.
func secretsOf(export []byte) (map[string]any, error) {
	found := map[string]any{}
	var visit func(any)
	visit = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			for _, name := range []string{"params", "args"} {
				if inner, ok := v[name].(map[string]any); ok {
					for param, value := range inner {
						list, _ := found[param].([]any)
						found[param] = append(list, value)
					}
				}
			}
			for _, e := range v {
				visit(e)
			}
		case []any:
			for _, e := range v {
				visit(e)
			}
		}
	}
	err := eachLine(export, func(line map[string]any) error { visit(line); return nil })
	return found, err
}

// maskValue masks texts; a param by name whatever its type, everything else by content.
func maskValue(mask *telemetry.Redactor, secrets map[string]any, name string, v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, e := range v {
			if k == "params" || k == "args" {
				if params, ok := e.(map[string]any); ok {
					e = mask.MaskParams(params)
				}
			}
			out[k] = maskValue(mask, secrets, k, e)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = maskValue(mask, secrets, name, e)
		}
		return out
	case string:
		return mask.MaskText(v, secrets)
	default:
		return v
	}
}

func eachLine(lines []byte, do func(map[string]any) error) error {
	scan := bufio.NewScanner(bytes.NewReader(lines))
	scan.Buffer(make([]byte, 0, 64<<10), len(lines)+1)
	for scan.Scan() {
		var line map[string]any
		if err := json.Unmarshal(scan.Bytes(), &line); err != nil {
			return fmt.Errorf("mask the export: a line is not JSON")
		}
		if err := do(line); err != nil {
			return fmt.Errorf("write the export: %w", err)
		}
	}
	return scan.Err()
}
