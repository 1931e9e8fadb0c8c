package seal_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/slotway/slotway/internal/test/storetest"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/inmem"
	"github.com/slotway/slotway/memory/seal"
	"github.com/slotway/slotway/memory/sqlite"
)

var (
	oldKey = strings.Repeat("a1", 32)
	newKey = strings.Repeat("b2", 32)
	ada    = memory.Key{UserID: "ada", AgentID: "shop", SessionID: "one"}
)

func keys(t *testing.T, text string) *seal.Keys {
	t.Helper()
	k, err := seal.ParseKeys(text)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func TestStore(t *testing.T) {
	storetest.Run(t, func(t *testing.T) memory.Backend { return seal.New(inmem.New(nil), keys(t, newKey)) })
}

const secret = "canary-7f3a"

// fill commits a turn with the secret in every field that is to be sealed.
func fill(t *testing.T, store memory.Backend) {
	t.Helper()
	s, err := memory.NewConversations(store, 10).ForSession(t.Context(), ada)
	if err != nil {
		t.Fatal(err)
	}
	step := memory.Step{IdempotencyKey: "k", Tool: "pay", Args: []byte(`{"a":"` + secret + `"}`)}
	if err := s.Start(t.Context(), step); err != nil {
		t.Fatal(err)
	}
	s.Append(memory.Message{
		Role: memory.User, Text: secret, Metadata: map[string]string{"k": secret}, Timestamp: time.Now(),
		ToolCalls: []memory.ToolCall{{ID: "1", Tool: "pay", Args: []byte(`"` + secret + `"`)}},
	})
	s.SetState(memory.State{Params: map[string]any{"p": secret}, LastResult: []byte(`["` + secret + `"]`), PlanExecution: []byte(`{"x":"` + secret + `"}`)})
	step.Status, step.Result = memory.StepDone, []byte(`"`+secret+`"`)
	s.FinishStep(step)
	s.RecordTurn(memory.Turn{RequestID: "r", Response: []byte(`{"reply":"` + secret + `"}`)})
	if err := s.Commit(t.Context(), time.Now()); err != nil {
		t.Fatal(err)
	}
	if _, err := store.PutViews(t.Context(), []memory.View{{Key: ada, Tier: "summary", ID: "a", UpTo: 1, Data: []byte(secret)}}); err != nil {
		t.Fatal(err)
	}
}

// Nothing of the secret is in the file, and everything comes back.
func TestNothingInTheFile(t *testing.T) {
	dir := t.TempDir()
	inner, err := sqlite.Open(t.Context(), filepath.Join(dir, "memory.db"), nil)
	if err != nil {
		t.Fatal(err)
	}
	store := seal.New(inner, keys(t, newKey))
	fill(t, store)
	var b bytes.Buffer
	if err := store.Export(t.Context(), ada, &b); err != nil {
		t.Fatal(err)
	}
	// The message has it 3 times, the state 3, the turn's past as often, its response once, the step twice.
	if n := strings.Count(b.String(), secret); n != 12 {
		t.Errorf("the export has the secret %d times", n)
	}
	views, err := store.Views(t.Context(), memory.ViewQuery{Tier: "summary"})
	if err != nil || len(views) != 1 || string(views[0].Data) != secret {
		t.Errorf("views = %v, %v", views, err)
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	files, err := os.ReadDir(dir)
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, f := range files {
		data, err := os.ReadFile(filepath.Join(dir, f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(data, []byte(secret)) {
			t.Errorf("%s holds the secret", f.Name())
		}
	}
}

// With another key nothing can be read, and the error says what to do.
func TestWrongKey(t *testing.T) {
	inner := inmem.New(nil)
	fill(t, seal.New(inner, keys(t, oldKey)))
	wrong := seal.New(inner, keys(t, newKey))
	_, err := wrong.Load(t.Context(), ada, memory.LoadOptions{Recent: 5})
	if !errors.Is(err, seal.ErrWrongKey) || !strings.Contains(err.Error(), "put it behind the new one") || strings.Contains(err.Error(), secret) {
		t.Errorf("Load with the wrong key: %v", err)
	}
	rotated := seal.New(inner, keys(t, newKey+", "+oldKey))
	snap, err := rotated.Load(t.Context(), ada, memory.LoadOptions{Recent: 5})
	if err != nil || snap.State.Params["p"] != secret || snap.Recent[0].Text != secret {
		t.Fatalf("after rotation: %+v, %v", snap, err)
	}
	// What is written now needs the new key alone.
	s, err := memory.NewConversations(rotated, 1).ForSession(t.Context(), ada)
	if err != nil {
		t.Fatal(err)
	}
	s.Append(memory.Message{Role: memory.User, Text: "later", Timestamp: time.Now()})
	if err := s.Commit(t.Context(), time.Now()); err != nil {
		t.Fatal(err)
	}
	if snap, err := wrong.Load(t.Context(), ada, memory.LoadOptions{Recent: 1}); err != nil || snap.Recent[0].Text != "later" {
		t.Errorf("with the new key alone: %v", err)
	}
}

// Without a key a sealed session is refused, not misread.
func TestGuard(t *testing.T) {
	inner := inmem.New(nil)
	fill(t, seal.New(inner, keys(t, newKey)))
	if _, err := inner.Load(t.Context(), ada, memory.LoadOptions{Recent: 5}); !errors.Is(err, seal.ErrNoKey) {
		t.Errorf("Load of a sealed session: %v", err)
	}
	if _, err := inner.Messages(t.Context(), ada, memory.Page{}); !errors.Is(err, seal.ErrNoKey) {
		t.Errorf("Messages of a sealed session: %v", err)
	}
}

func TestParseKeys(t *testing.T) {
	for _, good := range []string{oldKey, strings.ToUpper(oldKey), oldKey + "," + newKey, "qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqo="} {
		if _, err := seal.ParseKeys(good); err != nil {
			t.Errorf("ParseKeys: %v", err)
		}
	}
	for _, bad := range []string{"", "short", oldKey + ",", oldKey[:62], "zz" + oldKey[2:]} {
		_, err := seal.ParseKeys(bad)
		if !errors.Is(err, seal.ErrBadKey) || bad != "" && strings.Contains(err.Error(), bad) {
			t.Errorf("ParseKeys of %d characters: %v", len(bad), err)
		}
	}
}
