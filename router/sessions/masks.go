package sessions

import (
	"context"
	"errors"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/router/telemetry"
)

// Masks makes the masks of sessions, each once. Those of a nil Masks, and of the zero value, hide everything.
// It is not safe for concurrent use.
type Masks struct {
	redactor *telemetry.Redactor
	made     map[memory.Key]*Mask
	kept     *MaskCache
}

// revealAll makes masks that hide nothing.
var revealAll = &Masks{}

// RevealAll returns Masks that hide nothing. Who asks for them has checked that the caller may see all.
func RevealAll() *Masks { return revealAll }

// Reveal reports whether the masks hide nothing.
func (s *Masks) Reveal() bool { return s == revealAll }

// NewMasks returns masks for the sessions of a store.
func NewMasks(store memory.Reader, r *telemetry.Redactor) *Masks {
	return NewMaskCache(store, nil).Masks(r)
}

// Of returns the mask of a session.
func (s *Masks) Of(ctx context.Context, key memory.Key) (*Mask, error) {
	switch {
	case s.Reveal():
		return Reveal(), nil
	case s == nil || s.kept == nil:
		return nil, nil
	}
	if m := s.made[key]; m != nil {
		return m, nil
	}
	b, err := s.kept.look(ctx, key, s.redactor)
	if err != nil {
		return nil, err
	}
	m := b.mask()
	s.made[key] = m
	return m, nil
}

// Recalled masks copies of recalled messages, each with the mask of its own session. It drops
// messages of a session that cannot be read, because its values to hide are unknown.
func (s *Masks) Recalled(ctx context.Context, found []memory.Recalled) ([]memory.Recalled, error) {
	if s.Reveal() {
		return found, nil
	}
	out := make([]memory.Recalled, 0, len(found))
	for _, r := range found {
		m, err := s.Of(ctx, r.Key)
		if errors.Is(err, memory.ErrCorrupt) {
			continue
		}
		if err != nil {
			return nil, err
		}
		r.Message, r.Before, r.After = m.Message(r.Message), m.Messages(r.Before), m.Messages(r.After)
		out = append(out, r)
	}
	return out, nil
}

// Context masks a copy of the context that a model would get.
func (s *Masks) Context(ctx context.Context, key memory.Key, c memory.Context) (memory.Context, error) {
	m, err := s.Of(ctx, key)
	if err != nil {
		return memory.Context{}, err
	}
	if c.Recalled, err = s.Recalled(ctx, c.Recalled); err != nil {
		return memory.Context{}, err
	}
	c.System, c.Kept, c.Recent = m.Messages(c.System), m.Messages(c.Kept), m.Messages(c.Recent)
	c.Facts, c.Narrative = m.Facts(c.Facts), m.Text(c.Narrative)
	return c, nil
}
