package router

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/printable"
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

// maxReruns bounds how often a turn is run again because another process changed the
// session in the meantime.
const maxReruns = 8

// Router answers messages for one agent.
type Router struct {
	id       string               // of the agent; the same in every version of it
	current  atomic.Pointer[live] // the version that turns begin with
	sessions Conversations
	opts     Options
	lanes    *lanes
}

// New returns a router over its parts.
func New(def *config.Agent, c Classifier, sessions Conversations, t Tools, opts *Options) *Router {
	r := &Router{id: def.ID, sessions: sessions}
	r.current.Store(newLive(Deps{Agent: def, Classifier: c, Tools: t}))
	if opts != nil {
		r.opts = *opts
	}
	if r.opts.Sink == nil {
		r.opts.Sink = telemetry.Discard
	}
	if r.opts.Now == nil {
		r.opts.Now = time.Now
	}
	if r.opts.DefaultUser == "" {
		r.opts.DefaultUser = "local"
	}
	if r.opts.MaxQueue == 0 {
		r.opts.MaxQueue = 64
	}
	if r.opts.Tiers == nil {
		r.opts.Tiers = []memory.Tier{window.New(window.Limits{})}
	}
	r.lanes = newLanes(r.opts.MaxQueue)
	return r
}

// Agent returns the definition that turns begin with now.
func (r *Router) Agent() *config.Agent { return r.current.Load().Agent }

// Busy reports whether a turn is under way now: work in the background gives way to it.
func (r *Router) Busy() bool { return r.lanes.busy() }

// Handle runs one turn. The reply is durable when it is returned. A context that ends
// before the commit leaves the session as it was; an error never holds what was said.
func (r *Router) Handle(ctx context.Context, in Interaction) (Reply, error) {
	reply, _, err := r.Trace(ctx, in)
	return reply, err
}

// Trace is Handle that also tells how the turn went.
func (r *Router) Trace(ctx context.Context, in Interaction) (Reply, Trace, error) {
	key, err := r.identify(&in)
	if err != nil {
		return Reply{}, Trace{}, err
	}
	came := r.opts.Now()
	leave, err := r.lanes.enter(ctx, key)
	if err != nil {
		return r.keptOut(in, key, came, fmt.Errorf("session is busy: %w", err))
	}
	defer leave()
	across := place{lanes: r.opts.Locker, key: key, leave: func() {}}
	if err := across.enter(ctx); err != nil {
		return r.keptOut(in, key, came, err)
	}
	defer func() { across.leave() }()
	parts := r.enter() // behind the line: a turn that waited begins now
	defer parts.leave()
	known, spent, drafts := map[string]outcome{}, false, newDrafting(in.Draft)
	for run := 0; ; run++ {
		t := &turn{
			r: r, parts: parts, in: in, key: key, known: known, lost: map[string]outcome{}, made: map[string]int{},
			fresh: run > 0, spent: spent, drafts: drafts, started: r.opts.Now(),
		}
		err := t.run(ctx)
		if err != nil {
			drafts.void() // whether or not it is run again
		}
		if errors.Is(err, errSpent) && !spent {
			spent = true
			continue
		}
		if errors.Is(err, memory.ErrConflict) && run < maxReruns {
			// Another process was faster: from what is there now, once more.
			if err = across.enter(ctx); err == nil {
				continue
			}
		}
		t.publish(err)
		return t.reply, t.trace(), err
	}
}

// keptOut ends a message that did not get into its session's line, or gave up in it: there
// was no turn, and whoever runs the service learns what came of it all the same.
func (r *Router) keptOut(in Interaction, key memory.Key, came time.Time, err error) (Reply, Trace, error) {
	t := &turn{r: r, in: in, key: key, started: came, mark: came}
	t.publish(err)
	return Reply{}, t.trace(), err
}

// identify completes an interaction and names its session.
func (r *Router) identify(in *Interaction) (memory.Key, error) {
	if !utf8.ValidString(in.Text) {
		return memory.Key{}, fmt.Errorf("%w: text is not UTF-8", ErrBadInteraction)
	}
	if in.Structured != nil && in.Text != "" {
		return memory.Key{}, fmt.Errorf("%w: it has a text and a meaning", ErrBadInteraction)
	}
	tags, err := memory.CheckTags(in.Tags)
	if err != nil {
		return memory.Key{}, fmt.Errorf("%w: %w", ErrBadInteraction, err)
	}
	in.Tags = tags
	if in.Importance < 0 || in.Importance > memory.MaxImportance {
		return memory.Key{}, fmt.Errorf("%w: importance is from 0 to %d", ErrBadInteraction, memory.MaxImportance)
	}
	if in.AfterTurn != nil && *in.AfterTurn < 0 {
		return memory.Key{}, fmt.Errorf("%w: after_turn is negative", ErrBadInteraction)
	}
	if in.ID == "" {
		id, err := uuid.NewV7()
		if err != nil {
			return memory.Key{}, fmt.Errorf("make an interaction id: %w", err)
		}
		in.ID = id.String()
	}
	own := in.Context.SessionID == "" // the message is a conversation of its own
	if own {
		in.Context.SessionID = in.ID
	}
	if in.Context.UserID == "" {
		in.Context.UserID = r.opts.DefaultUser
	}
	key := memory.Key{UserID: in.Context.UserID, AgentID: r.id, SessionID: in.Context.SessionID}
	for _, id := range [...]struct{ of, is string }{{"session", key.SessionID}, {"user", key.UserID}, {"message", in.ID}} {
		if err := printable.CheckID(id.is); err != nil {
			return memory.Key{}, fmt.Errorf("%w: %s: %w", ErrBadInteraction, id.of, err)
		}
	}
	if memory.Reserved(key.UserID) {
		return memory.Key{}, fmt.Errorf("%w: user ids that begin with $ are the program's own", ErrBadInteraction)
	}
	if r.opts.Stateless && !own {
		// A message id counts within its conversation, also where conversations are not kept.
		key.SessionID = r.opts.Digests.UUID("message", key.UserID, key.SessionID, in.ID)
		in.Context.SessionID = key.SessionID
	}
	return key, nil
}

// run drives the turn and commits it. A panic becomes an error without its text, which
// may hold what was said; where it happened is told.
func (t *turn) run(ctx context.Context) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w in state %s at %s", ErrPanic, t.where(), panicSite(debug.Stack()))
		}
	}()
	if err := drive(ctx, t); err != nil {
		return err
	}
	return t.commit(ctx)
}
