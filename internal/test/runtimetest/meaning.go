package runtimetest

import (
	"encoding/json"
	"hash/fnv"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
)

// synonyms are groups of words that mean about the same to a [MeaningServer]. The embedded model
// knows none of them.
var synonyms = [][]string{{"zorbly", "quanderling"}, {"flumpish", "wexited"}, {"brindlow", "marvock"}}

// MeaningServer is an OpenAI-compatible server of an embedding model, a chat model and a reranking
// model. Vectors of synonyms are similar. The server can go down and come back.
type MeaningServer struct {
	URL string

	Mu       sync.Mutex // guards the fields below
	down     bool
	Refusal  int                 // a status that every answer has; 0: none
	Embedded []string            // texts
	Told     []string            // requests for a generated reply
	Judged   [][]string          // texts of each rerank
	Judge    func(string) string // the score of a text; nil: "1"
	size     int                 // length of vectors
}

// NewMeaningServer starts a server, which ends with the test.
func NewMeaningServer(t *testing.T) *MeaningServer {
	t.Helper()
	m := &MeaningServer{size: 64}
	server := httptest.NewServer(m)
	t.Cleanup(server.Close)
	m.URL = server.URL + "/v1"
	return m
}

// SetDown makes the server answer 502, or answer again.
func (m *MeaningServer) SetDown(down bool) {
	m.Mu.Lock()
	defer m.Mu.Unlock()
	m.down = down
}

var textNumber = regexp.MustCompile(`(?m)^Text \d+:$`)

// ServeHTTP implements http.Handler.
func (m *MeaningServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	m.Mu.Lock()
	defer m.Mu.Unlock()
	var req struct {
		Input    []string
		Messages []struct{ Role, Content string }
	}
	switch {
	case m.down:
		w.WriteHeader(http.StatusBadGateway)
	case m.Refusal != 0:
		w.WriteHeader(m.Refusal)
	case !strings.HasPrefix(r.URL.Path, "/v1/"):
		w.WriteHeader(http.StatusNotFound)
	case err != nil || json.Unmarshal(body, &req) != nil:
		w.WriteHeader(http.StatusBadRequest)
	case len(req.Input) > 0:
		var data []any
		for i, text := range req.Input {
			m.Embedded = append(m.Embedded, text)
			data = append(data, map[string]any{"index": i, "embedding": m.vector(text)})
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"data": data})
	case len(req.Messages) > 0:
		answer := "Noted."
		if strings.Contains(req.Messages[0].Content, "Rate from 0 to 10") {
			answer = m.rate(req.Messages[1].Content)
		} else {
			m.Told = append(m.Told, string(body))
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"choices": []any{map[string]any{"message": map[string]string{"role": "assistant", "content": answer}}}})
	}
}

// vector is near to that of a text with a word of the same kind, and to no other.
func (m *MeaningServer) vector(text string) []float32 {
	v := make([]float32, m.size)
	for word := range strings.FieldsSeq(strings.ToLower(text)) {
		word = strings.Trim(word, ".,?!:|")
		weight := float32(.2)
		for _, group := range synonyms {
			if slices.Contains(group, word) {
				word, weight = group[0], 10
			}
		}
		h := fnv.New32a()
		_, _ = h.Write([]byte(word))
		v[int(h.Sum32())%m.size] += weight
	}
	return v
}

func (m *MeaningServer) rate(prompt string) string {
	texts := textNumber.Split(prompt, -1)[1:]
	var scores []string
	for i := range texts {
		texts[i] = strings.TrimSpace(texts[i])
		if m.Judge == nil {
			scores = append(scores, "1")
		} else {
			scores = append(scores, m.Judge(texts[i]))
		}
	}
	m.Judged = append(m.Judged, texts)
	return `{"scores":[` + strings.Join(scores, ",") + `]}`
}

// Last returns the last request for a generated reply, or "".
func (m *MeaningServer) Last() string {
	m.Mu.Lock()
	defer m.Mu.Unlock()
	if len(m.Told) == 0 {
		return ""
	}
	return m.Told[len(m.Told)-1]
}
