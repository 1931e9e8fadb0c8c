package httpapi_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/slotway/slotway/router"
	"github.com/slotway/slotway/router/httpapi"
)

// greeter stands for a *router.Router.
type greeter struct{}

func (greeter) Handle(_ context.Context, in router.Interaction) (router.Reply, error) {
	return router.Reply{SessionID: in.Context.SessionID, Turn: 1, Reply: "Good day."}, nil
}

func ExampleNew() {
	api := httpapi.New(greeter{}, nil)
	server := httptest.NewServer(api)
	defer server.Close()
	for _, body := range []string{`{"message": "hello", "conversation_id": "c1", "stream": true}`, `{"massage": "hello"}`} {
		res, err := http.Post(server.URL+"/chat", "application/json", strings.NewReader(body))
		if err != nil {
			fmt.Println(err)
			return
		}
		text, _ := io.ReadAll(res.Body)
		res.Body.Close()
		first, _, _ := strings.Cut(string(text), "\n\n")
		fmt.Printf("%d %q\n", res.StatusCode, res.Header.Get("X-Conversation-Id"))
		fmt.Println(strings.TrimSpace(first))
	}
	// Output:
	// 200 "c1"
	// event: reply
	// data: Good day.
	// 400 ""
	// {"type":"urn:slotway:problem:unknown_field","title":"The request cannot be taken","status":400,"detail":"The field \"massage\" is not known.","code":"unknown_field"}
}
