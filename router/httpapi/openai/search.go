package openai

import (
	"context"

	"github.com/slotway/slotway/memory"
)

// maxLooks is how many turns one request looks at to find where its history was said, each
// by two reads of the store: what the process remembers of one history, and all of it.
const maxLooks = 2 * maxAlike

// search looks for the session of one message.
type search struct {
	*Adapter
	owner memory.Key
	id    string // of the interaction
	looks int    // that are left
}

// resume finds a session in which an exchange was the newest, or one that can be forked
// there; nil: there is none.
func (s *search) resume(ctx context.Context, names []string, e exchange) (*place, error) {
	if refs, all := s.hints.get(names[0], s.opts.Now(), s.opts.Again); all && !s.opts.Shared {
		best, err := s.best(ctx, refs, e)
		if err != nil {
			return nil, err
		}
		if best != nil && best.kind != moved {
			return s.enter(ctx, best, s.id)
		}
	}
	var refs []ref
	for _, name := range names { // today's, then those of earlier keys
		found, err := s.find(ctx, s.owner, name)
		if err != nil {
			return nil, err
		}
		if refs = found; len(refs) > 0 {
			break
		}
	}
	best, err := s.best(ctx, refs, e)
	if best == nil || err != nil {
		return nil, err
	}
	return s.enter(ctx, best, s.id)
}

// best looks at turns and chooses one to which the message answers; nil: there is none.
func (s *search) best(ctx context.Context, refs []ref, e exchange) (*sighting, error) {
	var all []*sighting
	for _, at := range refs {
		if s.looks == 0 {
			break
		}
		s.looks--
		seen, err := s.look(ctx, s.owner, at, s.id, e)
		if err != nil {
			return nil, err
		}
		if seen != nil {
			all = append(all, seen)
		}
	}
	return choose(all, s.opts.Now().Add(-s.opts.Again)), nil
}
