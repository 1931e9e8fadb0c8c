package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/slotway/slotway"
	"github.com/slotway/slotway/internal/test/postgrestest"
	"github.com/slotway/slotway/internal/test/runtimetest"
	"github.com/slotway/slotway/memory/transfer"
	"github.com/slotway/slotway/router"
)

// copied runs store copy and returns its report.
func copied(t *testing.T, args ...string) (r transfer.CopyReport) {
	t.Helper()
	code, out, errs := command(t, append([]string{"store", "copy", "--json"}, args...)...)
	if code != 0 || json.Unmarshal([]byte(out), &r) != nil {
		t.Fatalf("store copy: code %d, %s%s", code, out, errs)
	}
	return r
}

// TestStoreCopyThereAndBack: sessions go from SQLite to PostgreSQL and back unchanged, and a
// conversation continues where it was.
func TestStoreCopyThereAndBack(t *testing.T) {
	dsn, first, last := postgrestest.Schema(t), filepath.Join(t.TempDir(), "memory.db"), filepath.Join(t.TempDir(), "back.db")
	a, err := runtimetest.Try(t.Context(), runtimetest.Config{Data: filepath.Dir(first), Set: []string{"telemetry.log=none"}, Options: slotway.Options{NoHTTP: true}})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 20 {
		for _, text := range []string{"cancel order O-12345", "what is the weather", "help"} {
			in := router.Interaction{Text: text, Context: router.Context{SessionID: fmt.Sprint("s-", i), UserID: fmt.Sprint("u-", i%3)}}
			if _, err := a.Router().Handle(t.Context(), in); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	there := copied(t, "--from", "sqlite:"+first, "--to", dsn)
	again := copied(t, "--from", "sqlite:"+first, "--to", dsn)
	back := copied(t, "--from", dsn, "--to", "sqlite:"+last)
	if there.Added != 20 || there.Turns != 60 || again.There != 20 || again.Added != 0 || back.Added != 20 {
		t.Errorf("there %+v\nagain %+v\nback %+v", there, again, back)
	}
	if there.SHA256 != again.SHA256 || there.Messages != back.Messages {
		t.Errorf("there %+v\nagain %+v\nback %+v", there, again, back)
	}
	on := runtimetest.Open(t, runtimetest.Config{Set: []string{"telemetry.log=none", "memory.storage=postgres", "memory.dsn=" + dsn}, Options: slotway.Options{NoHTTP: true}})
	if reply := on.Say("u-1", "s-4", "yes"); reply.Turn != 4 {
		t.Errorf("the conversation goes on with %+v", reply)
	}
}

func TestStoreCopyRefuses(t *testing.T) {
	gone := filepath.Join(t.TempDir(), "gone.db")
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--from", "sqlite:a"}, "--from and --to"},
		{[]string{"--from", "sqlite:a", "--to", "sqlite:a"}, "two different stores"},
		{[]string{"--from", "sqlite:" + gone, "--to", "settings"}, "--from: open the store"},
		{[]string{"--from", "mysql://x", "--to", "settings"}, "sqlite:FILE, postgres://..., or settings"},
		{[]string{"--from", "postgres://u:canary@127.0.0.1:1/none", "--to", "sqlite:" + gone}, "store is unavailable"},
	} {
		code, _, errs := command(t, append([]string{"store", "copy"}, c.args...)...)
		if code == 0 || !strings.Contains(errs, c.want) || strings.Contains(errs, "canary") {
			t.Errorf("store copy %v: code %d, %s", c.args, code, errs)
		}
	}
}
