package openai

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"

	"github.com/slotway/slotway/router/httpapi"
)

// completion is the answer of POST /v1/chat/completions, or a chunk of it
// (platform.openai.com/docs/api-reference/chat).
type completion struct {
	ID      string         `json:"id"`
	Object  string         `json:"object"`
	Created int64          `json:"created"` // Unix seconds
	Model   string         `json:"model"`
	Choices []any          `json:"choices"` // choice or chunk
	Usage   any            `json:"usage,omitempty"`
	Slotway *slotwayFields `json:"slotway,omitempty"`
}

// choice is the only answer.
type choice struct {
	Index        int             `json:"index"`
	Message      responseMessage `json:"message"`
	Logprobs     any             `json:"logprobs"` // null
	FinishReason *string         `json:"finish_reason"`
}

// responseMessage is a message.
type responseMessage struct {
	Role    string `json:"role"`
	Content string `json:"content"`
	Refusal any    `json:"refusal"` // null: what an agent declines, it says
}

// chunk is a piece of the answer.
type chunk struct {
	Index        int     `json:"index"`
	Delta        delta   `json:"delta"`
	Logprobs     any     `json:"logprobs"`
	FinishReason *string `json:"finish_reason"`
}

type delta struct {
	Role    string  `json:"role,omitempty"`
	Content *string `json:"content,omitempty"`
}

// completionUsage is an estimate: no language model answered.
type completionUsage struct {
	Prompt     int `json:"prompt_tokens"`
	Completion int `json:"completion_tokens"`
	Total      int `json:"total_tokens"`
}

// completions answers POST /v1/chat/completions.
func (s *server) completions(w http.ResponseWriter, r *http.Request) error {
	q, err := s.readRequest(w, r, completionFields)
	if err != nil {
		return err
	}
	if q.history, err = takeHistory(q.messages, "messages"); err != nil {
		return err
	}
	a, err := s.turn(w, r, q)
	if err != nil {
		return err
	}
	if q.stream {
		a.streamCompletion(q.usage).send(w)
		return nil
	}
	stop, more := "stop", a.slotway()
	out := a.completion("chat.completion")
	out.Choices = []any{choice{Message: responseMessage{Role: assistant, Content: a.shown()}, FinishReason: &stop}}
	out.Usage, out.Slotway = a.completionUsage(), &more
	httpapi.WriteJSON(w, http.StatusOK, "application/json", out)
	return nil
}

func (a *answer) completion(object string) completion {
	return completion{ID: a.ref().id(completionPrefix), Object: object, Created: a.at.Unix(), Model: a.model, Choices: []any{}}
}

func (a *answer) completionUsage() completionUsage {
	in, out := a.tokens()
	return completionUsage{in, out, in + out}
}

// streamCompletion returns the answer in chunks: the role, the text, the finish reason, and the usage
// if it was asked for.
func (a *answer) streamCompletion(usage bool) *stream {
	out, stop, more := &stream{}, "stop", a.slotway()
	frame := a.completion("chat.completion.chunk")
	if usage {
		frame.Usage = json.RawMessage("null") // of every chunk but the last
	}
	piece := func(c chunk) {
		frame.Choices = []any{c}
		out.event("", frame)
	}
	empty := ""
	piece(chunk{Delta: delta{Role: assistant, Content: &empty}})
	for _, text := range chunks(a.shown()) {
		piece(chunk{Delta: delta{Content: &text}})
	}
	frame.Slotway = &more
	piece(chunk{FinishReason: &stop})
	if usage {
		frame.Slotway, frame.Choices, frame.Usage = nil, []any{}, a.completionUsage()
		out.event("", frame)
	}
	out.b.WriteString("data: [DONE]\n\n")
	return out
}

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
