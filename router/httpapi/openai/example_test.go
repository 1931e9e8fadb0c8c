package openai_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"strings"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/memory/inmem"
	"github.com/slotway/slotway/router"
	"github.com/slotway/slotway/router/httpapi"
	"github.com/slotway/slotway/router/httpapi/openai"
)

// parrot stands for a router.
type parrot struct{}

func (parrot) Handle(_ context.Context, in router.Interaction) (router.Reply, error) {
	return router.Reply{SessionID: in.Context.SessionID, Turn: 1, Reply: "You said: " + in.Text}, nil
}

func Example() {
	agent := func() *config.Agent { return &config.Agent{ID: "parrot"} }
	face := openai.New(&openai.Options{Store: inmem.New(nil), Agent: agent})
	api := httpapi.New(parrot{}, &httpapi.Options{Agent: agent, Adapters: []httpapi.Adapter{face}})

	r := httptest.NewRequest("POST", "/v1/chat/completions", strings.NewReader(
		`{"model": "parrot", "messages": [{"role": "user", "content": "Good day"}]}`))
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	api.ServeHTTP(w, r)

	var out struct {
		Choices []struct {
			Message struct{ Role, Content string }
		}
	}
	err := json.Unmarshal(w.Body.Bytes(), &out)
	fmt.Println(out.Choices[0].Message.Role, out.Choices[0].Message.Content, err)
	// Output: assistant You said: Good day <nil>
}
