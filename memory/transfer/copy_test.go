package transfer_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/inmem"
	"github.com/slotway/slotway/memory/transfer"
)

func sessionKey(n int) memory.Key {
	return memory.Key{UserID: "u", AgentID: "a", SessionID: fmt.Sprint(n)}
}

// speak commits a turn of a session, with a view of it.
func speak(t *testing.T, store memory.Backend, key memory.Key, text string) {
	t.Helper()
	at := time.UnixMicro(1_700_000_000_000_000).UTC()
	s, err := memory.NewConversations(store, 10).ForSession(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	s.Append(memory.Message{Role: memory.User, Text: text, Timestamp: at})
	s.RecordTurn(memory.Turn{RequestID: text, Outcome: "responded"})
	if err := s.Commit(t.Context(), at); err != nil {
		t.Fatal(err)
	}
	if _, err := store.PutViews(t.Context(), []memory.View{{Key: key, Tier: "summary", ID: "1", UpTo: 1, At: at, Data: []byte(text)}}); err != nil {
		t.Fatal(err)
	}
}

func mustCopy(t *testing.T, from, to memory.Backend, opts *transfer.CopyOptions, want transfer.CopyReport) {
	t.Helper()
	r, err := transfer.Copy(t.Context(), from, to, opts)
	if err != nil {
		t.Fatalf("Copy: %v", err)
	}
	if diff := cmp.Diff(want, r, cmpopts.IgnoreFields(transfer.CopyReport{}, "SHA256")); diff != "" {
		t.Errorf("report (-want +got):\n%s", diff)
	}
	if len(r.SHA256) != 64 {
		t.Errorf("the digest is %q", r.SHA256)
	}
}

// A copy is broken off, taken up, finds all of it there, and follows a session that went on.
func TestCopy(t *testing.T) {
	from, to := inmem.New(nil), inmem.New(nil)
	for i := range 5 {
		speak(t, from, sessionKey(i), fmt.Sprint("one ", i))
	}
	broken := &faulty{Backend: to, imports: 3}
	if r, err := transfer.Copy(t.Context(), from, broken, nil); !errors.Is(err, memory.ErrUnavailable) || r.Added != 3 {
		t.Fatalf("Copy = %+v, %v", r, err)
	}
	mustCopy(t, from, to, nil, transfer.CopyReport{Sessions: 5, Added: 2, There: 3, Messages: 5, Turns: 5, Views: 5})
	mustCopy(t, from, to, nil, transfer.CopyReport{Sessions: 5, There: 5, Messages: 5, Turns: 5, Views: 5})

	speak(t, from, sessionKey(2), "two")
	mustCopy(t, from, to, nil, transfer.CopyReport{Sessions: 5, There: 4, Conflicts: 1, Messages: 4, Turns: 4, Views: 4})
	mustCopy(t, from, to, &transfer.CopyOptions{Replace: true}, transfer.CopyReport{Sessions: 5, There: 4, Replaced: 1, Messages: 6, Turns: 6, Views: 5})

	// What went on in the target is not overwritten by what did not.
	speak(t, to, sessionKey(3), "elsewhere")
	speak(t, to, sessionKey(3), "again")
	mustCopy(t, from, to, &transfer.CopyOptions{Replace: true}, transfer.CopyReport{Sessions: 5, There: 4, Conflicts: 1, Messages: 5, Turns: 5, Views: 4})
}

// What changes in the source during a copy is told.
func TestCopyOfALiveStore(t *testing.T) {
	from, to := inmem.New(nil), inmem.New(nil)
	for i := range 4 {
		speak(t, from, sessionKey(i), fmt.Sprint("one ", i))
	}
	r, err := transfer.Copy(t.Context(), from, to, &transfer.CopyOptions{Progress: func(done, _ int) {
		if done != 4 {
			return
		}
		speak(t, from, sessionKey(0), "more")
		speak(t, from, sessionKey(9), "new")
		if err := from.Delete(t.Context(), sessionKey(1)); err != nil {
			t.Error(err)
		}
	}})
	if err != nil || r.Changed != 3 || r.Added != 4 {
		t.Errorf("Copy = %+v, %v", r, err)
	}
}

// A target that gives back something else than it was given is noticed.
func TestCopyThatDiffers(t *testing.T) {
	from := inmem.New(nil)
	speak(t, from, sessionKey(1), "one")
	if _, err := transfer.Copy(t.Context(), from, &faulty{Backend: inmem.New(nil), imports: 9, lies: true}, nil); !errors.Is(err, transfer.ErrDiffers) {
		t.Errorf("Copy: %v, want %v", err, transfer.ErrDiffers)
	}
}

// faulty fails after some imports, or exports something else.
type faulty struct {
	memory.Backend
	imports int
	lies    bool
}

func (f *faulty) Import(ctx context.Context, r io.Reader) (int, error) {
	if f.imports--; f.imports < 0 {
		return 0, memory.ErrUnavailable
	}
	return f.Backend.Import(ctx, r)
}

func (f *faulty) Export(ctx context.Context, key memory.Key, w io.Writer) error {
	if f.lies {
		io.WriteString(w, "\n")
	}
	return f.Backend.Export(ctx, key, w)
}
