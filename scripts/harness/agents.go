package harness

import (
	"embed"
	"os"
	"path/filepath"
)

//go:embed agents
var agents embed.FS

// Agents that the processes serve.
const (
	Canary   = "canary"   // a redacted param of each kind, and a tool of each kind
	Ledger   = "ledger"   // writes by a program and by services over HTTP
	Listener = "listener" // no tasks, only memory
	Notes    = "notes"    // a write that must not be made twice
	Soak     = "soak"     // looks orders up, and listens
)

// Agent returns the definition of one of the agents.
func Agent(name string) []byte {
	text, err := agents.ReadFile("agents/" + name + ".yaml")
	if err != nil {
		panic(err) // there is no such agent
	}
	return text
}

// WriteAgent writes an agent's definition into a folder and returns the path of the file.
func WriteAgent(dir, name string) (string, error) {
	path := filepath.Join(dir, name+".yaml")
	return path, os.WriteFile(path, Agent(name), 0o600)
}
