package router

import (
	"context"
	"time"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/prompt"
	"github.com/slotway/slotway/memory/window"
	"github.com/slotway/slotway/planner"
	"github.com/slotway/slotway/router/telemetry"
	"github.com/slotway/slotway/tools"
)

// Classifier finds what a message may mean.
type Classifier interface {
	Classify(ctx context.Context, in classifier.Input) (message.Result, error)
}

// Tools runs tools by name and returns their declarations.
type Tools interface {
	Spec(name string) *tools.Spec
	Call(ctx context.Context, call tools.Call) (tools.Result, error)
}

// Conversations loads sessions.
type Conversations interface {
	ForTurn(ctx context.Context, key memory.Key, requestID string, fresh bool) (*memory.Session, error)
	// Renew is ForTurn for a session whose state cannot be read.
	Renew(ctx context.Context, key memory.Key, requestID string, at time.Time) (*memory.Session, error)
}

// Generator generates text from a prompt: system messages, the conversation, and the newest message
// last.
type Generator interface {
	Generate(ctx context.Context, prompt []memory.Message) (string, error)
}

// ModelName names a model and its provider. The zero value is no model.
type ModelName struct{ Provider, Model string }

// Options are the optional parts of a router. The zero value is valid.
type Options struct {
	Sink        telemetry.Sink            // default telemetry.Discard
	Generator   Generator                 // nil: generate steps use their else
	Model       ModelName                 // behind Generator and the classifier; a reply names it if it took part in the turn
	Tiers       []memory.Tier             // of a generate step's prompt; default the recent window
	Workers     []memory.Worker           // do background work for turns, besides the tiers
	Nudge       func()                    // called after a turn that left background work; may be nil
	Budget      int                       // tokens of a generate step's prompt; 0: no limit
	Count       prompt.Counter            // counts tokens; nil: an estimate
	Now         func() time.Time          // the clock; default time.Now
	DefaultUser string                    // of interactions without one; default "local"
	MaxQueue    int                       // turns of one session that may wait; default 64
	Importance  func(*memory.Message) int // rates the words of a message; at least what the message has. nil: words do not count
	Digests     *memory.Digests           // of the store; for idempotency keys
	Stateless   bool                      // each message is a conversation of its own
	MessageTTL  time.Duration             // older messages leave the conversation; 0: they stay
	Restored    time.Time                 // when the store was put back to an earlier state; zero: never
	Repair      string                    // advice about damaged rows for the log; default: compare with a backup

	// Passed takes what turns pass of the definition, for coverage. It must be safe for concurrent
	// use. nil: no one asks.
	Passed func(planner.Passage)

	// Locker makes the turns of one session run one after another across all processes that
	// share a store. nil: only this process uses the store. If another one does after all, the
	// commit detects it by the session's version.
	Locker SessionLocker

	// Held returns all values that the redacted params of sessions have ever had, as lists by
	// param, so that models do not see them. nil: only the current values are known.
	Held func(ctx context.Context, keys ...memory.Key) (map[string]any, error)
}

// SessionLocker locks sessions across processes.
type SessionLocker interface {
	// Enter waits for the session's lock and returns the function that releases it.
	Enter(ctx context.Context, key memory.Key) (leave func(), err error)
}

// withDefaults returns the options with every default filled in. o may be nil.
func (o *Options) withDefaults() Options {
	var filled Options
	if o != nil {
		filled = *o
	}
	if filled.Sink == nil {
		filled.Sink = telemetry.Discard
	}
	if filled.Now == nil {
		filled.Now = time.Now
	}
	if filled.DefaultUser == "" {
		filled.DefaultUser = "local"
	}
	if filled.MaxQueue == 0 {
		filled.MaxQueue = 64
	}
	if filled.Tiers == nil {
		filled.Tiers = []memory.Tier{window.New(window.Limits{})}
	}
	return filled
}
