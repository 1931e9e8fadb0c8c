package llm_test

import (
	"context"
	"fmt"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/llm"
	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
)

// server stands for a model server.
type server struct{}

func (server) Complete(context.Context, llm.Request) (string, error) {
	return `{"intent": "book", "params": [
		{"param": "meal", "value": "dinner", "text": "something to eat tonight"},
		{"param": "meal", "value": "brunch", "text": "tonight"}]}`, nil
}

// A model maps free words to a value that exists; one that does not exist is left out.
func Example() {
	meal := &config.Param{Name: "meal", Type: &config.Type{Name: "meal", Values: []config.EnumValue{{Value: "lunch"}, {Value: "dinner"}}}}
	agent := &config.Agent{
		Intents:    []*config.Intent{{ID: "book", Description: "book a table", Required: []*config.Param{meal}}},
		Classifier: config.ClassifierPolicy{Threshold: 0.55, Ambiguity: 0.1},
	}
	model, err := llm.New(agent, server{}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := model.Ask(context.Background(), llm.Question{
		Input:    classifier.Input{Text: "we'd love something to eat tonight"},
		Embedded: message.Result{Tier: "linear"},
	})
	fmt.Println(r.Tier, r.Intent, r.Confidence, err)
	for _, v := range r.Params {
		fmt.Println(v.Param, v.Value, v.Start, v.End, v.Source)
	}
	// Output:
	// llm book 0.75 <nil>
	// meal dinner 10 34 llm
}
