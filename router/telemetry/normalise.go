package telemetry

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
)

// line is the form of one JSON line; the order of the fields is that of Log.
type line struct {
	Level         string          `json:"level"`
	Time          string          `json:"time"`
	Stage         string          `json:"stage"`
	SessionID     string          `json:"session_id"`
	Turn          int64           `json:"turn"`
	InteractionID string          `json:"interaction_id"`
	DurationUS    int64           `json:"duration_us"`
	Payload       json.RawMessage `json:"payload"`
}

// Normalise removes from telemetry lines what differs between two runs of one conversation: sessions
// become S1, S2, ... and interactions I1, I2, ... in order of appearance, the times of an interaction
// become T0, T1, ..., and durations 0. Everything else and the order stay. Blank lines are dropped.
// Normalising twice changes nothing more. A line of another form is an error that gives its number.
func Normalise(lines []byte) ([]byte, error) {
	var out bytes.Buffer
	sessions, interactions, turns := ids{prefix: "S"}, ids{prefix: "I"}, ids{prefix: "T"}
	number := 0
	for text := range bytes.Lines(lines) {
		number++
		if len(bytes.TrimSpace(text)) == 0 {
			continue
		}
		var l line
		decoder := json.NewDecoder(bytes.NewReader(text))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(&l); err != nil {
			return nil, fmt.Errorf("telemetry line %d: %w", number, err)
		}
		if decoder.More() || l.Payload == nil {
			return nil, fmt.Errorf("telemetry line %d: not one event", number)
		}
		// Clocks may tick between the stages of a turn, so all of them get one time.
		l.Time = turns.of(l.SessionID+"\x00"+l.InteractionID, 0)
		l.SessionID = sessions.of(l.SessionID, 1)
		if l.InteractionID != "" {
			l.InteractionID = interactions.of(l.InteractionID, 1)
		}
		l.DurationUS = 0
		encoded, err := encode(l)
		if err != nil {
			return nil, fmt.Errorf("telemetry line %d: %w", number, err)
		}
		out.Write(encoded)
	}
	return out.Bytes(), nil
}

// encode writes one line with < and > unescaped: people read [redacted] and <param:1>.
func encode(l line) ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(l)
	return out.Bytes(), err
}

// ids numbers ids in order of appearance.
type ids struct {
	prefix string
	seen   map[string]string
}

// of returns the name of id; numbers begin with first.
func (n *ids) of(id string, first int) string {
	if known, ok := n.seen[id]; ok {
		return known
	}
	if n.seen == nil {
		n.seen = make(map[string]string)
	}
	named := n.prefix + strconv.Itoa(first+len(n.seen))
	n.seen[id] = named
	return named
}
