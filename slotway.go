// Package slotway runs task-oriented assistants. It finds out what a user wants, asks for what is
// missing, calls your tools, and answers. It never guesses, never forgets, never does a thing
// twice, and never logs a secret.
//
// An agent is a YAML file of intents, params, plans and tools. [Open] starts it, and
// [Runtime.Handle] answers a message:
//
//	rt, err := slotway.Open(ctx, "agent.yaml", nil)
//	if err != nil {
//		return err
//	}
//	defer rt.Close()
//	reply, err := rt.Handle(ctx, slotway.Interaction{
//		ID:      "delivery-4711", // a message that arrives twice is answered once
//		Text:    "where is my order O-12345?",
//		Context: slotway.Context{SessionID: "ann-1", UserID: "ann"},
//	})
//
// From here:
//
//   - [RegisterTool] makes a Go function a tool of the agent.
//   - [Runtime.Handler] adds the agent to your HTTP server, and [Runtime.Serve] runs one;
//     [Runtime.ServeMCP] makes its tasks tools of another agent.
//   - [Runtime.Watch] reloads the agent when its file changes.
//   - [Options] choose the settings and replace parts: store, classifier, tools, telemetry. They
//     also take the drivers of PostgreSQL, Redis and pgvector, so that a program links only those
//     that it names.
//   - [OpenMemory] gives maintenance programs access to the memory without running turns.
//
// # Stability
//
// From v1 on, this package, the YAML of agents and settings, the HTTP API and the telemetry
// schema change only in ways that keep programs and files working; before v1 the CHANGELOG names
// every break. The packages below this one change as they need. Build against these: config for
// definitions, config/settings for settings, memory and internal/test/storetest for a store, classifier
// for a classifier, tools for a tool, router/telemetry for a sink.
package slotway
