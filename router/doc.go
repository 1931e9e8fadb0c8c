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
// An interaction may name the turn that it answers ([Interaction.AfterTurn]). If that is not the
// session's newest turn, Handle returns ErrStaleTurn and runs nothing: a late yes must not confirm
// a question that was asked since. The planner's state stores the number of the turn that left it,
// so turns that were undone or cleared do not count.
//
// A person can take a conversation over ([Interaction.HandOver]). What a person does is a turn, too, with
// an id, a commit and background jobs. While the person has the conversation, messages of the user are
// kept and not read: the state of the planner stays as it is, no tool is called, and Reply.Person says
// who reads them. When the person gives it back, the agent puts its question again. A yes to it counts
// from a sender who names that turn in AfterTurn; from any other the question is put once more first,
// because the yes may have been meant for the person.
//
// A program that knows what it wants sends a [StructuredInput] instead of a text. The router
// then skips the classifier; everything else works as for a text.
//
// [Deps] holds everything that belongs to one version of the agent's definition, and
// [Router.Swap] replaces it as a whole. A turn keeps the version that it began with; the next
// turn of any session uses the new one.
package router
