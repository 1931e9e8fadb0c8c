package openai

import (
	"cmp"
	"context"
	"slices"

	"github.com/google/uuid"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/router"
)

// How a turn came to its session: the values of the field history in answers.
const (
	began     = "new"       // a new session
	continued = "continued" // the session that was named, or that has the history
	unknown   = "unknown"   // a new session: no session can go on from the history
)

// target is where a turn is to run.
type target struct {
	key     memory.Key
	id      string // of the interaction
	after   *int64 // the turn that must be the newest; nil: any
	digest  string // of the history, for the index; "": the turn gets no entry
	history string // one of the values above; "": began or continued, by the turn's number
}

// locate finds the session of a request.
func (f *Adapter) locate(ctx context.Context, owner memory.Key, q *request) (target, error) {
	switch {
	case q.previous != "":
		return f.locateByResponse(ctx, owner, q)
	case q.session != "":
		return f.locateByName(ctx, owner, q)
	}
	return f.locateByHistory(ctx, owner, q)
}

// locateByName returns the session that a request names.
func (f *Adapter) locateByName(ctx context.Context, owner memory.Key, q *request) (target, error) {
	t := target{key: owner, id: cmp.Or(q.key, uuid.NewString()), after: q.after}
	t.key.SessionID = q.session
	if !q.mustExist {
		return t, nil
	}
	switch snap, err := f.opts.Store.Load(ctx, t.key, memory.LoadOptions{}); {
	case err != nil:
		return t, err
	case snap.State.Version == 0:
		return t, notFound("conversation_not_found", "conversation", "There is no such conversation.")
	}
	return t, nil
}

// locateByResponse returns the session of the response that a request answers. It must be the newest.
func (f *Adapter) locateByResponse(ctx context.Context, owner memory.Key, q *request) (target, error) {
	none := notFound("previous_response_not_found", "previous_response_id", "There is no such response, or its conversation was cleared since.")
	at, ok := parseRef(q.previous)
	if !ok {
		return target{}, none
	}
	id := cmp.Or(q.key, interactionPrefix+f.digests.history(owner, "after "+at.id(""), q.history[len(q.history)-1:], 1)[0])
	c, err := f.candidate(ctx, owner, at, id, exchange{})
	switch {
	case err != nil:
		return target{}, err
	case c == nil:
		return target{}, none
	case c.relation == superseded:
		return target{}, &router.StaleTurnError{Newest: c.stands}
	}
	return c.target(id), nil
}

// interactionPrefix begins the interaction ids that are made of a history's digest.
const interactionPrefix = "openai-"

// maxCandidates is the number of turns that one request compares with its history. Each costs two
// reads of the store.
const maxCandidates = 2 * maxAlike

// locateByHistory returns the session in which the history of a request was said, or a new one.
func (f *Adapter) locateByHistory(ctx context.Context, owner memory.Key, q *request) (target, error) {
	back := exchanges(q.history)
	digest, earlier := f.historyDigests(owner, q.history, back)
	id, left := cmp.Or(q.key, interactionPrefix+digest), maxCandidates
	lost := len(back) > maxUnanswered
	for i, e := range back {
		found, err := f.findHistory(ctx, owner, earlier[i])
		if err != nil {
			return target{}, err
		}
		found = found[:min(left, len(found))]
		left -= len(found)
		c, err := f.bestCandidate(ctx, owner, found, id, e)
		if err != nil {
			return target{}, err
		}
		if c != nil && c.relation != superseded {
			t := c.target(id)
			t.digest = digest
			return t, nil
		}
		lost = lost || e.reply != "" || c != nil
	}
	t := target{key: owner, id: id, digest: digest, history: began}
	switch {
	case lost: // the same request again finds the same session
		t.history, t.key.SessionID = unknown, f.digests.session("history", digest, q.key)
	case q.key != "":
		t.key.SessionID = f.digests.session("first", owner.UserID, owner.AgentID, q.key, q.text())
	default:
		t.key.SessionID = uuid.NewString()
	}
	return t, nil
}

// historyDigests returns the digest of a history, and those of what it was up to each of its
// exchanges.
func (f *Adapter) historyDigests(owner memory.Key, said []line, back []exchange) (whole string, earlier []string) {
	upTo := []int{len(said)}
	for _, e := range back {
		upTo = append(upTo, e.upTo)
	}
	slices.Reverse(upTo)
	all := f.digests.history(owner, "history", said, upTo...)
	slices.Reverse(all)
	return all[0], all[1:]
}

// bestCandidate chooses the turn that a message answers; nil: none of them.
func (f *Adapter) bestCandidate(ctx context.Context, owner memory.Key, found []ref, id string, e exchange) (*candidate, error) {
	var all []*candidate
	for _, at := range found {
		c, err := f.candidate(ctx, owner, at, id, e)
		if err != nil {
			return nil, err
		}
		if c != nil {
			all = append(all, c)
		}
	}
	return choose(all, f.opts.Now().Add(-again)), nil
}

// target returns where a message runs that answers the newest turn of a session, or was answered there.
func (c *candidate) target(id string) target {
	return target{key: c.key, id: id, after: c.after, history: continued}
}
