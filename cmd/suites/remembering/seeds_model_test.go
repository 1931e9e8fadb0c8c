package remembering

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"sync"
)

// mirror is an OpenAI-compatible server that knows only the request. It answers a question for the
// name with a name that it finds there, and any other message with each line that shares a long
// word with it.
type mirror struct {
	mu   sync.Mutex // guards what follows
	last []chatLine // the messages of the last request
	n    int        // requests
}

type chatLine struct{ Role, Content string }

var saidName = regexp.MustCompile(`(?i:my name is|\bname:) (\p{Lu}\pL+)`)

func (m *mirror) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var req struct{ Messages []chatLine }
	if err := json.NewDecoder(r.Body).Decode(&req); err != nil || len(req.Messages) < 2 || r.URL.Path != "/v1/chat/completions" {
		w.WriteHeader(http.StatusTeapot)
		return
	}
	m.mu.Lock()
	m.last = req.Messages
	m.n++
	m.mu.Unlock()
	answer := map[string]string{"role": "assistant", "content": reflect(req.Messages)}
	_ = json.NewEncoder(w).Encode(map[string]any{"choices": []any{map[string]any{"message": answer}}})
}

// reflect returns the answer to a request.
func reflect(messages []chatLine) string {
	past, now := messages[1:len(messages)-1], messages[len(messages)-1].Content // behind the instruction
	if strings.Contains(now, "my name?") {
		for _, m := range past {
			if found := saidName.FindStringSubmatch(m.Content); found != nil {
				return "You are " + found[1] + "."
			}
		}
		return "You have not told me."
	}
	var found []string
	for _, m := range past {
		for line := range strings.SplitSeq(m.Content, "\n") {
			for word := range strings.FieldsSeq(now) {
				if word = strings.Trim(word, "?.,"); len(word) > 8 && strings.Contains(line, word) {
					found = append(found, line)
					break
				}
			}
		}
	}
	if found == nil {
		return "I see."
	}
	return "I find: " + strings.Join(found, " / ")
}

// told returns the past in the last request, without the instruction and the newest message.
func (m *mirror) told() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	var b strings.Builder
	for _, line := range m.last[1 : len(m.last)-1] {
		fmt.Fprintf(&b, "%s: %s\n", line.Role, line.Content)
	}
	return b.String()
}

func (m *mirror) requests() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.n
}

// sent returns the last request without the step's instruction, the first message of this agent's.
func (m *mirror) sent() []chatLine {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.last[1:]
}
