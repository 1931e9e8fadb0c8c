package harness

import (
	"embed"
	"os"
	"path/filepath"
)

//go:embed agents
var agents embed.FS

// Names of agents.
const (
	Canary   = "canary"   // has a redacted param and a tool of each kind
	Ledger   = "ledger"   // writes by a program and over HTTP
	Listener = "listener" // has no tasks, but a long memory
	Notes    = "notes"    // has a write that must not run twice
	Soak     = "soak"     // looks up orders and listens
)

// Agent returns the definition of an agent. It panics on an unknown name.
func Agent(name string) []byte {
	text, err := agents.ReadFile("agents/" + name + ".yaml")
	if err != nil {
		panic(err)
	}
	return text
}

// WriteAgent writes the definition of an agent to NAME.yaml in a folder and returns the path.
func WriteAgent(dir, name string) (string, error) {
	path := filepath.Join(dir, name+".yaml")
	return path, os.WriteFile(path, Agent(name), 0o600)
}
