package telemetry

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// outlineKeys are the keys of a stage's payload that [Outline] keeps, in its order. A dot leads
// into an object. Figures (confidences, spans, counts, lengths) are left out: they change with the
// examples of any intent.
var outlineKeys = map[Stage][]string{
	StageReceived: {"waiting_for_param", "memory.params_keys", "replayed"},
	StageClassify: {"intent", "lead", "params.param"},
	StagePlan:     {"step", "intent"},
	StageAskUser:  {"kind", "param", "waiting_for_param"},
	StageConfirm:  {"tool"},
	StageToolCall: {"tool", "status", "error_code"},
	StageRespond:  {"outcome", "waiting_for_param", "memory.params_keys", "response", "handoff"},
	StageError:    {"code", "stage"},
	StageJob:      {"kind", "outcome"},
}

// Outline returns what a person compares of normalised telemetry lines (see [Normalise]): one line
// for each turn with its stages in order, and of each stage the names in outlineKeys. Empty values
// are left out.
func Outline(lines []byte) ([]byte, error) {
	var out bytes.Buffer
	turn := ""
	for text := range bytes.Lines(lines) {
		var l line
		if err := json.Unmarshal(text, &l); err != nil {
			return nil, fmt.Errorf("outline of a telemetry line: %w", err)
		}
		var payload map[string]any
		if err := json.Unmarshal(l.Payload, &payload); err != nil {
			return nil, fmt.Errorf("outline of a telemetry payload: %w", err)
		}
		if id := l.SessionID + " " + l.InteractionID; id != turn || out.Len() == 0 {
			if turn = id; out.Len() > 0 {
				out.WriteString("\n")
			}
			fmt.Fprintf(&out, "%s turn %d %s:", l.SessionID, l.Turn, l.InteractionID)
		} else {
			out.WriteString(";")
		}
		out.WriteString(" " + l.Stage)
		if l.Level != LevelInfo.String() {
			out.WriteString(" (" + l.Level + ")")
		}
		for _, key := range outlineKeys[Stage(l.Stage)] {
			if value := outlineValue(payload, key); value != "" {
				out.WriteString(" " + key[strings.LastIndexByte(key, '.')+1:] + "=" + value)
			}
		}
	}
	if out.Len() > 0 {
		out.WriteString("\n")
	}
	return out.Bytes(), nil
}

// outlineValue returns the value at a dotted key; "" for null, false and what is not there. The
// values of a list are joined by commas.
func outlineValue(v any, key string) string {
	switch v := v.(type) {
	case string:
		return v
	case bool:
		if v {
			return "true"
		}
	case map[string]any:
		name, rest, _ := strings.Cut(key, ".")
		return outlineValue(v[name], rest)
	case []any:
		parts := make([]string, len(v))
		for i, element := range v {
			parts[i] = outlineValue(element, key)
		}
		return strings.Join(parts, ",")
	}
	return ""
}
