package mcpserver_test

import (
	"context"
	"fmt"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/router"
	"github.com/slotway/slotway/router/httpapi/mcpserver"
)

// A server is mounted at /mcp, and serves a client in the same process just as well. The
// turns of this one are made up; a program passes its router's Handle.
func Example() {
	agent, err := config.Default()
	if err != nil {
		fmt.Println(err)
		return
	}
	asks := "order_id"
	turn := func(_ context.Context, in router.Interaction) (router.Reply, error) {
		return router.Reply{SessionID: in.Context.SessionID, Intent: in.Structured.Intent, Reply: "Which order?", WaitingForParam: &asks}, nil
	}
	server := mcpserver.New(mcpserver.Deps{Turn: turn, Agent: func() *config.Agent { return agent }}, &mcpserver.Options{
		HTTP: mcpserver.HTTPOptions{User: func(r *http.Request) (string, bool) {
			user, _, ok := r.BasicAuth()
			return user, ok
		}},
	})
	http.NewServeMux().Handle("/mcp", server.HTTP())

	ours, theirs := mcp.NewInMemoryTransports()
	ctx := context.Background()
	ended := make(chan error, 1)
	go func() { ended <- server.Run(ctx, ours, "ann") }()
	client, err := mcp.NewClient(&mcp.Implementation{Name: "example", Version: "1"}, nil).Connect(ctx, theirs, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	result, err := client.CallTool(ctx, &mcp.CallToolParams{Name: "order_status"})
	if err != nil {
		fmt.Println(err)
		return
	}
	answer := result.StructuredContent.(map[string]any)
	fmt.Println(answer["status"], answer["reply"], answer["needs"].(map[string]any)["param"])
	if err := client.Close(); err != nil {
		fmt.Println(err)
	}
	if err := <-ended; err != nil {
		fmt.Println(err)
	}
	// Output: needs_input Which order? order_id
}
