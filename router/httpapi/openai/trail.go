package openai

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"github.com/slotway/slotway/memory"
)

// Tiers of the views that the face keeps. They belong to their session and go with it.
const (
	trailTier = "openai"       // by the digest of a history: the turn that answered its last message
	forkTier  = "openai.forks" // where a session came from, and which ones came from it
)

// maxTrail is how many of a session's newest turns can be found by what was said.
const maxTrail = 64

// mark is what a view says: a turn, of its own session unless another is named.
type mark struct {
	Form    int    `json:"v"`
	Session string `json:"session,omitempty"`
	Turn    int64  `json:"turn"`
}

func (f *Adapter) view(key memory.Key, tier, id string, epoch int64, m mark) memory.View {
	m.Form = 1
	data, err := json.Marshal(m)
	if err != nil {
		panic(err) // it has no field that does not encode
	}
	return memory.View{Key: key, Tier: tier, ID: id, Epoch: epoch, UpTo: m.Turn, At: f.opts.Now(), Data: data}
}

func readMark(v *memory.View) (m mark, err error) {
	if err := json.Unmarshal(v.Data, &m); err != nil || m.Form != 1 {
		return m, fmt.Errorf("view of tier %s: %w", v.Tier, memory.ErrCorrupt)
	}
	return m, nil
}

// remember durably notes which turn answered a history's last message.
func (f *Adapter) remember(ctx context.Context, key memory.Key, history string, epoch, turn int64) error {
	if _, err := f.opts.Store.PutViews(ctx, []memory.View{f.view(key, trailTier, history, epoch, mark{Turn: turn})}); err != nil {
		return err
	}
	f.hints.add(history, ref{key.SessionID, turn}, f.opts.Now())
	if turn <= maxTrail {
		return nil
	}
	return f.trim(ctx, key)
}

// trim forgets the oldest marks of a session.
func (f *Adapter) trim(ctx context.Context, key memory.Key) error {
	q := memory.ViewQuery{UserID: key.UserID, AgentID: key.AgentID, SessionID: key.SessionID, Tier: trailTier}
	views, err := f.opts.Store.Views(ctx, q)
	if err != nil || len(views) <= maxTrail {
		return err
	}
	slices.SortFunc(views, func(a, b memory.View) int { return int(b.UpTo - a.UpTo) })
	for _, v := range views[maxTrail:] {
		q.Prefix = v.ID
		if _, err := f.opts.Store.DropViews(ctx, q); err != nil {
			return err
		}
	}
	return nil
}

// maxAlike is how many conversations with the same history are looked at, the newest
// first.
const maxAlike = 16

// find returns the turns that answered a history's last message, in whichever of the
// user's sessions.
func (f *Adapter) find(ctx context.Context, owner memory.Key, history string) ([]ref, error) {
	views, err := f.opts.Store.Views(ctx, memory.ViewQuery{
		UserID: owner.UserID, AgentID: owner.AgentID, Tier: trailTier, Prefix: history, Newest: maxAlike,
	})
	if err != nil {
		return nil, err
	}
	var out []ref
	for _, v := range views {
		m, err := readMark(&v)
		if err != nil {
			return nil, err
		}
		out = append(out, ref{v.Key.SessionID, m.Turn})
	}
	return out, nil
}

// link durably notes that a session was forked from another after a turn, on both sides.
func (f *Adapter) link(ctx context.Context, from, to *memory.Snapshot, turn int64) error {
	n, err := f.opts.Store.PutViews(ctx, []memory.View{
		f.view(from.Key, forkTier, "to/"+strconv.FormatInt(turn, 10)+"/"+to.Key.SessionID, from.Epoch, mark{Session: to.Key.SessionID, Turn: turn}),
		f.view(to.Key, forkTier, "from", to.Epoch, mark{Session: from.Key.SessionID, Turn: turn}),
	})
	if err == nil && n < 2 { // one of them was cleared or erased meanwhile
		err = memory.ErrConflict
	}
	return err
}

// links are a session's marks of that tier that begin with a prefix.
func (f *Adapter) links(ctx context.Context, key memory.Key, prefix string) ([]mark, error) {
	views, err := f.opts.Store.Views(ctx, memory.ViewQuery{
		UserID: key.UserID, AgentID: key.AgentID, SessionID: key.SessionID, Tier: forkTier, Prefix: prefix,
	})
	if err != nil {
		return nil, err
	}
	var out []mark
	for i := range views {
		m, err := readMark(&views[i])
		if err != nil {
			return nil, err
		}
		out = append(out, m)
	}
	return out, nil
}

// origin is a turn in the session where it was made: forks hold copies.
func (f *Adapter) origin(ctx context.Context, owner memory.Key, at ref) (ref, error) {
	for range maxForks {
		owner.SessionID = at.session
		from, err := f.links(ctx, owner, "from")
		if err != nil || len(from) == 0 || from[0].Turn < at.turn {
			return at, err
		}
		at.session = from[0].Session
	}
	return at, nil
}

// maxForks is how many forks of forks are followed.
const maxForks = 1000
