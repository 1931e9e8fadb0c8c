package cascade

import (
	"testing"

	"github.com/slotway/slotway/classifier/linear"
	"github.com/slotway/slotway/config"
)

// heard is an encoder that keeps the last text that it was given.
type heard struct{ last string }

func (h *heard) Model() string                        { return "heard" }
func (h *heard) Dimension() int                       { return 1 }
func (h *heard) EmbedInto(dst []float32, text string) { h.last = text; dst[0] = 1 }

// TestNamed gives an encoder texts with masks: it reads the noun of a type that the agent
// defines, and nothing for a built-in one, which says nothing of what is asked for.
func TestNamed(t *testing.T) {
	agent, err := config.Parse("shop.yaml", []byte(`version: 1
agent: {id: shop, description: Sells things, language: en}
types:
  order_id: {patterns: ['O-\d{5}']}
intents:
  - id: status
    examples: [where is my order, "where is [O-12345](order)", mail me at a@example.com]
    params:
      required:
        - {name: order, type: order_id, prompt: "Which order?"}
        - {name: mail, type: email, prompt: "Which address?"}
    plan: [{respond: done}]
responses: {done: ok}
`), "")
	if err != nil {
		t.Fatal(err)
	}
	c := &Classifier{}
	c.classes, _ = maskClasses(agent)
	var h heard
	e := c.name(agent, &h)
	for text, want := range map[string]string{
		"where is it": "where is it",
		"where is " + string(c.classes["order"]) + "?":  "where is  order ?",
		"write to " + string(c.classes["mail"]) + " ok": "write to  ok",
	} {
		e.EmbedInto(make([]float32, 1), text)
		if h.last != want {
			t.Errorf("%q is read as %q, want %q", text, h.last, want)
		}
	}
	if c.name(agent, nil) != nil {
		t.Error("an encoder out of nothing")
	}
	var _ linear.Embedder = e
}
