// Package router drives one turn: it loads a session, moves through the states of
// state.go, and commits what changed, once.
//
// Read state.go first: it has the one table of states and events. Each state that does
// not rest has one stage function, in the file of its name (receive.go, classify.go,
// plan.go, ask.go, confirm.go, call.go, respond.go). A stage decides which event comes
// next, the table permits it, and only the driver (drive.go) moves. What the stages
// decide by (which question, which call) is package planner's.
//
// [Router.Handle] may be called from any number of goroutines. Turns of one session run
// one at a time, in the order in which they arrived; turns of different sessions never
// wait for each other. A reply is returned after its turn is durable, never before.
// The same Interaction.ID twice in a session gives the stored reply and runs nothing.
package router
