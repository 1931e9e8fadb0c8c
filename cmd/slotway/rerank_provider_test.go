package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestRerankProviderRefused: check and the start report an unknown provider with file, line and
// field.
func TestRerankProviderRefused(t *testing.T) {
	for provider, want := range map[string]string{
		"olama": `unknown provider "olama"`,
		"chat":  "models.chat.base_url names no server",
	} {
		file := filepath.Join(t.TempDir(), "slotway.yaml")
		if err := os.WriteFile(file, []byte("memory:\n  storage: inmem\n  knowledge_base:\n    rerank_provider: "+provider+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, args := range [][]string{{"check", "--no-nlu"}, {"chat"}} {
			out, code := runCommand(t, append([]string{"--config", file, "--data", t.TempDir()}, args...)...)
			if code == exitOK || !strings.Contains(out, file+":4:") || !strings.Contains(out, "memory.knowledge_base.rerank_provider") || !strings.Contains(out, want) {
				t.Errorf("%v with %s: exit code %d\n%s", args, provider, code, out)
			}
		}
	}
}
