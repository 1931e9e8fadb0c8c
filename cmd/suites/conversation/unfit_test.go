package conversation

import (
	"bytes"
	"strings"
	"testing"

	"github.com/slotway/slotway"
	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/router"

	"github.com/slotway/slotway/internal/test/runtimetest"
)

// TestUnfitValuesAreToldOf: a value in a tool's result that does not fit its param is not taken.
// The log names the param and the tool, but not the value.
func TestUnfitValuesAreToldOf(t *testing.T) {
	const file = `
version: 1
types:
  colour: {values: [{value: Red}, {value: Blue}]}
params:
  paint: {type: colour, scope: session, param_mapping: [{from: tool, key: found.paint}]}
  trim: {type: colour, scope: session, param_mapping: [{from: tool, key: found.trim}]}
  count: {type: integer, scope: session, param_mapping: [{from: tool, key: found.status}]}
intents:
  - id: car
    examples: [where is my car, find my car, show me my car]
    plan: [{call: look, save: found}, {respond: done}]
tools:
  look: {kind: static, effect: read, result: {paint: purplish, trim: red, status: openish}}
responses: {done: "It is here."}
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
	reply, err := a.Router().Handle(t.Context(), router.Interaction{Text: "where is my car", Context: router.Context{SessionID: "s"}})
	if closed := a.Close(); err != nil || closed != nil {
		t.Fatal(err, closed)
	}
	if reply.Params["paint"] != nil || reply.Params["count"] != nil || reply.Params["trim"] != "Red" {
		t.Errorf("the params are %v, want trim alone", reply.Params)
	}
	for _, name := range []string{"paint", "count"} {
		if !strings.Contains(log.String(), "tool look gave no value that fits param "+name) {
			t.Errorf("the log does not tell of %s:\n%s", name, log.String())
		}
	}
	if strings.Contains(log.String(), "purplish") || strings.Contains(log.String(), "openish") {
		t.Errorf("the log holds a value:\n%s", log.String())
	}
}
