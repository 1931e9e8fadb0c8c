package recall

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/scopes"
)

// scope is the index of a user and an agent.
type scope struct {
	key scopes.Key

	mu      scopes.Guard // guards the fields below
	x       *index
	checked time.Time // when rows of other processes were last looked for

	corrupt scopes.DamagedSessions // sessions that cannot be read
}

// pollInterval is how often a scope with missing vectors checks whether another process has made
// them.
const pollInterval = 5 * time.Second

// scope returns the index of a scope, which may be empty, and marks it as used.
func (t *Tier) scope(key scopes.Key) *scope { return t.scopes.Get(key) }

// Drop removes the index of a user from memory, or all for "". It is built again when needed.
func (t *Tier) Drop(userID string) { t.scopes.Drop(userID) }

// catchUp brings the index up to date with the store.
func (t *Tier) catchUp(ctx context.Context, sc *scope) error {
	list := func() ([]memory.Info, error) { return sc.corrupt.Readable(ctx, t.store, sc.key, t.opts.Now()) }
	current := func(infos []memory.Info) bool { return sc.current(infos) && !t.vectorsDue(sc) }
	return sc.mu.CatchUp(list, current, func(infos []memory.Info) error {
		if err := t.refresh(ctx, sc, infos); err != nil {
			return err
		}
		if sc.x.isWasteful() {
			sc.x = t.newIndex(sc.key)
			if err := t.refresh(ctx, sc, infos); err != nil {
				return err
			}
		}
		t.scopes.SetWeight(sc.key, sc, sc.x.size())
		return nil
	})
}

// current reports whether the index is up to date with a listing.
func (sc *scope) current(infos []memory.Info) bool {
	if len(infos) != len(sc.x.ids) {
		return false
	}
	for i := range infos {
		sn, ok := sc.x.ids[infos[i].Key.SessionID]
		if !ok || !sc.x.sessions[sn].matches(&infos[i]) {
			return false
		}
	}
	return true
}

// matches reports whether the indexed session is the listed one. Two histories of a store may both
// have a version of the same number.
func (s *session) matches(in *memory.Info) bool {
	return s.version == in.Version && s.updated == in.UpdatedAt.UnixMicro() && s.created == in.CreatedAt.UnixMicro()
}

// vectorsDue reports whether messages wait for vectors that another process may have made.
func (t *Tier) vectorsDue(sc *scope) bool {
	if t.opts.Vectors != nil {
		return t.externalDue(sc)
	}
	for i, m := range sc.x.meaning {
		if sc.x.local[i] == nil && m.have < len(sc.x.docs)-sc.x.dead {
			return t.opts.Now().Sub(sc.checked) >= pollInterval
		}
	}
	return false
}

// refresh reads what changed since the last update, the oldest sessions first. The caller holds
// sc.mu.
func (t *Tier) refresh(ctx context.Context, sc *scope, infos []memory.Info) error {
	x := sc.x
	slices.SortFunc(infos, func(a, b memory.Info) int {
		return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), cmp.Compare(a.Key.SessionID, b.Key.SessionID))
	})
	look := t.vectorsDue(sc)
	if look {
		sc.checked = t.opts.Now()
	}
	listed := map[string]bool{}
	var stale []string // sessions whose progress must be read
	for i := range infos {
		in := &infos[i]
		listed[in.Key.SessionID] = true
		sn, known := x.ids[in.Key.SessionID]
		fresh := known && x.sessions[sn].matches(in)
		if !fresh {
			leave, err := sc.corrupt.Read(in, t.opts.Now(), t.read(ctx, x, in.Key), t.opts.OnCorrupt)
			if err != nil {
				return err
			}
			if sn, known := x.ids[in.Key.SessionID]; known && leave { // the others are found
				x.remove(sn)
			}
		}
		if sn, known := x.ids[in.Key.SessionID]; known && (look || !fresh) {
			if t.opts.Vectors != nil {
				stale = append(stale, in.Key.SessionID)
				continue
			}
			if err := t.readRows(ctx, x, sn, in.Key, look); err != nil {
				return err
			}
		}
	}
	for id := range x.ids {
		if !listed[id] {
			if err := t.read(ctx, x, memory.Key{UserID: sc.key.User, AgentID: sc.key.Agent, SessionID: id}); err != nil {
				return err
			}
		}
	}
	if len(stale) > fewSegments {
		stale = []string{""} // all at once
	}
	for _, id := range stale {
		if err := t.readProgress(ctx, x, id); err != nil {
			return err
		}
	}
	return nil
}

// read brings one session of an index up to date with the store.
func (t *Tier) read(ctx context.Context, x *index, key memory.Key) error {
	snap, err := t.store.Load(ctx, key, memory.LoadOptions{Fresh: true})
	if err != nil {
		return err
	}
	created := snap.CreatedAt.UnixMicro()
	if sn, known := x.ids[key.SessionID]; known {
		// Deleted, replaced by another session of the same name, shortened, or of another history.
		if s := &x.sessions[sn]; snap.State.Version == 0 || s.created != created ||
			snap.NextSeq < s.nextSeq || snap.State.Version < s.version {
			x.remove(sn)
		}
	}
	if snap.State.Version == 0 {
		return nil
	}
	sn := x.open(key.SessionID)
	x.sessions[sn].created = created
	if x.sessions[sn].epoch < snap.Epoch {
		base, err := memory.EpochStart(ctx, t.store, snap)
		if err != nil {
			return err
		}
		x.setFloor(sn, base)
		x.sessions[sn].epoch = snap.Epoch
	}
	for x.sessions[sn].nextSeq < snap.NextSeq {
		after := x.sessions[sn].nextSeq - 1
		messages, err := t.store.Messages(ctx, key, memory.Page{After: after, Inactive: true})
		if errors.Is(err, memory.ErrNotFound) {
			x.remove(sn)
			return nil
		}
		if err != nil {
			return err
		}
		if len(messages) == 0 {
			break // cleared since: the version has changed again
		}
		for i := range messages {
			if m := &messages[i]; m.Retracted {
				x.sessions[sn].nextSeq = m.Seq + 1
			} else {
				x.add(sn, m)
			}
		}
	}
	x.sessions[sn].version, x.sessions[sn].updated = snap.State.Version, snap.UpdatedAt.UnixMicro()
	return nil
}
