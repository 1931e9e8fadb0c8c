// Command slotway runs and maintains task-oriented assistants: it talks (chat, serve), checks
// definitions (check, replay, classify) and maintains the store (sessions, migrate).
//
// Each file holds one subcommand. command.go has what all of them share: groups, JSON, tables. Package
// slotway opens the agent; open.go turns flags into its options and names the drivers that this program
// links.
package main
