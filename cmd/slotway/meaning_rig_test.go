package main

import (
	"context"
	"encoding/json"
	"hash/fnv"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/slotway/slotway"
	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/router"
)

// kinds are groups of words that mean about the same to a thinker. The embedded model knows
// none of them.
var kinds = [][]string{{"zorbly", "quanderling"}, {"flumpish", "wexited"}, {"brindlow", "marvock"}}

// thinker is a server of an embedding and a chat model. It goes down and comes back.
type thinker struct {
	url string

	mu       sync.Mutex // guards what follows
	down     bool
	refusal  int                 // the status that is answered; 0: none
	embedded []string            // texts
	told     []string            // what generating was asked with, whole
	judged   [][]string          // texts of each rerank
	judge    func(string) string // the score of a text; nil: "1"
	size     int                 // length of vectors
}

func newThinker(t *testing.T) *thinker {
	t.Helper()
	m := &thinker{size: 64}
	server := httptest.NewServer(m)
	t.Cleanup(server.Close)
	m.url = server.URL + "/v1"
	return m
}

func (m *thinker) set(down bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.down = down
}

var textNumber = regexp.MustCompile(`(?m)^Text \d+:$`)

func (m *thinker) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	m.mu.Lock()
	defer m.mu.Unlock()
	var req struct {
		Input    []string
		Messages []struct{ Role, Content string }
	}
	switch {
	case m.down:
		w.WriteHeader(http.StatusBadGateway)
	case m.refusal != 0:
		w.WriteHeader(m.refusal)
	case !strings.HasPrefix(r.URL.Path, "/v1/"):
		w.WriteHeader(http.StatusNotFound)
	case err != nil || json.Unmarshal(body, &req) != nil:
		w.WriteHeader(http.StatusBadRequest)
	case len(req.Input) > 0:
		var data []any
		for i, text := range req.Input {
			m.embedded = append(m.embedded, text)
			data = append(data, map[string]any{"index": i, "embedding": m.vector(text)})
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"data": data})
	case len(req.Messages) > 0:
		answer := "Noted."
		if strings.Contains(req.Messages[0].Content, "Rate from 0 to 10") {
			answer = m.rate(req.Messages[1].Content)
		} else {
			m.told = append(m.told, string(body))
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"choices": []any{map[string]any{"message": map[string]string{"role": "assistant", "content": answer}}}})
	}
}

// vector is near to that of a text with a word of the same kind, and to no other.
func (m *thinker) vector(text string) []float32 {
	v := make([]float32, m.size)
	for word := range strings.FieldsSeq(strings.ToLower(text)) {
		word = strings.Trim(word, ".,?!:|")
		weight := float32(.2)
		for _, kind := range kinds {
			if slices.Contains(kind, word) {
				word, weight = kind[0], 10
			}
		}
		h := fnv.New32a()
		_, _ = h.Write([]byte(word))
		v[int(h.Sum32())%m.size] += weight
	}
	return v
}

func (m *thinker) rate(prompt string) string {
	texts := textNumber.Split(prompt, -1)[1:]
	var scores []string
	for i := range texts {
		texts[i] = strings.TrimSpace(texts[i])
		if m.judge == nil {
			scores = append(scores, "1")
		} else {
			scores = append(scores, m.judge(texts[i]))
		}
	}
	m.judged = append(m.judged, texts)
	return `{"scores":[` + strings.Join(scores, ",") + `]}`
}

// last is what generating was asked with last.
func (m *thinker) last() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.told) == 0 {
		return ""
	}
	return m.told[len(m.told)-1]
}

// mind is the talk-only agent over a store of its own in dir, with the thinker behind it.
type mind struct {
	t   *testing.T
	app *slotway.Runtime
	api http.Handler
	log *strings.Builder // warnings, to be read once nobody writes any more
}

func (m *thinker) app(t *testing.T, dir string, set ...string) *mind {
	t.Helper()
	agent, err := config.Load("testdata/companion.yaml")
	if err != nil {
		t.Fatal(err)
	}
	set = append([]string{
		"memory.storage=sqlite", "memory.durability=relaxed", "memory.storage_path=" + filepath.Join(dir, "memory.db"), "models.chat.model=small", "models.chat.base_url=" + m.url,
		"models.embed.provider=openai", "models.embed.model=thinker", "models.embed.base_url=" + m.url,
		"memory.knowledge_base.enable_cross_session_context=true", "memory.knowledge_base.search_always=true", "telemetry.log=none",
	}, set...)
	d := &mind{t: t, log: &strings.Builder{}}
	d.app, err = newApp(t.Context(), &flags{data: dir, set: set}, slotway.Options{Agent: agent, Stderr: d.log, Probe: 5 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	s := newLocalService(d.app)
	d.api = s
	t.Cleanup(d.close)
	return d
}

func (d *mind) close() {
	d.t.Helper()
	if d.app == nil {
		return
	}
	if err := d.app.Close(); err != nil {
		d.t.Error(err)
	}
	d.app = nil
}

func (d *mind) say(user, session, text string) {
	d.t.Helper()
	if _, err := d.app.Router().Handle(d.t.Context(), router.Interaction{Text: text, Context: router.Context{UserID: user, SessionID: session}}); err != nil {
		d.t.Fatal(err)
	}
}

// archive makes documents of a session, and waits for what is left to do.
func (d *mind) archive(user, session string) {
	d.t.Helper()
	if _, err := archiveOf(d.app).Archive(d.t.Context(), memory.Key{UserID: user, AgentID: "companion", SessionID: session}); err != nil {
		d.t.Fatal(err)
	}
}

// until waits for something that the background brings about.
func (d *mind) until(what string, is func() bool) {
	d.t.Helper()
	ctx, cancel := context.WithTimeout(d.t.Context(), time.Minute)
	defer cancel()
	for !is() {
		select {
		case <-ctx.Done():
			_, body := d.ready()
			d.t.Fatalf("never: %s; /readyz says %s", what, body)
		case <-time.After(2 * time.Millisecond):
		}
	}
}

// ready is what /readyz says.
func (d *mind) ready() (status int, body string) {
	d.t.Helper()
	w := httptest.NewRecorder()
	d.api.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "http://127.0.0.1:8080/readyz", nil))
	return w.Code, w.Body.String()
}
