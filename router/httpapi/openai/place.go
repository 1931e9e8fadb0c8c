package openai

import (
	"cmp"
	"context"
	"slices"

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
func (f *Adapter) place(ctx context.Context, owner memory.Key, q *request) (place, error) {
	switch {
	case q.previous != "":
		return f.follow(ctx, owner, q)
	case q.session != "":
		return f.named(ctx, owner, q)
	}
	return f.recognise(ctx, owner, q)
}

// named is the session that a request names.
func (f *Adapter) named(ctx context.Context, owner memory.Key, q *request) (place, error) {
	p := place{key: owner, id: cmp.Or(q.key, uuid.NewString())}
	p.key.SessionID = q.session
	if !q.mustExist {
		return p, nil
	}
	switch snap, err := f.opts.Store.Load(ctx, p.key, memory.LoadOptions{}); {
	case err != nil:
		return p, err
	case snap.State.Version == 0:
		return p, notFound("conversation_not_found", "conversation", "There is no such conversation.")
	}
	return p, nil
}

// follow is the session of the response that a request answers to, or a fork of it.
func (f *Adapter) follow(ctx context.Context, owner memory.Key, q *request) (place, error) {
	none := notFound("previous_response_not_found", "previous_response_id", "There is no such response, or its conversation was cleared since.")
	at, ok := parseRef(q.previous)
	if !ok {
		return place{}, none
	}
	at, err := f.origin(ctx, owner, at)
	if err != nil {
		return place{}, err
	}
	id := cmp.Or(q.key, interactionPrefix+f.digests.history(owner, "after "+at.id(""), q.history[len(q.history)-1:], 1)[0][0])
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
func (f *Adapter) recognise(ctx context.Context, owner memory.Key, q *request) (place, error) {
	back := exchanges(q.history)
	history, names := f.names(owner, q.history, back)
	look := &search{f, owner, cmp.Or(q.key, interactionPrefix+history), maxLooks}
	lost := len(back) > maxUnanswered
	for i, e := range back {
		p, err := look.resume(ctx, names[i], e)
		if err != nil {
			return place{}, err
		}
		if p != nil {
			p.history = history
			return *p, nil
		}
		lost = lost || e.reply != ""
	}
	p := place{key: owner, id: look.id, history: history, how: began}
	switch {
	case lost: // the same again goes to the same session
		p.how, p.key.SessionID = unknown, f.digests.session("history", history, q.key)
	case q.key != "":
		p.key.SessionID = f.digests.session("first", owner.UserID, owner.AgentID, q.key, q.text())
	default:
		p.key.SessionID = uuid.NewString()
	}
	return p, nil
}

// names are the digests of a history, and of what it was up to each of its exchanges.
func (f *Adapter) names(owner memory.Key, said []line, back []exchange) (whole string, parts [][]string) {
	upTo := []int{len(said)}
	for _, e := range back {
		upTo = append(upTo, e.upTo)
	}
	slices.Reverse(upTo)
	all := f.digests.history(owner, "history", said, upTo...)
	slices.Reverse(all)
	return all[0][0], all[1:]
}

// enter says where to run a turn that answers to what was seen.
func (f *Adapter) enter(ctx context.Context, s *sighting, id string) (*place, error) {
	if s.kind == moved {
		return f.fork(ctx, s, id)
	}
	return &place{key: s.snap.Key, id: id, version: s.snap.State.Version, how: continued}, nil
}
