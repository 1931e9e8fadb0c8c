package main

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
	"github.com/slotway/slotway/memory/inmem"
	"github.com/slotway/slotway/tools/llm"
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
	client, err := llm.New(llm.Options{BaseURL: server.URL, Model: "small"})
	if err != nil {
		t.Fatal(err)
	}
	hide, err := (&app{agent: agent, store: inmem.New(nil)}).hiding(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	r := reranker{client.WithModel("large")}
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
