package service

import (
	"net/url"
	"strings"
	"testing"

	"github.com/slotway/slotway"
	"github.com/slotway/slotway/internal/test/postgrestest"

	"github.com/slotway/slotway/internal/test/runtimetest"
)

// TestADatabaseThatPromisesLittle: a service on a database that may lose acknowledged commits warns
// at its start and in its metrics. With memory.require_sync it does not start.
func TestADatabaseThatPromisesLittle(t *testing.T) {
	u, err := url.Parse(postgrestest.Schema(t))
	if err != nil {
		t.Fatal(err)
	}
	q := u.Query()
	q.Set("synchronous_commit", "off")
	u.RawQuery = q.Encode()
	set := []string{"telemetry.log=none", "memory.storage=postgres", "memory.dsn=" + u.String()}
	var said strings.Builder
	a, err := runtimetest.Try(t.Context(), runtimetest.Config{Data: t.TempDir(), Set: set, Options: slotway.Options{NoHTTP: true, Stderr: &said}})
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Close(); err != nil {
		t.Error(err)
	}
	for _, want := range []string{"slotway: warning: ", "synchronous_commit", "docs/operate/replication.md", "memory.require_sync"} {
		if !strings.Contains(said.String(), want) {
			t.Errorf("it says %q at its start, nothing of %q", said.String(), want)
		}
	}
	_, err = runtimetest.Try(t.Context(), runtimetest.Config{Data: t.TempDir(), Set: append(set, "memory.require_sync=true"), Options: slotway.Options{NoHTTP: true}})
	if err == nil || !strings.Contains(err.Error(), "memory.require_sync") || !strings.Contains(err.Error(), "synchronous_standby_names") {
		t.Errorf("with memory.require_sync: %v", err)
	}
	s := runtimetest.ServeWithKeys(t, set[1:], "owner=alice metrics")
	if !strings.Contains(s.Get(t, "owner", "/metrics"), `slotway_store_durability{durability="nothing"} 1`) {
		t.Error("the metrics do not show the promise")
	}
}
