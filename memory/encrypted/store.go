package encrypted

import (
	"cmp"
	"context"
	"io"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/transfer"
)

// Store is a store whose contents are encrypted.
type Store struct {
	memory.Backend // what needs no key: jobs, listing, deleting

	keys *Keys
	// Report is called with stored values that were skipped, because they cannot be decrypted and
	// can be made again.
	Report func(memory.Key, error)
}

var _ memory.Backend = (*Store)(nil)

// New wraps a store in which everything is encrypted; Open asks whether it is.
func New(store memory.Backend, keys *Keys) *Store { return &Store{Backend: store, keys: keys} }

// Load implements memory.Store.
func (s *Store) Load(ctx context.Context, key memory.Key, opts memory.LoadOptions) (*memory.Snapshot, error) {
	snap, err := s.Backend.Load(ctx, key, opts)
	if err != nil {
		return nil, err
	}
	if opts.Salvage {
		return s.salvage(ctx, snap)
	}
	b := s.keys.box(key)
	if v := snap.State.Version; v > 0 {
		at := position{snap.NextSeq, snap.Turns, micros(snap.UpdatedAt)}
		if err := b.state(v, &snap.State, at); err != nil {
			return nil, err
		}
	}
	if err := b.messages(snap.Recent); err != nil {
		return nil, err
	}
	if snap.Replay != nil {
		if err := b.turn(snap.Replay); err != nil {
			return nil, err
		}
	}
	return snap, b.steps(snap.OpenSteps)
}

// Commit implements memory.Store.
func (s *Store) Commit(ctx context.Context, delta *memory.Delta) error {
	if err := delta.Validate(); err != nil {
		return err
	}
	d := delta.Clone()
	b := s.keys.box(d.Key)
	at := position{updated: micros(d.At)}
	if n := len(d.Messages); n > 0 {
		at.next = d.Messages[n-1].Seq + 1
	}
	if d.Turn != nil {
		at.turns, d.Turn.Snapshot = d.Turn.Number, nil
		if err := b.sealTurn(d.Turn); err != nil {
			return err
		}
	}
	if err := b.sealState(d.Base+1, &d.State, at); err != nil {
		return err
	}
	for i := range d.Messages {
		if err := b.sealMessage(&d.Messages[i]); err != nil {
			return err
		}
	}
	for i := range d.Steps {
		if err := b.sealStep(&d.Steps[i]); err != nil {
			return err
		}
	}
	return s.Backend.Commit(ctx, d)
}

// Start implements memory.Store.
func (s *Store) Start(ctx context.Context, key memory.Key, base int64, step memory.Step) error {
	step = step.Clone()
	step.Status = memory.StepStarted
	if err := s.keys.box(key).sealStep(&step); err != nil {
		return err
	}
	return s.Backend.Start(ctx, key, base, step)
}

// Messages implements memory.Reader.
func (s *Store) Messages(ctx context.Context, key memory.Key, page memory.Page) ([]memory.Message, error) {
	list, err := s.Backend.Messages(ctx, key, page)
	if err != nil {
		return nil, err
	}
	b := s.keys.box(key)
	if !page.Salvage {
		return list, b.messages(list)
	}
	for i := range list {
		if list[i].Damaged() {
			continue
		}
		if err := b.message(&list[i]); damaged(err) {
			list[i] = memory.DamagedMessage(list[i].Seq)
		} else if err != nil {
			return nil, err
		}
	}
	return list, nil
}

// Turns implements memory.Reader.
func (s *Store) Turns(ctx context.Context, key memory.Key, page memory.Page) ([]memory.Turn, error) {
	list, err := s.Backend.Turns(ctx, key, page)
	if err != nil {
		return nil, err
	}
	b, whole := s.keys.box(key), list[:0]
	for i := range list {
		err := b.turn(&list[i])
		if page.Salvage && damaged(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		whole = append(whole, list[i])
	}
	return whole, nil
}

// Steps implements memory.Reader.
func (s *Store) Steps(ctx context.Context, key memory.Key) ([]memory.Step, error) {
	list, err := s.Backend.Steps(ctx, key)
	if err != nil && !damaged(err) {
		return nil, err
	}
	b, sound := s.keys.box(key), list[:0]
	for i := range list {
		failed := b.step(&list[i])
		switch {
		case failed == nil:
			sound = append(sound, list[i])
		case !damaged(failed):
			return nil, failed
		}
		err = cmp.Or(err, failed)
	}
	return sound, err
}

// Describe implements memory.Admin.
func (s *Store) Describe(ctx context.Context, key memory.Key, about memory.About) error {
	if err := about.WellFormed(); err != nil {
		return err
	}
	about = about.Clone()
	if err := s.keys.box(key).sealAbout(&about); err != nil {
		return err
	}
	return s.Backend.Describe(ctx, key, about)
}

// Sessions implements memory.Reader.
func (s *Store) Sessions(ctx context.Context, q memory.Query) ([]memory.Info, error) {
	list, err := s.Backend.Sessions(ctx, q)
	if err != nil {
		return nil, err
	}
	for i := range list {
		err := s.keys.box(list[i].Key).about(&list[i].About)
		if damaged(err) { // the others are listed
			list[i].About, list[i].Damaged, err = memory.About{}, true, nil
		}
		if err != nil {
			return nil, err
		}
	}
	return list, nil
}

// PutViews implements memory.Views.
func (s *Store) PutViews(ctx context.Context, views []memory.View) (int, error) {
	encrypted := make([]memory.View, len(views))
	for i, v := range views {
		if err := v.Validate(); err != nil {
			return 0, err
		}
		data, err := s.keys.box(v.Key).seal(v.Data, viewAAD(&v))
		if err != nil {
			return 0, err
		}
		v.Data = []byte(data)
		encrypted[i] = v
	}
	return s.Backend.PutViews(ctx, encrypted)
}

// Views implements memory.Views. It skips and reports a view that does not open: it can be made
// again, and those of other sessions are not affected.
func (s *Store) Views(ctx context.Context, q memory.ViewQuery) ([]memory.View, error) {
	list, err := s.Backend.Views(ctx, q)
	if err != nil {
		return nil, err
	}
	kept := list[:0]
	for i := range list {
		v := list[i]
		if err := s.openView(&v); err == nil {
			kept = append(kept, v)
		} else if s.Report != nil {
			s.Report(v.Key, err)
		}
	}
	return kept, nil
}

func (s *Store) openView(v *memory.View) (err error) {
	v.Data, err = s.keys.box(v.Key).open(string(v.Data), viewAAD(v))
	return err
}

// Export implements memory.Transfer. An export is readable: it belongs to the person.
func (s *Store) Export(ctx context.Context, key memory.Key, w io.Writer) error {
	return transfer.Export(ctx, s, key, w)
}

// Import implements memory.Transfer.
func (s *Store) Import(ctx context.Context, r io.Reader) (n int, err error) {
	err = transfer.Pipe(r, s.sealExport, func(r io.Reader) error {
		n, err = s.Backend.Import(ctx, r)
		return err
	})
	return n, err
}

// sealExport encrypts an export and writes it in the same form.
func (s *Store) sealExport(r io.Reader, w io.Writer) error {
	out := transfer.NewWriter(w)
	parts := out.Parts()
	var b box
	var head transfer.Header
	parts.Header = func(h *transfer.Header) error {
		head, b = *h, s.keys.box(h.Key)
		if err := b.sealAbout(&h.About); err != nil {
			return err
		}
		return out.Header(h)
	}
	parts.State = func(state *memory.State) error {
		at := position{head.Counters.NextSeq, head.Counters.Turns, micros(head.UpdatedAt)}
		if err := b.sealState(head.Counters.Version, state, at); err != nil {
			return err
		}
		return out.State(state)
	}
	parts.Message = func(m *memory.Message) error {
		if err := b.sealMessage(m); err != nil {
			return err
		}
		return out.Message(m)
	}
	parts.Turn = func(t *memory.Turn) error {
		if err := b.sealTurn(t); err != nil {
			return err
		}
		return out.Turn(t)
	}
	parts.Step = func(step *memory.Step) error {
		if err := b.sealStep(step); err != nil {
			return err
		}
		return out.Step(step)
	}
	return transfer.Read(r, parts)
}
