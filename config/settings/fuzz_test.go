package settings

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// FuzzSettings loads a settings file and an environment variable: every problem has a
// place and a line of its own, and what is accepted has a value for each path.
func FuzzSettings(f *testing.F) {
	f.Add([]byte("memory: {strategy: simple, ttl: 60m}\n"), "SLOTWAY_SERVER_ADDR", "127.0.0.1:0")
	f.Add([]byte("server: {limits: {body: 1e999, rate: -1/s}, cors: [\"*\"]}"), "MEMORY_MAX_TURNS", "99999999999999999999")
	f.Add([]byte("a: &a [x,x]\nb: [*a,*a]\n? {}\n: x"), "SLOTWAY_MEMORY", "\x00\xff")
	f.Add([]byte("memory:\n  storage: sqlite\n  storage: inmem\n"), "SLOTWAY_MODELS_CHAT_BASE_URL", "http://user:pass@h/%zz")
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, file []byte, name, value string) {
		path := filepath.Join(dir, "slotway.yaml")
		if err := os.WriteFile(path, file, 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := Load(path, []string{name + "=" + value}, nil)
		if err != nil {
			if text := err.Error(); text == "" || strings.Contains(text, "\x00") {
				t.Errorf("error %q", text)
			}
			return
		}
		for _, v := range s.Values() {
			if v.Path == "" {
				t.Errorf("a value without a path: %+v", v)
			}
		}
	})
}
