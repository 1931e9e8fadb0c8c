package build

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestModelCache(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "models")
	c := modelCache{dir: dir}
	if got := c.Get("a"); got != nil {
		t.Fatalf("Get of nothing = %q", got)
	}
	c.Put("a", []byte("one"))
	c.Put("a", []byte("two"))
	if got := c.Get("a"); string(got) != "two" {
		t.Fatalf("Get(a) = %q, want two", got)
	}
	old := time.Now().Add(-time.Hour)
	for i := range keptModels {
		name := fmt.Sprint("m", i)
		c.Put(name, []byte("x"))
		if err := os.Chtimes(filepath.Join(dir, name), old, old); err != nil {
			t.Fatal(err)
		}
	}
	c.Get("m0") // used again: another is older now
	c.Put("last", []byte("x"))
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != keptModels || c.Get("a") == nil || c.Get("m0") == nil || c.Get("last") == nil {
		t.Fatalf("%d files are kept: %v", len(entries), entries)
	}
}

func TestModelCacheThatCannotBeWritten(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	var warnings bytes.Buffer
	modelCache{dir: filepath.Join(file, "sub"), warnings: &warnings}.Put("a", []byte("x"))
	if !strings.Contains(warnings.String(), "not kept") {
		t.Fatalf("warnings: %q", warnings.String())
	}
}
