// Package slotway runs task-oriented assistants: it works out what the user wants, asks for what
// is missing, calls your tools, and answers. It never guesses, never forgets, never does a thing
// twice, and never logs a secret.
//
// An agent is a YAML file of intents, params, plans and tools. [Open] puts it together, and
// [Runtime.Handle] answers a message:
//
//	rt, err := slotway.Open(ctx, "agent.yaml", nil)
//	if err != nil {
//		return err
//	}
//	defer rt.Close()
//	reply, err := rt.Handle(ctx, slotway.Interaction{
//		ID:      "delivery-4711", // a message that is delivered twice is answered once
//		Text:    "where is my order O-12345?",
//		Context: slotway.Context{SessionID: "ann-1", UserID: "ann"},
//	})
//
// [Runtime.Handler] is the same over HTTP, for a server of your own. [RegisterTool] makes a Go
// function a tool. [Options] take a store, a classifier, a sink of telemetry or tools of your own,
// and the drivers of PostgreSQL, Redis and pgvector, which are linked only if you name them.
//
// # What is stable
//
// From v1 on, this package, the YAML of agents and settings, the HTTP API and the telemetry
// schema change only in ways that keep programs and files working; before v1 the CHANGELOG names
// every break. The packages below it follow their own needs. These are the ones to build against:
// config for definitions, memory and memory/storetest for a store, classifier for a classifier,
// tools for a tool, router/telemetry for a sink.
package slotway
