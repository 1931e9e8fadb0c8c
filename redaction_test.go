package slotway

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/settings"
	"github.com/slotway/slotway/memory/inmem"
)

// A model rates the texts; it sees names in the place of ids, and an answer of another
// length is no rating.
func TestReranker(t *testing.T) {
	agent, err := config.Default()
	if err != nil {
		t.Fatal(err)
	}
	scores := "[1, 9]"
	var sent string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		sent = string(body)
		content, err := json.Marshal(`{"scores":` + scores + `}`)
		if err != nil {
			t.Error(err)
		}
		fmt.Fprintf(w, `{"choices":[{"message":{"role":"assistant","content":%s}}]}`, content)
	}))
	defer server.Close()
	conf := settings.Default()
	conf.Models.Chat = settings.Chat{BaseURL: server.URL, Model: "small"}
	conf.Memory.KnowledgeBase.RerankProvider, conf.Memory.KnowledgeBase.RerankModel = "chat", "large"
	a, err := newRuntime(agent, &Options{Settings: conf, Store: inmem.New(nil)})
	if err != nil {
		t.Fatal(err)
	}
	hide, err := a.past.RedactTexts(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	r, err := a.past.Models.Reranker()
	if err != nil {
		t.Fatal(err)
	}
	got, err := r.Rerank(t.Context(), hide("where is O-12345"), []string{"a parcel", hide("order O-12345 is late")})
	if diff := cmp.Diff([]float64{1, 9}, got); diff != "" || err != nil {
		t.Errorf("Rerank: %v, (-want +got):\n%s", err, diff)
	}
	if strings.Contains(sent, "O-12345") || !strings.Contains(sent, "order_id:1") || !strings.Contains(sent, `"large"`) {
		t.Errorf("sent: %s", sent)
	}
	scores = "[1]"
	if _, err := r.Rerank(t.Context(), "where is it", []string{"a", "b"}); err == nil {
		t.Error("one score for two texts is taken")
	}
}

// An embedding server sees names in the place of what a pattern tells to be redacted.
func TestEmbedderSeesNoRedactedValue(t *testing.T) {
	var sent []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var req struct{ Input []string }
		if err := json.NewDecoder(r.Body).Decode(&req); err != nil {
			t.Error(err)
		}
		var data []string
		for i, text := range req.Input {
			sent = append(sent, text)
			data = append(data, fmt.Sprintf(`{"index":%d,"embedding":[1,2]}`, i))
		}
		fmt.Fprintf(w, `{"data":[%s]}`, strings.Join(data, ","))
	}))
	defer server.Close()
	agent, err := config.Default()
	if err != nil {
		t.Fatal(err)
	}
	conf := settings.Default()
	conf.Models.Embed = settings.Embed{Provider: "openai", Model: "small", BaseURL: server.URL + "/v1"}
	a, err := newRuntime(agent, &Options{Settings: conf, Store: inmem.New(nil)})
	if err != nil {
		t.Fatal(err)
	}
	list, err := a.past.Models.Embedders(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if list[0].Dimension() != 2 || list[0].Model() != "openai/small" {
		t.Errorf("%s of %d dimensions", list[0].Model(), list[0].Dimension())
	}
	hide, err := a.past.RedactTexts(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := list[0].Embed(t.Context(), []string{hide("where is O-12345"), hide("and O-20112?")}); err != nil {
		t.Fatal(err)
	}
	all := strings.Join(sent, "\n")
	if strings.Contains(all, "O-12345") || strings.Contains(all, "O-20112") || strings.Count(all, "<order_id:1>") != 2 {
		t.Errorf("sent: %q", sent)
	}
}
