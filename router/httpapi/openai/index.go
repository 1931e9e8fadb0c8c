package openai

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"github.com/slotway/slotway/memory"
)

// The history index finds the turn that answered the last message of a history. Each such turn has
// an entry: a view of its session whose id is the digest of the history. Entries are erased with
// their session.

// Tiers of the views that the adapter keeps.
const (
	historyTier = "openai"       // the history index
	forkTier    = "openai.forks" // where a session was forked from, and its own forks
)

// maxIndexed is the number of a session's newest turns that the index holds.
const maxIndexed = 64

// maxAlike is the number of sessions with the same history that are compared, newest first.
const maxAlike = 16

// viewData is the data of a view: a turn, of the view's own session unless it names another.
type viewData struct {
	Version int    `json:"v"`
	Session string `json:"session,omitempty"`
	Turn    int64  `json:"turn"`
}

// view makes a view of key's session that refers to a turn.
func (f *Adapter) view(key memory.Key, tier, id string, epoch int64, to viewData) memory.View {
	to.Version = 1
	data, err := json.Marshal(to)
	if err != nil {
		panic(err) // every field can be encoded
	}
	return memory.View{Key: key, Tier: tier, ID: id, Epoch: epoch, UpTo: to.Turn, At: f.opts.Now(), Data: data}
}

// viewsOf selects the views of a tier in the session of key, or in all sessions of its user if key
// names no session.
func viewsOf(key memory.Key, tier, prefix string) memory.ViewQuery {
	return memory.ViewQuery{UserID: key.UserID, AgentID: key.AgentID, SessionID: key.SessionID, Tier: tier, Prefix: prefix}
}

// refs returns the turns that views refer to.
func (f *Adapter) refs(ctx context.Context, q memory.ViewQuery) ([]ref, error) {
	views, err := f.opts.Store.Views(ctx, q)
	if err != nil {
		return nil, err
	}
	out := make([]ref, len(views))
	for i, v := range views {
		var to viewData
		if err := json.Unmarshal(v.Data, &to); err != nil || to.Version != 1 {
			return nil, fmt.Errorf("view of tier %s: %w", v.Tier, memory.ErrCorrupt)
		}
		out[i] = ref{cmp.Or(to.Session, v.Key.SessionID), to.Turn}
	}
	return out, nil
}

// indexTurn durably adds an entry for the turn that answered a history, and removes the entries of
// the session's oldest turns if there are too many.
func (f *Adapter) indexTurn(ctx context.Context, key memory.Key, history string, epoch, turn int64) error {
	entry := f.view(key, historyTier, history, epoch, viewData{Turn: turn})
	if _, err := f.opts.Store.PutViews(ctx, []memory.View{entry}); err != nil || turn <= maxIndexed {
		return err
	}
	views, err := f.opts.Store.Views(ctx, viewsOf(key, historyTier, ""))
	if err != nil || len(views) <= maxIndexed {
		return err
	}
	slices.SortFunc(views, func(a, b memory.View) int { return cmp.Compare(b.UpTo, a.UpTo) })
	for _, v := range views[maxIndexed:] {
		if _, err := f.opts.Store.DropViews(ctx, viewsOf(key, historyTier, v.ID)); err != nil {
			return err
		}
	}
	return nil
}

// findHistory returns the turns that answered the history of a digest in any session of the user.
func (f *Adapter) findHistory(ctx context.Context, owner memory.Key, digest string) ([]ref, error) {
	q := viewsOf(owner, historyTier, digest)
	q.Newest = maxAlike
	return f.refs(ctx, q)
}

// linkFork durably notes in both sessions that one was forked from the other after a turn.
func (f *Adapter) linkFork(ctx context.Context, from, to *memory.Snapshot, turn int64) error {
	n, err := f.opts.Store.PutViews(ctx, []memory.View{
		f.view(from.Key, forkTier, "to/"+strconv.FormatInt(turn, 10)+"/"+to.Key.SessionID, from.Epoch, viewData{Session: to.Key.SessionID, Turn: turn}),
		f.view(to.Key, forkTier, "from", to.Epoch, viewData{Session: from.Key.SessionID, Turn: turn}),
	})
	if err == nil && n < 2 { // one of them was cleared or erased meanwhile
		err = memory.ErrConflict
	}
	return err
}

// maxForkDepth is the number of forks of forks that are followed.
const maxForkDepth = 1000

// origin returns a turn in the session where it ran: a fork holds copies of earlier turns.
func (f *Adapter) origin(ctx context.Context, owner memory.Key, at ref) (ref, error) {
	for range maxForkDepth {
		owner.SessionID = at.session
		from, err := f.refs(ctx, viewsOf(owner, forkTier, "from"))
		if err != nil || len(from) == 0 || from[0].turn < at.turn {
			return at, err
		}
		at.session = from[0].session
	}
	return at, nil
}
