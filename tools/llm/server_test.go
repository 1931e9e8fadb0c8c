package llm_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/slotway/slotway/tools/llm"
)

// trip is a network of one answer, which keeps the last request.
type trip struct {
	answer string
	last   *http.Request
}

func (n *trip) RoundTrip(r *http.Request) (*http.Response, error) {
	n.last = r
	return &http.Response{StatusCode: 200, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(n.answer))}, nil
}

func TestServers(t *testing.T) {
	const chat = "/chat/completions"
	tests := []struct {
		name  string
		opts  llm.Options
		url   string // of a chat
		azure bool
	}{
		{"plain", llm.Options{BaseURL: "https://models.example/v1"}, "https://models.example/v1" + chat, false},
		{"slash", llm.Options{BaseURL: "https://models.example/v1/"}, "https://models.example/v1" + chat, false},
		{"no path", llm.Options{BaseURL: "http://localhost:8080"}, "http://localhost:8080" + chat, false},
		{"ollama", llm.Options{BaseURL: "http://localhost:11434"}, "http://localhost:11434/v1" + chat, false},
		{"ollama, slash", llm.Options{BaseURL: "http://[::1]:11434/"}, "http://[::1]:11434/v1" + chat, false},
		{"ollama, v1", llm.Options{BaseURL: "http://localhost:11434/v1"}, "http://localhost:11434/v1" + chat, false},
		{"ollama, its own", llm.Options{BaseURL: "http://localhost:11434/api/"}, "http://localhost:11434/v1" + chat, false},
		{"ollama, another port", llm.Options{BaseURL: "http://models.example:8080", API: llm.Ollama}, "http://models.example:8080/v1" + chat, false},
		{"ollama, behind a path", llm.Options{BaseURL: "http://models.example/llm/v1", API: llm.Ollama}, "http://models.example/llm/v1" + chat, false},
		{"azure", llm.Options{BaseURL: "https://shop.openai.azure.com"}, "https://shop.openai.azure.com/openai/deployments/gpt.3.5" + chat + "?api-version=2024-10-21", true},
		{"azure, slash", llm.Options{BaseURL: "https://SHOP.OpenAI.Azure.com/"}, "https://SHOP.OpenAI.Azure.com/openai/deployments/gpt.3.5" + chat + "?api-version=2024-10-21", true},
		{"azure, cognitive", llm.Options{BaseURL: "https://shop.cognitiveservices.azure.com/openai"}, "https://shop.cognitiveservices.azure.com/openai/deployments/gpt.3.5" + chat + "?api-version=2024-10-21", true},
		{"azure, pasted", llm.Options{BaseURL: "https://shop.openai.azure.com/openai/deployments/gpt.3.5/chat/completions?api-version=2025-01-01-preview"}, "https://shop.openai.azure.com/openai/deployments/gpt.3.5" + chat + "?api-version=2025-01-01-preview", true},
		{"azure, version", llm.Options{BaseURL: "https://shop.openai.azure.com?api-version=1", APIVersion: "2"}, "https://shop.openai.azure.com/openai/deployments/gpt.3.5" + chat + "?api-version=2", true},
		{"azure, common protocol", llm.Options{BaseURL: "https://shop.openai.azure.com/openai/v1/"}, "https://shop.openai.azure.com/openai/v1" + chat, false},
		{"azure, common protocol, version", llm.Options{BaseURL: "https://shop.openai.azure.com/openai/v1/?api-version=preview"}, "https://shop.openai.azure.com/openai/v1" + chat + "?api-version=preview", false},
		{"azure, gateway", llm.Options{BaseURL: "https://gate.example/models/", API: llm.Azure}, "https://gate.example/models/openai/deployments/gpt.3.5" + chat + "?api-version=2024-10-21", true},
		{"azure, told otherwise", llm.Options{BaseURL: "https://shop.openai.azure.com/v1", API: llm.OpenAI}, "https://shop.openai.azure.com/v1" + chat, false},
		{"not azure", llm.Options{BaseURL: "https://openai.azure.com.example/v1"}, "https://openai.azure.com.example/v1" + chat, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			network := &trip{answer: hello}
			tt.opts.Model, tt.opts.APIKey, tt.opts.HTTPClient = "gpt.3.5", "secret", &http.Client{Transport: network}
			c, err := llm.New(tt.opts)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := c.Generate(t.Context(), "", nil); err != nil {
				t.Fatal(err)
			}
			bearer, key := network.last.Header.Get("Authorization"), network.last.Header.Get("api-key")
			if tt.azure != (key == "secret") || tt.azure != (bearer == "") || (!tt.azure && bearer != "Bearer secret") {
				t.Errorf("Authorization %q, api-key %q", bearer, key)
			}
			if got := network.last.URL.String(); got != tt.url {
				t.Errorf("asked %s, want %s", got, tt.url)
			}
		})
	}
}

// TestAzureDeployments: an embedding model is a deployment of its own, and a name is one
// part of a path.
func TestAzureDeployments(t *testing.T) {
	network := &trip{answer: `{"data":[{"index":0,"embedding":[1]}]}`}
	c, err := llm.New(llm.Options{BaseURL: "https://shop.openai.azure.com", Model: "chat", HTTPClient: &http.Client{Transport: network}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.WithModel("em/bed").Embed(t.Context(), []string{"x"}); err != nil {
		t.Fatal(err)
	}
	if got, want := network.last.URL.String(), "https://shop.openai.azure.com/openai/deployments/em%2Fbed/embeddings?api-version=2024-10-21"; got != want {
		t.Errorf("asked %s, want %s", got, want)
	}
}

func TestServersRefused(t *testing.T) {
	for _, o := range []llm.Options{
		{BaseURL: "localhost:11434"},
		{BaseURL: "ftp://" + canary},
		{BaseURL: "http://"},
		{BaseURL: "http://%zz" + canary},
		{BaseURL: "http://models.example/v1?key=" + canary},
		{BaseURL: "http://models.example/v1", API: "other"},
		{BaseURL: "https://shop.openai.azure.com/openai/deployments/" + canary},
	} {
		o.Model = "m"
		if _, err := llm.New(o); err == nil || strings.Contains(err.Error(), canary) {
			t.Errorf("New(%+v): %v", o, err)
		}
	}
}
