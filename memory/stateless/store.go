// Package stateless stores only what keeps a turn from having its effect twice, and no text: it wraps
// a [memory.Backend] where memory is switched off.
//
// It stores ids, counters, times, names of intents and tools, and the journal of write calls: the
// idempotency keys, and the arguments only of calls that are repeated after a crash, with tools that
// accept the same key twice. It does not store messages, params, plans, results and replies. A
// repeated message gets its reply as long as this process has it.
package stateless

import (
	"bytes"
	"context"
	"encoding/json"
	"sync"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/lru"
)

// maxReplies and maxBytes bound the replies that are held for repeated messages.
const (
	maxReplies = 4096
	maxBytes   = 16 << 20
)

// Store is a store that keeps no text.
type Store struct {
	memory.Backend

	again func(tool string) bool

	mu      sync.Mutex // guards replies
	replies *lru.Cache[memory.Key, reply]
}

type reply struct {
	request string
	text    json.RawMessage
}

var _ memory.Backend = (*Store)(nil)

// New wraps a store. again says whether a tool's call is made again with its arguments after a
// crash.
func New(store memory.Backend, again func(tool string) bool) *Store {
	return &Store{Backend: store, again: again, replies: lru.New[memory.Key, reply](lru.Limits{Entries: maxReplies, Weight: maxBytes})}
}

// Load implements memory.Store.
func (s *Store) Load(ctx context.Context, key memory.Key, opts memory.LoadOptions) (*memory.Snapshot, error) {
	snap, err := s.Backend.Load(ctx, key, opts)
	if err != nil || snap.Replay == nil || len(snap.Replay.Response) > 0 {
		return snap, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if r, ok := s.replies.Peek(key); ok && r.request == opts.RequestID {
		snap.Replay.Response = bytes.Clone(r.text)
	}
	return snap, nil
}

// Start implements memory.Store.
func (s *Store) Start(ctx context.Context, key memory.Key, base int64, step memory.Step) error {
	return s.Backend.Start(ctx, key, base, s.bare(step))
}

// bare is a journal row without what no other try needs.
func (s *Store) bare(step memory.Step) memory.Step {
	if !s.again(step.Tool) {
		step.Args = json.RawMessage("null")
	}
	step.Result = nil
	return step
}

// Commit implements memory.Store.
func (s *Store) Commit(ctx context.Context, d *memory.Delta) error {
	if err := d.Validate(); err != nil {
		return err
	}
	kept := &memory.Delta{
		Key: d.Key, Base: d.Base, BaseAt: d.BaseAt, At: d.At, Clear: d.Clear, Undo: d.Undo,
		State: memory.State{Params: map[string]any{}, LastIntentID: d.State.LastIntentID},
	}
	for _, step := range d.Steps {
		kept.Steps = append(kept.Steps, s.bare(step))
	}
	if d.Turn != nil {
		turn := *d.Turn
		turn.Response, turn.Snapshot = nil, nil
		kept.Turn = &turn
	}
	if err := s.Backend.Commit(ctx, kept); err != nil {
		return err
	}
	if d.Turn != nil {
		s.remember(d.Key, reply{d.Turn.RequestID, bytes.Clone(d.Turn.Response)})
	}
	return nil
}

func (s *Store) remember(key memory.Key, r reply) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.replies.Put(key, r, int64(len(r.text)))
}
