package llm_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/slotway/slotway/internal/test/faulttest"
	"github.com/slotway/slotway/tools"
	"github.com/slotway/slotway/tools/llm"
)

// streamCodes are what a stream makes of some of them: what has no events breaks off.
var streamCodes = map[string]tools.Code{
	"HTML": tools.Unavailable, "other JSON": tools.Unavailable,
}

// asks are the client's ways of asking: for an intent, a generate step or a summary, and
// for vectors.
var asks = map[string]func(t *testing.T, c *llm.Client) error{
	"answer": func(t *testing.T, c *llm.Client) error {
		_, err := c.Answer(t.Context(), "s", "CANARY-prompt", llm.Schema{Name: "intent", Document: json.RawMessage(`{}`)})
		return err
	},
	"generate": func(t *testing.T, c *llm.Client) error {
		_, err := c.Generate(t.Context(), "s", []llm.Message{{Role: "user", Text: "CANARY-prompt"}})
		return err
	},
	"stream": func(t *testing.T, c *llm.Client) error {
		_, err := c.Stream(t.Context(), "s", nil, func(string) error { return nil })
		return err
	},
	"embed": func(t *testing.T, c *llm.Client) error {
		_, err := c.Embed(t.Context(), []string{"CANARY-prompt"})
		return err
	},
}

// TestFaults goes through every fault with every way of asking.
func TestFaults(t *testing.T) {
	for _, f := range faulttest.Faults() {
		for how, ask := range asks {
			t.Run(f.Name+"/"+how, func(t *testing.T) {
				server := faulttest.Start(t, f, nil)
				c, err := llm.New(llm.Options{BaseURL: server.URL + "/v1", Model: "small", APIKey: "CANARY-key", Timeout: f.Limit(), Retries: -1})
				if err != nil {
					t.Fatal(err)
				}
				err = ask(t, c)
				server.Check(t, err)
				want, known := faulttest.Codes()[f.Name]
				if !known {
					want = tools.Failed // redirects
				}
				if code, ok := streamCodes[f.Name]; ok && how == "stream" {
					want = code
				}
				var failed *tools.Error
				if !errors.As(err, &failed) || failed.Code != want || failed.Uncertain {
					t.Errorf("%#v, want %s", err, want)
				}
				if f.Arrives && server.Asked() != 1 {
					t.Errorf("asked %d times", server.Asked())
				}
			})
		}
	}
}
