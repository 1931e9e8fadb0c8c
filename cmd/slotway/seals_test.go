package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/slotway/slotway"
	"github.com/slotway/slotway/internal/test/runtimetest"
	"github.com/slotway/slotway/router"
)

// TestEncryptionIsSwitchedOn: a plain store does not open with a key, and a copy encrypts it. An
// encrypted store does not open without its key or with another one. An open confirmation of the
// old store is asked again.
func TestEncryptionIsSwitchedOn(t *testing.T) {
	old, dir := t.TempDir(), t.TempDir()
	t.Setenv("STORE_KEY", strings.Repeat("5a", 32))
	t.Setenv("OTHER_KEY", strings.Repeat("5b", 32))
	started := func(dir, set string) (*slotway.Runtime, error) {
		return runtimetest.Try(t.Context(), runtimetest.Config{Data: dir, Set: []string{"telemetry.log=none", set}, Options: slotway.Options{NoHTTP: true}})
	}
	const with = "memory.encryption_key_env=STORE_KEY"
	say := func(dir, set, text string) router.Reply {
		t.Helper()
		a, err := started(dir, set)
		if err != nil {
			t.Fatal(err)
		}
		defer a.Close()
		reply, err := a.Router().Handle(t.Context(), router.Interaction{Text: text, Context: router.Context{SessionID: "s", UserID: "u"}})
		if err != nil {
			t.Fatal(err)
		}
		return reply
	}
	if reply := say(old, "memory.encryption_key_env=", "cancel order O-12345"); reply.Confirming == nil {
		t.Fatalf("no confirmation is asked for: %q", reply.Reply)
	}
	if _, err := started(old, with); err == nil || !strings.Contains(err.Error(), "store copy --unencrypted") {
		t.Errorf("with a key: %v", err)
	}
	from, to := "sqlite:"+filepath.Join(old, "memory.db"), "sqlite:"+filepath.Join(dir, "memory.db")
	code, _, errs := command(t, "--set", with, "store", "copy", "--from", from, "--to", to)
	if code == 0 || !strings.Contains(errs, "--unencrypted") {
		t.Errorf("a copy without --unencrypted: code %d, %s", code, errs)
	}
	code, out, errs := command(t, "--set", with, "store", "copy", "--unencrypted", "--from", from, "--to", to)
	if code != 0 {
		t.Fatalf("store copy: code %d, %s%s", code, out, errs)
	}
	for _, set := range []string{"memory.encryption_key_env=OTHER_KEY", "memory.encryption_key_env="} {
		if _, err := started(dir, set); err == nil || !strings.Contains(err.Error(), "encrypted") {
			t.Errorf("%s: %v", set, err)
		}
	}
	if reply := say(dir, with, "yes"); reply.Confirming == nil || len(reply.ToolCalls) > 0 {
		t.Errorf("the first yes in the copy: %+v", reply)
	}
	if reply := say(dir, with, "yes"); reply.Confirming != nil || len(reply.ToolCalls) == 0 {
		t.Errorf("the second yes in the copy: %+v", reply)
	}
}
