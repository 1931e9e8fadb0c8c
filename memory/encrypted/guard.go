package encrypted

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/transfer"
)

// Guard is a store without keys that refuses encrypted sessions: otherwise their ciphertext would
// be taken for text. A text that begins like ciphertext is stored behind an escape prefix.
type Guard struct {
	memory.Backend
	// AskAgain, where it is set, takes every confirmation out of a state that is read.
	AskAgain func(*memory.State) error
}

// escapePrefix begins a stored text that itself begins with sealPrefix, as ciphertext does.
const (
	escapePrefix = sealPrefix + "0:"
	sealPrefix   = "\x1aslotway"
)

// NewGuard returns a store without keys. ErrNoKey: the store is marked as encrypted.
func NewGuard(ctx context.Context, store memory.Backend) (Guard, error) {
	flags, err := store.Steps(ctx, flagKey)
	if len(flags) > 0 || errors.Is(err, memory.ErrCorrupt) { // a damaged flag is one, too
		return Guard{}, ErrNoKey
	}
	if err != nil {
		return Guard{}, fmt.Errorf("read whether the store is encrypted: %w", err)
	}
	return Guard{Backend: store}, nil
}

// Load implements memory.Store. ErrNoKey: the session is encrypted.
func (g Guard) Load(ctx context.Context, key memory.Key, opts memory.LoadOptions) (*memory.Snapshot, error) {
	snap, err := g.Backend.Load(ctx, key, opts)
	if err != nil {
		return nil, err
	}
	if held, ok := snap.State.Params[encryptedName].(string); ok && len(snap.State.Params) == 1 && isSeal(held) {
		return nil, ErrNoKey
	}
	if g.AskAgain != nil {
		if err := g.AskAgain(&snap.State); err != nil {
			return nil, err
		}
	}
	return snap, unescapeAll(snap.Recent)
}

// Turns implements memory.Reader.
func (g Guard) Turns(ctx context.Context, key memory.Key, page memory.Page) ([]memory.Turn, error) {
	list, err := g.Backend.Turns(ctx, key, page)
	for i := range list {
		if past := list[i].Snapshot; past != nil && g.AskAgain != nil {
			err = errors.Join(err, g.AskAgain(&past.State))
		}
	}
	return list, err
}

// Messages implements memory.Reader. ErrNoKey as for Load.
func (g Guard) Messages(ctx context.Context, key memory.Key, page memory.Page) ([]memory.Message, error) {
	list, err := g.Backend.Messages(ctx, key, page)
	if err != nil {
		return nil, err
	}
	return list, unescapeAll(list)
}

// Commit implements memory.Store.
func (g Guard) Commit(ctx context.Context, d *memory.Delta) error {
	if slices.ContainsFunc(d.Messages, func(m memory.Message) bool { return strings.HasPrefix(m.Text, sealPrefix) }) {
		d = d.Clone()
		for i := range d.Messages {
			escape(&d.Messages[i])
		}
	}
	return g.Backend.Commit(ctx, d)
}

// Export implements memory.Transfer.
func (g Guard) Export(ctx context.Context, key memory.Key, w io.Writer) error {
	return transfer.Export(ctx, g, key, w)
}

// Import implements memory.Transfer.
func (g Guard) Import(ctx context.Context, r io.Reader) (n int, err error) {
	err = transfer.Pipe(r, func(r io.Reader, w io.Writer) error {
		out := transfer.NewWriter(w)
		parts := out.Parts()
		parts.Message = func(m *memory.Message) error {
			escape(m)
			return out.Message(m)
		}
		return transfer.Read(r, parts)
	}, func(r io.Reader) error {
		n, err = g.Backend.Import(ctx, r)
		return err
	})
	return n, err
}

func escape(m *memory.Message) {
	if strings.HasPrefix(m.Text, sealPrefix) {
		m.Text = escapePrefix + m.Text
	}
}

// unescapeAll restores messages as they were said.
func unescapeAll(list []memory.Message) error {
	for i := range list {
		if isSeal(list[i].Text) {
			return ErrNoKey
		}
		list[i].Text = strings.TrimPrefix(list[i].Text, escapePrefix)
	}
	return nil
}

// isSeal reports whether a text is ciphertext: one that was said is stored behind escapePrefix.
func isSeal(text string) bool { return strings.HasPrefix(text, mark) }
