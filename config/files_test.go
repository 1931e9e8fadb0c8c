package config

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFilesOfAnAgent(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	own := write("agent.yaml", `
version: 1
agent: {id: files}
databases: {shop: {driver: sqlite, dsn: "${DATA}/shop.db", seed: seed.sql}}
intents:
  - id: greet_back
    examples: [how do you do]
    examples_from: [more.jsonl]
    plan: [{respond: hi}]
  - id: leave
    examples_from: [more.jsonl]
    plan: [{respond: hi}]
responses: {hi: Hi.}
`)
	more := write("more.jsonl", `{"text": "and how are you", "intent": "greet_back"}
{"text": "i am going now", "intent": "leave"}
`)
	seed := write("seed.sql", "CREATE TABLE t (id INTEGER);")
	t.Chdir(dir)
	for _, path := range []string{own, "agent.yaml", "./agent.yaml"} {
		a, err := Load(path)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]string{own, more, seed}, a.Files); diff != "" {
			t.Errorf("Load(%q) (-want +got):\n%s", path, diff)
		}
		if _, err := a.ReadFile("seed.sql"); err != nil || len(a.Files) != 3 {
			t.Errorf("reading a seed afterwards: %v, %d files", err, len(a.Files))
		}
	}
	a, err := Default()
	if err != nil || len(a.Files) != 0 {
		t.Errorf("the embedded agent: %v, files %v; want none", err, a.Files)
	}
}
