package openai

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/router"
)

// kind is how a session stands to a message that answers to one of its turns.
type kind int

const (
	standing kind = iota // the turn is its newest
	repeated             // the message was answered there before
	moved                // something else was said since
)

// sighting is a turn to which a message answers.
type sighting struct {
	kind  kind
	turn  int64
	at    time.Time // of the turn; of the stored answer where the message is repeated
	snap  *memory.Snapshot
	reply router.Reply
}

// look sees how a session stands to a message with an interaction id that answers to one
// of its turns. nil: there is no such turn any more, or it was another exchange.
func (f *Adapter) look(ctx context.Context, key memory.Key, at ref, id string, e exchange) (*sighting, error) {
	key.SessionID = at.session
	// The session first: what is committed between the two makes its version stale.
	snap, err := f.opts.Store.Load(ctx, key, memory.LoadOptions{RequestID: id})
	if err != nil {
		return nil, err
	}
	turns, err := f.opts.Store.Turns(ctx, key, memory.Page{After: at.turn - 1, Limit: 2})
	if err != nil && !errors.Is(err, memory.ErrNotFound) {
		return nil, err
	}
	if len(turns) == 0 || turns[0].Number != at.turn {
		return nil, nil
	}
	t := &turns[0]
	if t.Snapshot == nil || t.Snapshot.Counters.Epoch != snap.Epoch { // it was cleared since
		return nil, nil
	}
	s := &sighting{kind: moved, turn: at.turn, at: t.At, snap: snap}
	if s.reply, err = stored(t); err != nil {
		return nil, err
	}
	switch {
	case !e.matches(s.reply.Reply):
		return nil, nil
	case snap.Replay == nil && len(turns) == 1:
		s.kind = standing
	case snap.Replay != nil && !snap.Replay.Undone:
		s.kind, s.at = repeated, snap.Replay.At
	}
	return s, nil
}

// stored is the reply of a turn.
func stored(t *memory.Turn) (reply router.Reply, err error) {
	if err := json.Unmarshal(t.Response, &reply); err != nil {
		return reply, fmt.Errorf("stored reply of turn %d: %w", t.Number, memory.ErrCorrupt)
	}
	return reply, nil
}

// choose picks among conversations that went alike: where the message was answered before;
// else the newest that waits for it; else the newest that went on otherwise. An answer from
// before recent does not count where a conversation waits that got so far only after it:
// that one was held anew.
func choose(all []*sighting, recent time.Time) *sighting {
	var newest [moved + 1]*sighting
	for _, s := range all {
		if best := newest[s.kind]; best == nil || s.at.After(best.at) {
			newest[s.kind] = s
		}
	}
	stands, again := newest[standing], newest[repeated]
	switch {
	case again != nil && (stands == nil || again.at.After(recent) || !stands.at.After(again.at)):
		return again
	case stands != nil:
		return stands
	}
	return newest[moved]
}
