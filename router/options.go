package router

import (
	"context"
	"time"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/prompt"
	"github.com/slotway/slotway/memory/window"
	"github.com/slotway/slotway/router/telemetry"
	"github.com/slotway/slotway/tools"
)

// Classifier understands a message.
type Classifier interface {
	Classify(ctx context.Context, in classifier.Input) (classifier.Result, error)
}

// Tools runs a tool by name, and knows how each is declared.
type Tools interface {
	Spec(name string) *tools.Spec
	Call(ctx context.Context, call tools.Call) (tools.Result, error)
}

// Conversations loads sessions.
type Conversations interface {
	ForTurn(ctx context.Context, key memory.Key, requestID string, fresh bool) (*memory.Session, error)
	// Salvage loads a session with damaged rows without them, and mends its state.
	Salvage(ctx context.Context, key memory.Key, requestID string, at time.Time) (*memory.Session, error)
}

// Generator answers from a prompt: system messages, the conversation, and last what was
// just said.
type Generator interface {
	Generate(ctx context.Context, prompt []memory.Message) (string, error)
}

// ModelName says which model of whose a turn was helped by; the zero value is none.
type ModelName struct{ Provider, Model string }

// Options are what a router may do without; the zero value is right.
type Options struct {
	Sink        telemetry.Sink            // default telemetry.Discard
	Generator   Generator                 // nil: generate steps use their else
	Model       ModelName                 // of the server behind Generator and the classifier; replies that it took part in name it
	Tiers       []memory.Tier             // what a generate step may know of the past; default the recent window
	Nudge       func()                    // told of a turn that left work to the tiers; nil: nobody
	Budget      int                       // tokens of a generate step's prompt; 0: no limit
	Count       prompt.Counter            // counts them; nil: an estimate
	Now         func() time.Time          // the clock; default time.Now
	DefaultUser string                    // of interactions without one; default "local"
	MaxQueue    int                       // turns of one session that may wait; default 64
	Importance  func(*memory.Message) int // what words say; at least what the message has. nil: nothing
	Digests     *memory.Digests           // names calls after their arguments; those of the store
	Stateless   bool                      // each message is a conversation of its own
	MessageTTL  time.Duration             // messages older than that are no longer of the conversation; 0: they stay
	Repair      string                    // what an operator does about damaged rows, for the log; default: compare with a backup

	// Locker makes the turns of one session run one after another across all processes that
	// share a store. nil: only this process uses the store. If another one does after all, the
	// commit detects it by the session's version.
	Locker SessionLocker

	// Held are the values that redacted params are known to have had in sessions at any time
	// before this turn, by param, in lists. Models do not get to see them. nil: what the
	// sessions' params are now is all that is known.
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
