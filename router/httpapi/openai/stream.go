package openai

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
)

// pieceLength is the least length of a piece of a streamed text, in bytes.
const pieceLength = 8

// chunks cuts a text after blanks.
func chunks(text string) []string {
	var out []string
	from := 0
	for i, c := range []byte(text) {
		if c == ' ' && i+1-from >= pieceLength {
			out = append(out, text[from:i+1])
			from = i + 1
		}
	}
	if from < len(text) {
		out = append(out, text[from:])
	}
	return out
}

// stream collects server-sent events. The turn is durable before the first of them, so all are sent
// at once.
type stream struct{ b strings.Builder }

// event adds an event; name "" leaves the name out.
func (s *stream) event(name string, v any) {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err) // what a stored turn holds encodes
	}
	if name != "" {
		s.b.WriteString("event: " + name + "\n")
	}
	s.b.WriteString("data: ")
	s.b.Write(data)
	s.b.WriteString("\n\n")
}

// send writes the collected events. It ignores errors: the client is gone.
func (s *stream) send(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "text/event-stream")
	w.WriteHeader(http.StatusOK)
	_, _ = io.WriteString(w, s.b.String())
	_ = http.NewResponseController(w).Flush()
}
