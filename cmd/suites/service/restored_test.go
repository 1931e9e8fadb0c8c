package service

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/slotway/slotway/internal/test/runtimetest"
	"github.com/slotway/slotway/memory/sqlite"
	"github.com/slotway/slotway/router"
)

// A backup that is put back holds a question whose yes was carried out since. The same yes, delivered again,
// carries out nothing: the question is asked again, and a yes to that counts.
func TestRestoredBackup(t *testing.T) {
	backup := filepath.Join(t.TempDir(), "monday.db")
	say := func(s *runtimetest.Shop, id, text string) string {
		t.Helper()
		return s.Send(router.Interaction{ID: id, Text: text, Context: router.Context{UserID: "ann", SessionID: "one"}}).Reply
	}
	first := runtimetest.OpenShop(t)
	file := first.Settings().Memory.StoragePath
	asked := say(first, "1", "cancel order O-20111")
	if !strings.HasPrefix(asked, "Cancel order O-20111") {
		t.Fatalf("the question is %q", asked)
	}
	if _, err := sqlite.Backup(t.Context(), file, backup, nil); err != nil {
		t.Fatal(err)
	}
	say(first, "2", "yes")
	first.WantCancelled("O-20111")
	first.Close()

	if _, err := sqlite.Restore(t.Context(), backup, file, &sqlite.RestoreOptions{Now: time.Now()}); err != nil {
		t.Fatal(err)
	}
	second := runtimetest.OpenShopOn(t, filepath.Dir(file))
	if again := say(second, "2", "yes"); !strings.Contains(again, "Cancel order O-20111") {
		t.Errorf("the yes was answered with %q", again)
	}
	second.WantCancelled()
	say(second, "3", "yes")
	second.WantCancelled("O-20111")
}

// A second service on one file is refused, with what to do.
func TestSecondService(t *testing.T) {
	dir := t.TempDir()
	runtimetest.Open(t, runtimetest.Config{Data: dir, Set: []string{"telemetry.log=none"}})
	_, err := runtimetest.Try(t.Context(), runtimetest.Config{Data: dir, Set: []string{"telemetry.log=none"}})
	if err == nil || !strings.Contains(err.Error(), "talk to it over HTTP") || !strings.Contains(err.Error(), "memory.storage: postgres") {
		t.Errorf("a second service: %v", err)
	}
}
