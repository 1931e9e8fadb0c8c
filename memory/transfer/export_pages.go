package transfer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/slotway/slotway/memory"
)

// exportPage is how many messages or turns an export holds at once.
const exportPage = 200

// Export writes a session of a store as JSON lines, a page at a time: stores use it for their own
// Export. It leaves out what is said meanwhile. ErrNotFound: no such session; ErrConflict: part of
// it was undone or deleted meanwhile, so that the output is useless. It leaves out damaged parts,
// and the last line counts them; ErrCorrupt: the state is damaged.
func Export(ctx context.Context, store memory.Reader, key memory.Key, w io.Writer) error {
	if err := key.Validate(); err != nil {
		return err
	}
	e := &exporting{store: store, key: key, out: NewWriter(w)}
	if err := e.begin(ctx); err != nil {
		return err
	}
	for _, part := range []func(context.Context) error{e.messages, e.turns, e.journal, e.unchanged} {
		if err := part(ctx); err != nil {
			return err
		}
	}
	return e.out.End()
}

// exporting is the state of one export.
type exporting struct {
	store        memory.Reader
	key          memory.Key
	out          *Writer
	snap         *memory.Snapshot
	steps        []memory.Step
	stepsDamaged bool // some of the journal is damaged

	aboutDamaged bool // what is said of the session is damaged
}

// begin finds the session as it is at one moment, and writes header and state.
func (e *exporting) begin(ctx context.Context) error {
	var err error
	if e.snap, err = e.store.Load(ctx, e.key, memory.LoadOptions{Fresh: true}); err != nil {
		return err
	}
	if e.steps, err = e.store.Steps(ctx, e.key); err != nil && !errors.Is(err, memory.ErrCorrupt) {
		return err
	}
	e.stepsDamaged = err != nil
	infos, err := e.store.Sessions(ctx, memory.Query{UserID: e.key.UserID, AgentID: e.key.AgentID, SessionID: e.key.SessionID, Limit: 1})
	if err != nil {
		return err
	}
	if e.snap.State.Version == 0 || len(infos) == 0 {
		_, err := e.store.Messages(ctx, e.key, memory.Page{Limit: 1}) // it tells a damaged session from none
		return cmp.Or(err, memory.ErrNotFound)
	}
	e.steps = slices.DeleteFunc(e.steps, func(s memory.Step) bool { return s.Turn > e.snap.Turns+1 }) // of turns that came meanwhile
	e.aboutDamaged = infos[0].Damaged
	s := e.snap
	if err := e.out.Header(&Header{Key: e.key, Counters: s.Counters, CreatedAt: s.CreatedAt, UpdatedAt: s.UpdatedAt, About: infos[0].About}); err != nil {
		return err
	}
	if e.aboutDamaged {
		e.out.AddMissing(1)
	}
	return e.out.State(&s.State)
}

func (e *exporting) messages(ctx context.Context) error {
	for next := int64(1); next < e.snap.NextSeq; {
		page, err := e.store.Messages(ctx, e.key, memory.Page{After: next - 1, Limit: exportPage, Inactive: true})
		if err != nil {
			return err
		}
		if len(page) == 0 {
			return e.lost()
		}
		for i := range page {
			if page[i].Seq >= e.snap.NextSeq {
				return nil
			}
			if page[i].Damaged() {
				e.out.AddMissing(1)
			}
			if err := e.out.Message(&page[i]); err != nil {
				return err
			}
		}
		next = page[len(page)-1].Seq + 1
	}
	return nil
}

// turns writes the turns. An empty one stands for each that is lost, so that none is missing of those that the
// session counts.
func (e *exporting) turns(ctx context.Context) error {
	next := int64(1)
	until := func(end int64) error {
		for ; next < end; next++ {
			e.out.AddMissing(1)
			if err := e.out.Turn(&memory.Turn{Number: next, At: e.snap.CreatedAt}); err != nil {
				return err
			}
		}
		return nil
	}
	for next <= e.snap.Turns {
		page, err := e.store.Turns(ctx, e.key, memory.Page{After: next - 1, Limit: exportPage, Inactive: true})
		if err != nil {
			return err
		}
		if len(page) == 0 || page[0].Number > e.snap.Turns {
			return until(e.snap.Turns + 1)
		}
		for i := range page {
			if err := until(min(page[i].Number, e.snap.Turns+1)); err != nil || next > e.snap.Turns {
				return err
			}
			if err := e.out.Turn(&page[i]); err != nil {
				return err
			}
			next++
		}
	}
	return nil
}

func (e *exporting) journal(context.Context) error {
	if e.stepsDamaged {
		e.out.AddMissing(1)
	}
	for i := range e.steps {
		if err := e.out.Step(&e.steps[i]); err != nil {
			return err
		}
	}
	return nil
}

// unchanged reports whether only turns were added since the export began.
func (e *exporting) unchanged(ctx context.Context) error {
	now, err := e.store.Load(ctx, e.key, memory.LoadOptions{Fresh: true})
	if err != nil {
		return err
	}
	was := e.snap
	if !now.CreatedAt.Equal(was.CreatedAt) || now.State.Version-was.State.Version != now.Turns-was.Turns {
		return e.lost()
	}
	return nil
}

func (e *exporting) lost() error {
	return fmt.Errorf("the session was taken back or deleted in part while it was exported; export it again: %w", memory.ErrConflict)
}
