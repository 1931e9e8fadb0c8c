package hostile

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/slotway/slotway"
	"github.com/slotway/slotway/internal/test/canary"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/recall"

	"github.com/slotway/slotway/internal/test/runtimetest"
)

// recorder is a server of chat and embedding models that keeps the requests.
type recorder struct {
	mu   sync.Mutex // guards sent
	sent map[string][]string
}

func (m *recorder) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the client has gone
	}
	var req struct {
		Input    []string
		Messages []struct{ Content string }
	}
	_ = json.Unmarshal(body, &req) // what cannot be read is kept all the same
	kind, answer := "embed", `{"data":[`
	for i := range req.Input {
		answer += strings.TrimPrefix(fmt.Sprintf(`,{"index":%d,"embedding":[1,%d]}`, i, i), map[bool]string{true: ","}[i == 0])
	}
	answer += "]}"
	if len(req.Messages) > 0 {
		kind = "generate"
		for part, what := range map[string]string{"You read one message": "classify", "You summarise": "summary"} {
			if strings.Contains(req.Messages[0].Content, part) {
				kind = what
			}
		}
		answer = `{"choices":[{"message":{"role":"assistant","content":"Rest, <name:1>."}}]}`
	}
	m.mu.Lock()
	m.sent[kind] = append(m.sent[kind], string(body))
	m.mu.Unlock()
	fmt.Fprint(w, answer)
}

// TestModelsSeeNoCanary: no model server receives a value that a redacted param has, or had earlier
// in its session. The answer to the user has the value again.
func TestModelsSeeNoCanary(t *testing.T) {
	file := canaryAgent(t)
	model := &recorder{sent: map[string][]string{}}
	server := httptest.NewServer(model)
	defer server.Close()
	a := runtimetest.Open(t, runtimetest.Config{File: file, Set: []string{
		"memory.storage=inmem", "models.chat.model=small", "models.chat.base_url=" + server.URL + "/v1",
		"models.embed.provider=openai", "models.embed.model=small", "models.embed.base_url=" + server.URL + "/v1",
		"memory.summary.enabled=true", "memory.summary.trigger_message_count=8", "memory.summary.recent_message_count=2",
	}, Options: slotway.Options{NoHTTP: true, Tools: hostileTools()}})
	first, second := plantedValues[0], plantedValues[1]
	advice := ""
	for _, text := range []string{
		"open a case", first, plantedValues[3], plantedValues[4], plantedValues[5], plantedValues[6],
		"forget everything", "open a case", second, plantedValues[3], plantedValues[4], plantedValues[5], "a harmless note",
		"find " + plantedValues[2], "flumps quandered " + strings.ToUpper(first) + " zorbly", "flumps quandered " + second + " zorbly", "give me advice",
	} {
		advice = a.Say("", "s", text).Reply
	}
	if !strings.Contains(advice, "Rest,") || strings.Contains(advice, "<name") {
		t.Errorf("the advice is %q, want the name put back", advice)
	}
	tier, err := memory.TierOf[*recall.Tier](a.Tiers())
	if err != nil {
		t.Fatal(err)
	}
	a.AwaitJobs()
	for _, session := range []string{"s", ""} {
		q := recall.Query{Key: memory.Key{UserID: "local", AgentID: "canary", SessionID: session}, Text: "what about " + first}
		if _, err := tier.Search(t.Context(), q); err != nil {
			t.Error(err)
		}
	}
	var set canary.Set
	set.Add(plantedValues...)
	set.Add(plantedSecrets...)
	model.mu.Lock()
	defer model.mu.Unlock()
	for _, kind := range []string{"classify", "generate", "summary", "embed"} {
		if len(model.sent[kind]) == 0 {
			t.Errorf("no request to %s", kind)
		}
		for _, body := range model.sent[kind] {
			for _, hit := range set.Find([]byte(body)) {
				t.Errorf("%s is sent %q (%s): %s", kind, hit.Value, hit.Form, body[max(0, len(body)-300):])
			}
		}
	}
}
