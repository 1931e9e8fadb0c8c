package openai

import (
	"context"
	"errors"
	"time"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/router"
	"github.com/slotway/slotway/router/httpapi"
)

// relation says what a session has done since the turn that a message answers.
type relation int

const (
	current    relation = iota // nothing: the turn is its newest
	answered                   // it has answered this message already
	superseded                 // it has answered something else
)

// candidate is a turn that a message may answer.
type candidate struct {
	relation relation
	at       time.Time // of the turn; of the stored answer if the message is answered
	key      memory.Key
	stands   int64  // the turn that the session is at
	after    *int64 // the turn, if the message must find it as the newest; nil: a person acts in the session
}

// candidate checks whether a message with an interaction id can answer a turn. It returns nil if
// the turn is gone or was another exchange.
func (f *Adapter) candidate(ctx context.Context, key memory.Key, at ref, id string, e exchange) (*candidate, error) {
	key.SessionID = at.session
	snap, err := f.opts.Store.Load(ctx, key, memory.LoadOptions{RequestID: id})
	if err != nil {
		return nil, err
	}
	t, newest, acted, err := f.turnAndNext(ctx, key, at.turn)
	if t == nil || err != nil {
		return nil, err
	}
	if t.Snapshot == nil || t.Snapshot.Counters.Epoch != snap.Epoch { // the session was cleared since
		return nil, nil
	}
	reply, err := router.StoredReply(at.session, t)
	if err != nil {
		return nil, err
	}
	c := &candidate{relation: superseded, at: t.At, key: key, stands: httpapi.CurrentTurn(snap)}
	if !acted {
		c.after = &at.turn
	}
	switch {
	case reply.Person == nil && !e.matches(reply.Reply): // what a client keeps in place of silence is ours
		return nil, nil
	case snap.Replay == nil && newest:
		c.relation = current
	case snap.Replay != nil && !snap.Replay.Undone:
		c.relation, c.at = answered, snap.Replay.At
	}
	return c, nil
}

// turnAndNext returns a turn, nil if it is gone, whether it is the newest, and whether a person has acted
// since. What a person does with the session is no other answer: a message that comes then is for that
// session.
func (f *Adapter) turnAndNext(ctx context.Context, key memory.Key, number int64) (t *memory.Turn, newest, acted bool, err error) {
	for after, limit := number-1, 2; ; limit = actionPage {
		turns, err := f.opts.Store.Turns(ctx, key, memory.Page{After: after, Limit: limit})
		if err != nil && !errors.Is(err, memory.ErrNotFound) {
			return nil, false, false, err
		}
		for i := range turns {
			reply, err := router.StoredReply("", &turns[i])
			switch {
			case err != nil:
				return nil, false, false, err
			case t == nil && turns[i].Number != number:
				return nil, false, false, nil
			case t == nil:
				t = &turns[i]
			case reply.Action == "":
				return t, false, acted, nil
			default:
				acted = true
			}
		}
		if len(turns) < limit {
			return t, t != nil, acted, nil
		}
		after = turns[len(turns)-1].Number
	}
}

// actionPage is how many turns of people are read together.
const actionPage = 50

// choose picks among sessions with the same history: one that has answered the message already,
// else the newest whose turn is current, else the newest that went on otherwise. An answer from
// before recent does not count if another session reached the same turn only after it: that
// conversation was held anew.
func choose(all []*candidate, recent time.Time) *candidate {
	var newest [superseded + 1]*candidate
	for _, c := range all {
		if best := newest[c.relation]; best == nil || c.at.After(best.at) {
			newest[c.relation] = c
		}
	}
	waiting, done := newest[current], newest[answered]
	switch {
	case done != nil && (waiting == nil || done.at.After(recent) || !waiting.at.After(done.at)):
		return done
	case waiting != nil:
		return waiting
	}
	return newest[superseded]
}
