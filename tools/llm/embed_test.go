package llm_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/tools"
	"github.com/slotway/slotway/tools/llm"
)

// vectors answers each text with its length, in reverse order, as servers may.
func vectors(w http.ResponseWriter, r *http.Request) {
	var req struct {
		Input []string
		Model string
	}
	if err := json.NewDecoder(r.Body).Decode(&req); err != nil || r.URL.Path != "/v1/embeddings" || req.Model != "small" {
		http.Error(w, "bad request", http.StatusBadRequest)
		return
	}
	var data []string
	for i := len(req.Input) - 1; i >= 0; i-- {
		data = append(data, fmt.Sprintf(`{"index":%d,"embedding":[%d,1]}`, i, len(req.Input[i])))
	}
	fmt.Fprintf(w, `{"data":[%s]}`, strings.Join(data, ","))
}

func TestEmbed(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(vectors))
	defer server.Close()
	client, err := llm.New(llm.Options{BaseURL: server.URL + "/v1", Model: "small"})
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	var want [][]float32
	for i := range 150 { // more than a batch
		texts = append(texts, strings.Repeat("x", i+1))
		want = append(want, []float32{float32(i + 1), 1})
	}
	got, err := client.Embed(t.Context(), texts)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Embed (-want +got):\n%s", diff)
	}
	if got, err := client.Embed(t.Context(), nil); len(got) != 0 || err != nil {
		t.Errorf("Embed of nothing = %v, %v", got, err)
	}
}

func TestEmbedRefusesNonsense(t *testing.T) {
	for name, answer := range map[string]string{
		"too few":           `{"data":[{"index":0,"embedding":[1]}]}`,
		"too many":          `{"data":[{"index":0,"embedding":[1]},{"index":1,"embedding":[1]},{"index":2,"embedding":[1]}]}`,
		"twice the same":    `{"data":[{"index":0,"embedding":[1]},{"index":0,"embedding":[1]}]}`,
		"different lengths": `{"data":[{"index":0,"embedding":[1]},{"index":1,"embedding":[1,2]}]}`,
		"empty vector":      `{"data":[{"index":0,"embedding":[1]},{"index":1,"embedding":[]}]}`,
		"no JSON":           `<html>secret words</html>`,
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, answer) }))
		client, err := llm.New(llm.Options{BaseURL: server.URL, Model: "m", Timeout: time.Minute})
		if err != nil {
			t.Fatal(err)
		}
		_, err = client.Embed(t.Context(), []string{"secret words", "b"})
		if tools.CodeOf(err) != tools.BadResult || strings.Contains(fmt.Sprint(err), "secret") {
			t.Errorf("%s: %v", name, err)
		}
		server.Close()
	}
}
