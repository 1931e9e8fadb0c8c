package openai

import (
	"cmp"
	"context"

	"github.com/google/uuid"

	"github.com/slotway/slotway/memory"
)

// How a turn came to its session, as answers say it.
const (
	began     = "new"       // a session of its own
	continued = "continued" // the one that was named, or in which the history was said
	forked    = "forked"    // a copy of one as it stood when the history was said
	unknown   = "unknown"   // a new one: the history was said elsewhere, or is forgotten
)

// place is where a turn is to run.
type place struct {
	key     memory.Key
	id      string // of the interaction
	version int64  // at which the session must stand; 0: any
	history string // digest under which the turn is to be found again; "": it is not
	how     string // "": began or continued, the turn's number tells
	release func() // is called when the turn is over; nil: nothing is held
}

// place finds the session of a request.
func (f *Face) place(ctx context.Context, owner memory.Key, q *request) (place, error) {
	switch {
	case q.previous != "":
		return f.follow(ctx, owner, q)
	case q.session != "":
		return f.named(ctx, owner, q)
	}
	return f.recognise(ctx, owner, q)
}

// named is the session that a request names.
func (f *Face) named(ctx context.Context, owner memory.Key, q *request) (place, error) {
	p := place{key: owner, id: cmp.Or(q.key, uuid.NewString())}
	p.key.SessionID = q.session
	if !q.created {
		return p, nil
	}
	switch snap, err := f.opts.Store.Load(ctx, p.key, memory.LoadOptions{}); {
	case err != nil:
		return p, err
	case snap.State.Version == 0:
		return p, missing("conversation_not_found", "conversation", "There is no such conversation.")
	}
	return p, nil
}

// follow is the session of the response that a request answers to, or a fork of it.
func (f *Face) follow(ctx context.Context, owner memory.Key, q *request) (place, error) {
	none := missing("previous_response_not_found", "previous_response_id", "There is no such response, or its conversation was cleared since.")
	at, ok := parseRef(q.previous)
	if !ok {
		return place{}, none
	}
	at, err := f.origin(ctx, owner, at)
	if err != nil {
		return place{}, err
	}
	id := cmp.Or(q.key, interactionPrefix+f.digest(owner, "after "+at.id(""), q.history[len(q.history)-1:]))
	found, err := f.look(ctx, owner, at, id, exchange{})
	if err != nil {
		return place{}, err
	}
	if found == nil {
		return place{}, none
	}
	p, err := f.enter(ctx, found, id)
	if p == nil && err == nil {
		err = none
	}
	if err != nil {
		return place{}, err
	}
	return *p, nil
}

// interactionPrefix begins the ids of interactions that follow from a history.
const interactionPrefix = "openai-"

// recognise finds the session in which a history was said, or begins one.
func (f *Face) recognise(ctx context.Context, owner memory.Key, q *request) (place, error) {
	history := f.digest(owner, "history", q.history)
	id := cmp.Or(q.key, interactionPrefix+history)
	lost := false
	for _, e := range answered(q.history) {
		p, err := f.resume(ctx, owner, historyParts(owner, "history", q.history[:e.upTo]), id, e)
		if err != nil {
			return place{}, err
		}
		if p != nil {
			p.history = history
			return *p, nil
		}
		lost = e.reply != ""
	}
	p := place{key: owner, id: id, history: history, how: began}
	switch {
	case lost: // the same again goes to the same session
		p.how, p.key.SessionID = unknown, f.derived("history", history, q.key)
	case q.key != "":
		p.key.SessionID = f.derived("first", owner.UserID, owner.AgentID, q.key, q.text())
	default:
		p.key.SessionID = uuid.NewString()
	}
	return p, nil
}

// resume finds a session in which an exchange was the newest, or one that can be forked
// there; nil: there is none.
func (f *Face) resume(ctx context.Context, owner memory.Key, parts []string, id string, e exchange) (*place, error) {
	history := f.opts.Digests.Hex(parts...)
	if refs, all := f.hints.get(history, f.opts.Now(), f.opts.Again); all && !f.opts.Shared {
		best, err := f.best(ctx, owner, refs, id, e)
		if err != nil {
			return nil, err
		}
		if best != nil && best.kind != moved {
			return f.enter(ctx, best, id)
		}
	}
	refs, err := f.find(ctx, owner, history)
	for _, former := range f.opts.Digests.Former(parts...) {
		if err == nil && len(refs) == 0 {
			refs, err = f.find(ctx, owner, former)
		}
	}
	if err != nil {
		return nil, err
	}
	best, err := f.best(ctx, owner, refs, id, e)
	if best == nil || err != nil {
		return nil, err
	}
	return f.enter(ctx, best, id)
}

// best looks at turns and chooses one to which the message answers; nil: there is none.
func (f *Face) best(ctx context.Context, owner memory.Key, refs []ref, id string, e exchange) (*sighting, error) {
	var all []*sighting
	for _, at := range refs {
		s, err := f.look(ctx, owner, at, id, e)
		if err != nil {
			return nil, err
		}
		if s != nil {
			all = append(all, s)
		}
	}
	return choose(all, f.opts.Now().Add(-f.opts.Again)), nil
}

// enter says where to run a turn that answers to what was seen.
func (f *Face) enter(ctx context.Context, s *sighting, id string) (*place, error) {
	if s.kind == moved {
		return f.fork(ctx, s, id)
	}
	return &place{key: s.snap.Key, id: id, version: s.snap.State.Version, how: continued}, nil
}
