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
// An interaction may say which turn it answers ([Interaction.AfterTurn]). Where the session
// stands after another one it is ErrMovedOn and nothing is run: a late yes is not one to the
// question that is asked by then. The planner's state notes the turn that left it, so a turn
// that was taken back, and all of them after a clear, are not where a session stands.
//
// A program that knows what it wants says so with [Meant] in the place of a text: the
// classifier is not asked, and everything else is as if it had been said.
//
// What belongs to a version of the agent's definition is [Parts], and [Router.Swap]
// exchanges it as a whole: a turn keeps the version that it began with, the next turn of
// any session has the new one.
package router
