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
//
// A program that knows what it wants says so with [Meant] in the place of a text: the
// classifier is not asked, and everything else is as if it had been said.
//
// What belongs to a version of the agent's definition is [Parts], and [Router.Swap]
// exchanges it as a whole: a turn keeps the version that it began with, the next turn of
// any session has the new one.
package router
