package sqltool_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/slotway/slotway/internal/test/disktest"
)

// A write that a tool reports as done is in the database after a power cut: a repeated call
// must find it there.
func TestWritesOutlastPowerCuts(t *testing.T) {
	disk := disktest.New(t)
	db := openDB(t, filepath.Join(disk.Root, "shop.db"))
	for i := range 3 {
		key := fmt.Sprint("key-", i)
		if _, err := run(t, db, writeTool("UPDATE counter SET n = n + 1", false), key, nil); err != nil {
			t.Fatal(err)
		}
		left := openDB(t, filepath.Join(disk.Cut(nil), "shop.db"))
		if n := counter(t, left); n != float64(i+1) {
			t.Errorf("%v writes are there after a power cut, %d were done", n, i+1)
		}
		if _, err := run(t, left, writeTool("UPDATE counter SET n = n + 1", false), key, nil); err != nil || counter(t, left) != float64(i+1) {
			t.Errorf("repeated after a power cut: %v writes, %v; want %d", counter(t, left), err, i+1)
		}
	}
}
