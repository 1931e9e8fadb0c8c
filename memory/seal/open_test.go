package seal_test

import (
	"encoding/base64"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/slotway/slotway/internal/test/storetest"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/inmem"
	"github.com/slotway/slotway/memory/seal"
	"github.com/slotway/slotway/memory/sqlite"
	"github.com/slotway/slotway/memory/transfer"
)

func TestStoreOnSQLite(t *testing.T) {
	storetest.Run(t, func(t *testing.T) memory.Backend {
		inner, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "memory.db"), nil)
		if err != nil {
			t.Fatal(err)
		}
		return open(t, inner, newKey)
	})
}

func open(t *testing.T, inner memory.Backend, key string) memory.Backend {
	t.Helper()
	store, err := seal.Open(t.Context(), inner, keys(t, key))
	if err != nil {
		t.Fatal(err)
	}
	return store
}

// What looks like a seal in a store that is taken over is what was said.
func TestTakenOverAsItWasSaid(t *testing.T) {
	inner, target := inmem.New(nil), inmem.New(nil)
	texts := []string{"\x1aslotway1:hello", "\x1aslotway1:01234567:" + base64.RawStdEncoding.EncodeToString(make([]byte, 40))}
	for i, text := range texts {
		say(t, inner, fmt.Sprint(i), text)
	}
	to := open(t, target, oldKey)
	if _, err := transfer.Copy(t.Context(), inner, to, nil); err != nil {
		t.Fatal(err)
	}
	for i, text := range texts {
		key := ada
		key.SessionID = fmt.Sprint(i)
		if list, err := to.Messages(t.Context(), key, memory.Page{}); err != nil || len(list) != 1 || list[0].Text != text {
			t.Errorf("%q is %+v, %v", text, list, err)
		}
	}
}

// A store says that it is encrypted: with no key and with another one it is not opened, nor is
// one opened with a key that is not encrypted.
func TestWhatAStoreSaysOfItself(t *testing.T) {
	inner := inmem.New(nil)
	if _, err := seal.Open(t.Context(), inner, nil); err != nil {
		t.Errorf("no key, nothing in it: %v", err)
	}
	fill(t, open(t, inner, oldKey))
	if _, err := seal.Open(t.Context(), inner, nil); !errors.Is(err, seal.ErrNoKey) {
		t.Errorf("no key: %v", err)
	}
	if _, err := seal.Open(t.Context(), inner, keys(t, newKey)); !errors.Is(err, seal.ErrWrongKey) {
		t.Errorf("another key: %v", err)
	}
	open(t, inner, newKey+","+oldKey) // rotated
	open(t, inner, newKey)
	if list, err := inner.Sessions(t.Context(), memory.Query{}); err != nil || len(list) != 1 {
		t.Errorf("the flag is listed: %v, %v", list, err)
	}
	if _, err := inner.Prune(t.Context(), time.Now().Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	if _, err := seal.Open(t.Context(), inner, nil); !errors.Is(err, seal.ErrNoKey) {
		t.Errorf("after pruning: %v", err)
	}
	plain := inmem.New(nil)
	fill(t, plain)
	if _, err := seal.Open(t.Context(), plain, keys(t, newKey)); !errors.Is(err, seal.ErrUnencrypted) || !strings.Contains(err.Error(), "store copy --unencrypted") {
		t.Errorf("a store that is not encrypted: %v", err)
	}
}

// What was stored before encryption was switched on is taken over by a copy.
func TestTakenOver(t *testing.T) {
	inner, target := inmem.New(nil), inmem.New(nil)
	fill(t, inner)
	r, err := transfer.Copy(t.Context(), inner, open(t, target, oldKey), nil)
	if err != nil || r.Added != 1 || r.Views != 1 {
		t.Fatalf("Copy = %+v, %v", r, err)
	}
	snap, err := open(t, target, oldKey).Load(t.Context(), ada, memory.LoadOptions{Recent: 5})
	if err != nil || snap.State.Params["p"] != secret {
		t.Errorf("Load = %+v, %v", snap, err)
	}
}
