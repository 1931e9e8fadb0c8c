package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/memory/inmem"
)

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
	settings := config.DefaultSettings()
	settings.Models.Embed = config.EmbedSettings{Provider: "openai", Model: "small", BaseURL: server.URL + "/v1"}
	a := &app{settings: settings, agent: agent, store: inmem.New(nil)}
	list, err := a.embedders(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if list[0].Dimension() != 2 || list[0].Model() != "openai/small" {
		t.Errorf("%s of %d dimensions", list[0].Model(), list[0].Dimension())
	}
	hide, err := a.hiding(t.Context())
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
