// Command slotway runs and looks after task-oriented assistants: it talks (chat, serve),
// checks definitions (check, replay, classify) and keeps the store (sessions, migrate).
//
// One file holds one subcommand. Package slotway puts the agent together; open.go turns flags
// into its options, and names the drivers that this program links.
package main
