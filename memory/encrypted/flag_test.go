package encrypted_test

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/encrypted"
	"github.com/slotway/slotway/memory/inmem"
	"github.com/slotway/slotway/memory/sqlite"
	"github.com/slotway/slotway/memory/storetest"
	"github.com/slotway/slotway/memory/transfer"
)

func TestStoreOnSQLite(t *testing.T) {
	storetest.Run(t, func(t *testing.T) memory.Backend {
		inner, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "memory.db"), nil)
		if err != nil {
			t.Fatal(err)
		}
		return open(t, inner, newKey, nil)
	})
}

func open(t *testing.T, inner memory.Backend, key string, opts *encrypted.Options) *encrypted.Store {
	t.Helper()
	store, err := encrypted.Open(t.Context(), inner, keys(t, key), opts)
	if err != nil {
		t.Fatal(err)
	}
	return store
}

// former is a store that release 2.1 has encrypted with oldKey.
func former(t *testing.T) memory.Backend {
	t.Helper()
	inner := inmem.New(nil)
	export, err := os.Open("testdata/form1.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer export.Close()
	if n, err := inner.Import(t.Context(), export); n != 1 || err != nil {
		t.Fatal(n, err)
	}
	data, err := os.ReadFile("testdata/form1.view")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := inner.PutViews(t.Context(), []memory.View{{Key: ada, Tier: "summary", ID: "a", UpTo: 1, Data: data}}); err != nil {
		t.Fatal(err)
	}
	return inner
}

// What an earlier release has sealed goes on: it is read, its state counts for no yes, and the
// next turn seals it anew. Nothing plain is taken there either, and a state that was sealed anew
// stays where it is.
func TestSealsOfAnEarlierRelease(t *testing.T) {
	inner, asked := former(t), 0
	again := &encrypted.Options{AskAgain: func(s *memory.State) error { asked++; s.PlanExecution = []byte(`{"asked":"again"}`); return nil }}
	for range 2 { // with the flag that the first start has written, too
		store := open(t, inner, oldKey, again)
		snap, err := store.Load(t.Context(), ada, memory.LoadOptions{Recent: 5, RequestID: "r"})
		if err != nil || snap.State.Params["p"] != secret || snap.Recent[0].Text != secret || snap.Replay == nil || string(snap.State.PlanExecution) != `{"asked":"again"}` {
			t.Fatalf("Load = %+v, %v", snap, err)
		}
		steps, err := store.Steps(t.Context(), ada)
		if err != nil || len(steps) != 1 || !strings.Contains(string(steps[0].Args)+string(steps[0].Result), secret) {
			t.Fatalf("Steps = %v, %v", steps, err)
		}
		turns, err := store.Turns(t.Context(), ada, memory.Page{})
		if err != nil || len(turns) != 1 || turns[0].Snapshot.State.Params["p"] != secret {
			t.Fatalf("Turns = %v, %v", turns, err)
		}
		views, err := store.Views(t.Context(), memory.ViewQuery{Tier: "summary"})
		if err != nil || len(views) != 1 || string(views[0].Data) != secret {
			t.Fatalf("Views = %v, %v", views, err)
		}
	}
	store := open(t, inner, oldKey, again)
	more(t, store)
	asked = 0
	if snap, err := store.Load(t.Context(), ada, memory.LoadOptions{Recent: 5}); err != nil || asked != 0 || snap.State.Params["q"] != "later" {
		t.Errorf("sealed anew: asked %d times, %v", asked, err)
	}
	undo, err := memory.NewConversations(store, 5).ForSession(t.Context(), ada)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := undo.Undo(t.Context()); err != nil || undo.Params()["p"] != secret || asked == 0 {
		t.Errorf("back to a state of the earlier form: %v, asked %d times", err, asked)
	}
	f := &forged{Backend: inner, snapshot: func(s *memory.Snapshot) { s.State.Params, s.State.LastResult = map[string]any{"p": "x"}, nil }}
	if _, err := open(t, f, oldKey, again).Load(t.Context(), ada, memory.LoadOptions{}); !errors.Is(err, encrypted.ErrUnencrypted) {
		t.Errorf("a plain state: %v", err)
	}
}

// What looks like a seal in a store that is taken over is what was said.
func TestTakenOverAsItWasSaid(t *testing.T) {
	inner, target := inmem.New(nil), inmem.New(nil)
	texts := []string{"\x1aslotway1:hello", "\x1aslotway1:01234567:" + base64.RawStdEncoding.EncodeToString(make([]byte, 40))}
	for i, text := range texts {
		say(t, guard(t, inner), fmt.Sprint(i), text)
	}
	to := open(t, target, oldKey, nil)
	if _, err := transfer.Copy(t.Context(), open(t, inner, oldKey, &encrypted.Options{Unencrypted: true}), to, nil); err != nil {
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

// Where encryption was switched on over an older store, what is encrypted goes on; each session
// from before says what to do.
func TestSessionsFromBeforeEncryption(t *testing.T) {
	inner := former(t)
	say(t, inner, "plain", "hello")
	store := open(t, inner, oldKey, nil)
	if snap, err := store.Load(t.Context(), ada, memory.LoadOptions{}); err != nil || snap.State.Params["p"] != secret {
		t.Errorf("an encrypted session: %v", err)
	}
	key := ada
	key.SessionID = "plain"
	if _, err := store.Load(t.Context(), key, memory.LoadOptions{Recent: 1}); !errors.Is(err, encrypted.ErrUnencrypted) || !strings.Contains(err.Error(), "--unencrypted") {
		t.Errorf("one from before: %v", err)
	}
}

// A store that began with bound seals takes no others.
func TestNoEarlierSealInANewStore(t *testing.T) {
	inner := inmem.New(nil)
	store := open(t, inner, oldKey, nil)
	export, err := os.ReadFile("testdata/form1.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := inner.Import(t.Context(), bytes.NewReader(export)); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := store.Load(t.Context(), ada, memory.LoadOptions{}); !errors.Is(err, encrypted.ErrUnencrypted) {
			t.Errorf("Load = %v", err)
		}
		store = open(t, inner, oldKey, nil)
	}
}

// A store says that it is encrypted: with no key and with another one it is not opened, nor is
// one opened with a key that is not encrypted.
func TestWhatAStoreSaysOfItself(t *testing.T) {
	inner := inmem.New(nil)
	if _, err := encrypted.NewGuard(t.Context(), inner); err != nil {
		t.Errorf("no key, nothing in it: %v", err)
	}
	fill(t, open(t, inner, oldKey, nil))
	if _, err := encrypted.NewGuard(t.Context(), inner); !errors.Is(err, encrypted.ErrNoKey) {
		t.Errorf("no key: %v", err)
	}
	if _, err := encrypted.Open(t.Context(), inner, keys(t, newKey), nil); !errors.Is(err, encrypted.ErrWrongKey) {
		t.Errorf("another key: %v", err)
	}
	open(t, inner, newKey+","+oldKey, nil) // rotated
	open(t, inner, newKey, nil)
	if list, err := inner.Sessions(t.Context(), memory.Query{}); err != nil || len(list) != 1 {
		t.Errorf("the flag is listed: %v, %v", list, err)
	}
	if _, err := inner.Prune(t.Context(), time.Now().Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	if _, err := encrypted.NewGuard(t.Context(), inner); !errors.Is(err, encrypted.ErrNoKey) {
		t.Errorf("after pruning: %v", err)
	}
	plain := inmem.New(nil)
	fill(t, plain)
	if _, err := encrypted.Open(t.Context(), plain, keys(t, newKey), nil); !errors.Is(err, encrypted.ErrUnencrypted) || !strings.Contains(err.Error(), "store copy --unencrypted") {
		t.Errorf("a store that is not encrypted: %v", err)
	}
}

// What was stored before encryption was switched on is taken over by a copy, without a yes.
func TestTakenOver(t *testing.T) {
	for name, inner := range map[string]memory.Backend{"plain": inmem.New(nil), "the earlier form": former(t)} {
		t.Run(name, func(t *testing.T) {
			if name == "plain" {
				fill(t, inner)
			}
			asked := 0
			from := open(t, inner, oldKey, &encrypted.Options{Unencrypted: true, AskAgain: func(*memory.State) error { asked++; return nil }})
			target := inmem.New(nil)
			to := open(t, target, oldKey, nil)
			r, err := transfer.Copy(t.Context(), from, to, nil)
			if err != nil || r.Added != 1 || r.Views != 1 || asked == 0 {
				t.Fatalf("Copy = %+v, %v; asked %d times", r, err, asked)
			}
			snap, err := open(t, target, oldKey, nil).Load(t.Context(), ada, memory.LoadOptions{Recent: 5})
			if err != nil || snap.State.Params["p"] != secret {
				t.Errorf("Load = %+v, %v", snap, err)
			}
			if flags, err := inner.Steps(t.Context(), memory.Key{UserID: "$sealed", AgentID: "$sealed", SessionID: "store"}); err != nil || len(flags) != 0 {
				t.Errorf("the source was changed: %v, %v", flags, err)
			}
		})
	}
}
