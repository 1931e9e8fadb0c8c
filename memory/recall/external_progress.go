package recall

import (
	"context"
	"encoding/binary"
	"fmt"
	"net/url"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/scopes"
)

// Progress of the job on a session is a view. It is deleted with the session, and a late worker
// cannot move it back.
const progressVersion = 1

// progressName returns the id of that view for a vector store and a model.
func progressName(place, model string) string {
	return progressPrefix(place) + url.PathEscape(model)
}

func progressPrefix(place string) string { return "out/" + url.PathEscape(place) + "/" }

// progressData records the life of the session that the progress belongs to.
func progressData(born int64) []byte {
	return binary.LittleEndian.AppendUint64([]byte{progressVersion}, uint64(born))
}

// progressOf returns the newest message whose vector is in the vector store; 0: unknown.
func progressOf(v *memory.View, fence Fence) int64 {
	if len(v.Data) != 9 || v.Data[0] != progressVersion || int64(binary.LittleEndian.Uint64(v.Data[1:])) != fence.Born || v.Epoch != fence.Epoch {
		return 0
	}
	return v.UpTo
}

// noteProgress records in the index, if it is in memory, how far the vectors go.
func (t *Tier) noteProgress(key memory.Key, model int, fence Fence, done int64) {
	sc, ok := t.scopes.Loaded(scopes.Of(key))
	if !ok {
		return
	}
	sc.mu.Lock()
	defer sc.mu.Unlock()
	if sn, ok := sc.x.ids[key.SessionID]; ok {
		s := &sc.x.sessions[sn]
		if s.created == fence.Born && s.epoch == fence.Epoch {
			s.done[model] = max(s.done[model], done)
		}
	}
}

// readProgress reads how far the vectors of one session go, or of all.
func (t *Tier) readProgress(ctx context.Context, x *index, session string) error {
	prefix := progressPrefix(t.opts.Vectors.Name())
	views, err := t.store.Views(ctx, memory.ViewQuery{
		UserID: x.external.key.User, AgentID: x.external.key.Agent, SessionID: session, Tier: Name, Prefix: prefix,
	})
	if err != nil {
		return fmt.Errorf("read how far vectors go: %w", err)
	}
	models := map[string]int{}
	for i, e := range t.opts.Embedders {
		models[prefix+url.PathEscape(e.Model())] = i
	}
	for i := range views {
		v := &views[i]
		model, wanted := models[v.ID]
		sn, known := x.ids[v.Key.SessionID]
		if wanted && known {
			s := &x.sessions[sn]
			s.done[model] = progressOf(v, Fence{s.created, s.epoch})
		}
	}
	return nil
}

// vectorCount returns how many messages have a vector of a model; approximately, with a vector
// store.
func (x *index) vectorCount(model int) int {
	if x.external == nil {
		return x.meaning[model].have
	}
	n := 0
	for _, sn := range x.ids {
		s := &x.sessions[sn]
		n += int(max(s.done[model]-s.floor+1, 0))
	}
	return n
}

// externalDue reports whether messages wait for vectors that another process may have made.
func (t *Tier) externalDue(sc *scope) bool {
	for _, model := range t.jobEmbedders() {
		for _, sn := range sc.x.ids {
			if s := &sc.x.sessions[sn]; s.done[model] < s.nextSeq-1 {
				return t.opts.Now().Sub(sc.checked) >= pollInterval
			}
		}
	}
	return false
}
