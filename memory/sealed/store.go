package sealed

import (
	"bytes"
	"context"
	"fmt"
	"io"

	"github.com/slotway/slotway/memory"
)

// Store is a store whose contents are sealed.
type Store struct {
	memory.Store // what needs no key: jobs, listing, deleting

	keys *Keys
}

var _ memory.Store = (*Store)(nil)

// New wraps a store. What is in it already, unsealed, can still be read.
func New(store memory.Store, keys *Keys) *Store { return &Store{store, keys} }

// Load implements memory.Store.
func (s *Store) Load(ctx context.Context, key memory.Key, opts memory.LoadOptions) (*memory.Snapshot, error) {
	snap, err := s.Store.Load(ctx, key, opts)
	if err != nil {
		return nil, err
	}
	c := s.keys.box(key).opening()
	if err := c.state(&snap.State); err != nil {
		return nil, err
	}
	if err := c.messages(snap.Recent); err != nil {
		return nil, err
	}
	if snap.Replay != nil {
		if err := c.turn(snap.Replay); err != nil {
			return nil, err
		}
	}
	return snap, c.steps(snap.Unsettled)
}

// Commit implements memory.Store.
func (s *Store) Commit(ctx context.Context, delta *memory.Delta) error {
	if err := delta.Validate(); err != nil {
		return err
	}
	d := delta.Clone()
	c := s.keys.box(d.Key).sealing()
	if err := c.state(&d.State); err != nil {
		return err
	}
	if err := c.messages(d.Messages); err != nil {
		return err
	}
	if d.Turn != nil {
		if err := c.turn(d.Turn); err != nil {
			return err
		}
	}
	if err := c.steps(d.Steps); err != nil {
		return err
	}
	return s.Store.Commit(ctx, d)
}

// Start implements memory.Store.
func (s *Store) Start(ctx context.Context, key memory.Key, base int64, step memory.Step) error {
	step = step.Clone()
	if err := s.keys.box(key).sealing().step(&step); err != nil {
		return err
	}
	return s.Store.Start(ctx, key, base, step)
}

// Messages implements memory.Store.
func (s *Store) Messages(ctx context.Context, key memory.Key, page memory.Page) ([]memory.Message, error) {
	list, err := s.Store.Messages(ctx, key, page)
	if err != nil {
		return nil, err
	}
	return list, s.keys.box(key).opening().messages(list)
}

// Turns implements memory.Store.
func (s *Store) Turns(ctx context.Context, key memory.Key, page memory.Page) ([]memory.Turn, error) {
	list, err := s.Store.Turns(ctx, key, page)
	if err != nil {
		return nil, err
	}
	c := s.keys.box(key).opening()
	for i := range list {
		if err := c.turn(&list[i]); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// Steps implements memory.Store.
func (s *Store) Steps(ctx context.Context, key memory.Key) ([]memory.Step, error) {
	list, err := s.Store.Steps(ctx, key)
	if err != nil {
		return nil, err
	}
	return list, s.keys.box(key).opening().steps(list)
}

// PutViews implements memory.Views.
func (s *Store) PutViews(ctx context.Context, views []memory.View) (int, error) {
	sealed := make([]memory.View, len(views))
	for i, v := range views {
		if err := v.Validate(); err != nil {
			return 0, err
		}
		data, err := s.keys.box(v.Key).seal(string(v.Data), viewPlace(&v))
		if err != nil {
			return 0, err
		}
		v.Data = []byte(data)
		sealed[i] = v
	}
	return s.Store.PutViews(ctx, sealed)
}

// Views implements memory.Views.
func (s *Store) Views(ctx context.Context, q memory.ViewQuery) ([]memory.View, error) {
	list, err := s.Store.Views(ctx, q)
	if err != nil {
		return nil, err
	}
	for i := range list {
		v := &list[i]
		data, err := s.keys.box(v.Key).open(string(v.Data), viewPlace(v))
		if err != nil {
			return nil, err
		}
		v.Data = []byte(data)
	}
	return list, nil
}

func viewPlace(v *memory.View) string { return fmt.Sprintf("view %s %s", v.Tier, v.ID) }

// Export implements memory.Store. An export is readable: it is the person's own.
func (s *Store) Export(ctx context.Context, key memory.Key, w io.Writer) error {
	var whole bytes.Buffer
	if err := s.Store.Export(ctx, key, &whole); err != nil {
		return err
	}
	return memory.ReadArchives(&whole, func(a *memory.Archive) error {
		if err := s.keys.box(key).opening().archive(a); err != nil {
			return err
		}
		return a.Write(w)
	})
}

// Import implements memory.Store.
func (s *Store) Import(ctx context.Context, r io.Reader) (int, error) {
	n := 0
	err := memory.ReadArchives(r, func(a *memory.Archive) error {
		if err := s.keys.box(a.Key).sealing().archive(a); err != nil {
			return err
		}
		var sealed bytes.Buffer
		if err := a.Write(&sealed); err != nil {
			return err
		}
		added, err := s.Store.Import(ctx, &sealed)
		n += added
		return err
	})
	return n, err
}
