package transfer_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/inmem"
	"github.com/slotway/slotway/memory/transfer"
)

// endless is a store with one long session that is made as it is read, and counts how many
// messages and turns it has handed out that were not written yet.
type endless struct {
	memory.Backend
	rows    int64
	version int64 // is added at the second look; see Load
	out     int64
	most    int64
}

var long = memory.Key{UserID: "u", AgentID: "a", SessionID: "long"}

func (e *endless) Load(context.Context, memory.Key, memory.LoadOptions) (*memory.Snapshot, error) {
	snap := memory.NewSnapshot(long)
	snap.NextSeq, snap.Turns, snap.CreatedAt = e.rows+1, e.rows, time.Unix(1, 0)
	snap.Version = e.rows + e.version
	snap.State.Version = snap.Version
	return snap, nil
}

func (e *endless) Sessions(context.Context, memory.Query) ([]memory.Info, error) {
	return []memory.Info{{Key: long}}, nil
}

func (e *endless) Steps(context.Context, memory.Key) ([]memory.Step, error) { return nil, nil }

func (e *endless) handed(n int64) {
	e.out += n
	e.most = max(e.most, e.out)
}

func (e *endless) Messages(_ context.Context, _ memory.Key, p memory.Page) (list []memory.Message, err error) {
	for seq := p.After + 1; seq <= min(e.rows, p.After+int64(p.Size())); seq++ {
		list = append(list, memory.Message{Seq: seq, Turn: seq, Role: memory.User, Text: strings.Repeat("x", 1000)})
	}
	e.handed(int64(len(list)))
	return list, nil
}

func (e *endless) Turns(_ context.Context, _ memory.Key, p memory.Page) (list []memory.Turn, err error) {
	for n := p.After + 1; n <= min(e.rows, p.After+int64(p.Size())); n++ {
		list = append(list, memory.Turn{Number: n, RequestID: fmt.Sprint(n), Response: []byte(`{"reply":"` + strings.Repeat("y", 1000) + `"}`)})
	}
	e.handed(int64(len(list)))
	return list, nil
}

// written is what an export goes to: a line is a row that is not held any more.
type written struct {
	to io.Writer
	of *endless
}

func (w written) Write(p []byte) (int, error) {
	w.of.out -= int64(bytes.Count(p, []byte("\n")))
	return w.to.Write(p)
}

// An export holds a page and what its buffer has room for, however long the session is.
func TestLongSessionsAreNeverHeld(t *testing.T) {
	const rows = 5000
	store := &endless{Backend: inmem.New(nil), rows: rows}
	total := 0
	err := transfer.Pipe(nil, func(_ io.Reader, w io.Writer) error {
		return transfer.Export(t.Context(), store, long, written{w, store})
	}, func(r io.Reader) error {
		return transfer.Read(r, &transfer.Parts{
			Message: func(*memory.Message) error { total++; return nil },
			Turn:    func(*memory.Turn) error { total++; return nil },
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	if store.most > 300 {
		t.Errorf("the export held %d rows", store.most)
	}
	if total != 2*rows {
		t.Errorf("%d rows came in, want %d", total, 2*rows)
	}
}

// goesOn is a store whose session is changed while it is exported.
type goesOn struct {
	*endless
	loads int
	undo  bool
}

func (g *goesOn) Load(ctx context.Context, key memory.Key, opts memory.LoadOptions) (*memory.Snapshot, error) {
	snap, err := g.endless.Load(ctx, key, opts)
	if g.loads++; g.loads == 2 { // after the rows
		snap.State.Version++
		if !g.undo {
			snap.Turns++
			snap.NextSeq++
		}
	}
	return snap, err
}

// What is said while a session is exported is left out; what was taken back meanwhile makes the
// export one that no import takes.
func TestExportOfASessionThatGoesOn(t *testing.T) {
	for _, undo := range []bool{false, true} {
		store := &goesOn{endless: &endless{Backend: inmem.New(nil), rows: 500}, undo: undo}
		var out bytes.Buffer
		err := transfer.Export(t.Context(), store, long, &out)
		n, bad := inmem.New(nil).Import(t.Context(), &out)
		switch {
		case undo && (!errors.Is(err, memory.ErrConflict) || !errors.Is(bad, memory.ErrBadExport) && n != 0):
			t.Errorf("taken back: %v, and the import %d, %v", err, n, bad)
		case !undo && (err != nil || n != 1 || bad != nil):
			t.Errorf("said: %v, and the import %d, %v", err, n, bad)
		}
	}
}
