// Command slotway runs and looks after task-oriented assistants: it talks (chat, serve),
// checks definitions (check, replay, classify) and keeps the store (sessions, migrate).
//
// One file holds one subcommand. wire.go is the composition root: the only place that
// knows every package, and the one to read to see how the parts fit together.
package main
