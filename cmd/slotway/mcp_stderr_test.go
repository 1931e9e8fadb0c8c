package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/slotway/slotway"
	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/internal/test/runtimetest"
	"github.com/slotway/slotway/router"
)

// TestMCPStderrIsLogged: the log holds the standard error of an MCP server's program, without its
// arguments, the values of its variables, and redacted values.
func TestMCPStderrIsLogged(t *testing.T) {
	t.Setenv("FAR_TOKEN", "s3cr3t-of-far")
	const file = `
version: 1
params:
  order_id: {type: order_id, prompt: "Which order?"}
types:
  order_id: {patterns: ['\bO-\d+\b'], example: O-12345}
intents:
  - id: status
    examples: [where is my order, "where is [O-1](order_id)", track my order]
    params: {required: [order_id]}
    plan:
      - {call: far, with: {order: $order_id}, save: order}
      - respond: status
mcp_servers:
  far:
    command: [/bin/sh, -c, 'echo "cannot start: no route for O-77123, ask ann@shop.example, token $FAR_TOKEN" >&2; exit 3']
    env: {FAR_TOKEN: "${FAR_TOKEN}"}
tools:
  far: {kind: mcp, server: far, effect: read, retries: 0}
responses: {status: "It is {order}."}
redaction: {patterns: [email]}
`
	agent, err := config.Parse("agent.yaml", []byte(file), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	a, err := runtimetest.Try(t.Context(), runtimetest.Config{Data: t.TempDir(), Set: []string{"telemetry.log=stderr", "memory.storage=inmem"}, Options: slotway.Options{NoHTTP: true, Agent: agent, Stderr: &log}})
	if err != nil {
		t.Fatal(err)
	}
	reply, err := a.Router().Handle(t.Context(), router.Interaction{Text: "where is O-77123", Context: router.Context{SessionID: "s"}})
	if closed := a.Close(); err != nil || closed != nil {
		t.Fatal(err, closed)
	}
	if reply.Error == nil || *reply.Error != "unavailable" {
		t.Errorf("the turn's error is %v, want unavailable", reply.Error)
	}
	line := ""
	for l := range strings.Lines(log.String()) {
		if strings.Contains(l, "mcp_stderr") {
			line = l
		}
	}
	if !strings.Contains(line, "MCP server far: cannot start: no route for") {
		t.Fatalf("the log has no line of the server's program:\n%s", log.String())
	}
	for _, value := range []string{"77123", "ann@shop.example", "s3cr3t"} {
		if strings.Contains(log.String(), value) {
			t.Errorf("the log holds %s:\n%s", value, line)
		}
	}
}
