package sqlite

import (
	"os"
	"testing"
	"time"
)

// The rows that RawBench writes are really written, each commit is counted once, and its
// files are gone afterwards.
func TestRawBench(t *testing.T) {
	file := newFile(t)
	r, err := RawBench(t.Context(), file, RawOptions{Clients: 4, Duration: 50 * time.Millisecond})
	if err != nil || r.Commits < 1 || r.PerSecond <= 0 || r.MeanGroup < 1 || r.BytesPerTurn < 1000 {
		t.Errorf("RawBench = %+v, %v", r, err)
	}
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if _, err := os.Stat(file + suffix); !os.IsNotExist(err) {
			t.Errorf("memory.db%s is left: %v", suffix, err)
		}
	}
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := RawBench(t.Context(), file, RawOptions{}); err == nil {
		t.Error("RawBench ran over a file that exists")
	}
}
