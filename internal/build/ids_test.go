package build

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A key lasts. One that is damaged, or that cannot be stored, is an error and not a new one.
func TestKeysLast(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	first, err := VisitKey(dir, "")
	if err != nil {
		t.Fatal(err)
	}
	if again, err := VisitKey(dir, ""); err != nil || !bytes.Equal(first, again) {
		t.Errorf("it changes: %v", err)
	}
	file := filepath.Join(dir, "visitors.key")
	if err := os.Truncate(file, 10); err != nil {
		t.Fatal(err)
	}
	if _, err := VisitKey(dir, ""); err == nil || !strings.Contains(err.Error(), "from a backup") {
		t.Errorf("a damaged key: %v", err)
	}
	if _, err := VisitKey(file, ""); err == nil {
		t.Errorf("a key that cannot be stored: %v", err)
	}
}
