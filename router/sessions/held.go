package sessions

import (
	"context"
	"sync"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/router/telemetry"
)

// maxHeld bounds the sessions whose values Held keeps.
const maxHeld = 512

// Held knows the values that redacted params are known to have had in a session, at any time:
// in its state, its turns, its calls and its journal. It is for whoever sends texts of a
// session to a model, which must not see them. A session is read once as a whole, and then
// what has come since. Held may be used by many goroutines.
type Held struct {
	store    memory.Store
	redactor func() *telemetry.Redactor

	mu   sync.Mutex // guards made, not what is in it
	made map[memory.Key]*held
}

type held struct {
	mu      sync.Mutex // guards secrets
	secrets *secrets
}

// NewHeld returns a Held over a store; redactor is that of the agent as it is now.
func NewHeld(store memory.Store, redactor func() *telemetry.Redactor) *Held {
	return &Held{store: store, redactor: redactor, made: map[memory.Key]*held{}}
}

// Of are the values that are known of sessions, by param, in lists. What has not been
// committed is not among them. The map is the caller's.
func (h *Held) Of(ctx context.Context, keys ...memory.Key) (map[string]any, error) {
	all := map[string]any{}
	r := h.redactor()
	if !r.HidesParams() {
		return all, nil
	}
	for _, key := range keys {
		if err := h.collect(ctx, key, r, all); err != nil {
			return nil, err
		}
	}
	return all, nil
}

func (h *Held) collect(ctx context.Context, key memory.Key, r *telemetry.Redactor, all map[string]any) error {
	e := h.entry(key)
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.secrets == nil || e.secrets.redactor != r {
		e.secrets = newSecrets(r)
	}
	if err := e.secrets.catchUp(ctx, h.store, key); err != nil {
		return err
	}
	for param, list := range e.secrets.values {
		have, _ := all[param].([]any)
		all[param] = append(have, list.([]any)...)
	}
	return nil
}

func (h *Held) entry(key memory.Key) *held {
	h.mu.Lock()
	defer h.mu.Unlock()
	if e := h.made[key]; e != nil {
		return e
	}
	if len(h.made) >= maxHeld {
		for other := range h.made { // any: it is read again when it is wanted
			delete(h.made, other)
			break
		}
	}
	e := &held{}
	h.made[key] = e
	return e
}
