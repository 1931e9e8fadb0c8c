package slotway

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"sync/atomic"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/durable"
	"github.com/slotway/slotway/internal/build"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/archive"
	"github.com/slotway/slotway/memory/bounded"
	"github.com/slotway/slotway/memory/recall"
	"github.com/slotway/slotway/memory/stateless"
	"github.com/slotway/slotway/memory/summary"
	"github.com/slotway/slotway/router"
	"github.com/slotway/slotway/router/httpapi/access"
	"github.com/slotway/slotway/router/telemetry"
	"github.com/slotway/slotway/tools"
)

// Interaction is a message to an agent. Only Text is required; without Context.SessionID the
// message is a conversation of its own.
type Interaction = router.Interaction

// Context says whose message an Interaction is.
type Context = router.Context

// Reply is what the agent says to a message, and how the conversation stands then.
type Reply = router.Reply

// Runtime is one agent, ready to answer. It is safe for concurrent use.
type Runtime struct {
	opts     *Options
	settings *config.Settings
	agent    *config.Agent // as it was at the start; what runs now is router.Agent()
	store    memory.Store
	archive  *archive.Tier // nil until archiveTier
	registry *tools.Registry
	router   *router.Router
	sink     telemetry.Sink // where the router's events go
	known    []memory.Tier  // what its turns may know of the past
	closers  []func() error // run backwards by Close

	latest *edition // what belongs to the agent's definition as it is now
	shared *shared  // what all editions have in common; nil: the runtime runs no turns

	idKey func() []byte // of ids that telemetry does not show

	opened *memory.Opened // the store as the settings name it; nil: it was given

	servers *build.Servers // those that memory can do without
	models  *build.Models
	outside recall.Outside // nil until outsideVectors, or nothing keeps vectors outside

	digests  *memory.Digests  // name what was said
	count    func(string) int // counts tokens
	watching *observers       // nil: no service
	spool    *telemetry.Spool // of the log; nil: lines are written as they come
	access   *access.Bearer   // nil: nobody is asked for a key

	file      string     // of the agent; "": the embedded one
	reloading sync.Mutex // one version is taken over at a time

	mu      sync.Mutex // guards what follows
	service *service   // for Handler; nil until somebody asks for it
	refresh []func()   // called after every reload
}

// Open puts the agent of a file together: "" is the embedded order-support agent. It opens the
// store, trains the classifier unless a cache has it, and starts background work. Nil options
// follow the settings. The caller closes the runtime.
func Open(ctx context.Context, agentFile string, opts *Options) (*Runtime, error) {
	if opts == nil {
		opts = &Options{}
	}
	agent := opts.Agent
	if agent == nil {
		var err error
		if agent, err = loadAgent(agentFile); err != nil {
			return nil, err
		}
	}
	r, err := newRuntime(agent, opts)
	if err != nil {
		return nil, err
	}
	r.file = agentFile
	if err := r.assemble(ctx); err != nil {
		return nil, errors.Join(err, r.Close())
	}
	return r, nil
}

// newRuntime has nothing open yet.
func newRuntime(agent *config.Agent, opts *Options) (*Runtime, error) {
	settings, err := opts.load()
	if err != nil {
		return nil, err
	}
	r := &Runtime{opts: opts, settings: settings, agent: agent, store: opts.Store, servers: build.NewServers(opts.warn, opts.Probe)}
	r.models = &build.Models{Settings: settings, Servers: r.servers}
	return r, nil
}

func loadAgent(file string) (*config.Agent, error) {
	if file == "" {
		return config.Default()
	}
	return config.Load(file)
}

func (a *Runtime) assemble(ctx context.Context) error {
	var err error
	a.agent = a.withIdleTime(a.agent)
	if a.store == nil {
		if err := a.openStore(ctx); err != nil {
			return err
		}
	}
	if a.digests, err = memory.OpenDigests(ctx, a.store); err != nil {
		return err
	}
	if a.digests.Renewed() {
		a.opts.warn("the stored key of digests is damaged, and a new one took its place: a first message that is sent again may begin " +
			"a second conversation, and so may a chat that its client names only by what was said. " +
			cmp.Or(a.repair(), "Compare the store with a backup") + "; a row that is restored is used again after a restart")
	}
	switch m := &a.settings.Memory; {
	case !m.Enabled:
		a.store = stateless.New(a.store, a.idempotent)
	case m.Evict != "none":
		a.store = bounded.New(a.store, bounded.Options{Max: m.MaxConversations, PerUser: m.Evict == "user", Failed: func(error) { a.failedJob("evict") }})
	}
	dir := dataDir(a.settings)
	if err := durable.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("make the data folder: %w; %s, or choose another with --data or memory.storage_path", err, durable.Remedy(err))
	}
	if a.idKey, err = build.IDKey(dir, a.settings.Telemetry.IDKeyEnv); err != nil {
		return err
	}
	client, err := build.ModelClient(a.settings.Models.Chat)
	if err != nil {
		return err
	}
	if err := a.begin(ctx, client); err != nil {
		return err
	}
	if a.sink = a.opts.Sink; a.sink == nil {
		if a.sink, err = a.openLog(); err != nil {
			return err
		}
	}
	conversations := memory.NewConversations(a.store, a.settings.Memory.MaxTurns*build.MessagesPerTurn)
	if !a.opts.NoHTTP {
		if err := errors.Join(a.observe(ctx), a.openAccess()); err != nil {
			return err
		}
	}
	a.count, err = build.TokenCounter(a.settings.Memory.TokenCounter)
	if err != nil {
		return err
	}
	tiers, err := a.tiers(ctx, client)
	if err != nil {
		return err
	}
	a.known = tiers
	var running atomic.Pointer[router.Router] // the background begins before there is one
	busy := func() bool {
		r := running.Load()
		return r != nil && r.Busy()
	}
	a.router = router.New(a.agent, a.latest.classifier, conversations, a.registry, &router.Options{
		Sink: a.sink, Now: a.opts.clock(), Stateless: !a.settings.Memory.Enabled, MessageTTL: a.settings.Memory.MessageTTL, Generator: build.Generator(client),
		Tiers: a.timed(tiers), Nudge: a.background(tiers, busy), Budget: a.settings.Memory.MaxHistoryTokens, Count: a.count,
		Held: a.held, Lanes: a.locks(), Digests: a.digests, Repair: a.repair(), Importance: summary.Importance, Model: build.ModelName(client),
	})
	running.Store(a.router)
	if a.opts.Now != nil { // a replay's
		return nil
	}
	return a.refills(tiers, busy)
}

// openStore opens the store that the settings name.
func (a *Runtime) openStore(ctx context.Context) error {
	seals := build.NewSeals()
	seals.Report = func(key memory.Key, err error) { a.passedOver("memory", key, err) }
	stores := a.stores()
	stores.Turns, stores.Seals = true, seals
	opened, err := stores.Open(ctx, a.settings)
	if err != nil {
		return err
	}
	a.opened, a.store = opened, opened.Store
	a.onClose(a.store.Close)
	if opened.Locks != nil {
		a.onClose(opened.Locks.Close)
	}
	return nil
}

func (a *Runtime) stores() *build.Stores {
	return &build.Stores{Drivers: a.opts.Drivers, Vectors: a.opts.Vectors, Warn: a.opts.warn}
}

// locks keep the turns of a session in line across processes; nil: this is the only one.
func (a *Runtime) locks() router.Lanes {
	if a.opened == nil || a.opened.Locks == nil {
		return nil
	}
	return a.opened.Locks
}

// ready reports why no turn can be taken now: a tool has no function, or the store or what keeps
// turns in line cannot be reached. The latter may have another way to the database
// (memory.direct_dsn).
func (a *Runtime) ready(ctx context.Context) error {
	if err := a.complete(a.router.Agent()); err != nil {
		return err
	}
	if locks := a.locks(); locks != nil {
		if err := a.opened.Locks.Ready(); err != nil {
			return err
		}
	}
	return a.store.Ping(ctx)
}

// idempotent reports whether a tool takes the same key twice for one call.
func (a *Runtime) idempotent(tool string) bool {
	agent := a.agent
	if a.router != nil {
		agent = a.router.Agent()
	}
	t := agent.Tools[tool]
	return t != nil && t.Idempotent
}

// Handle answers a message. A message whose ID was answered before gets the same reply, and
// nothing is done twice. An error means that the turn was not committed: the same message may be
// sent again.
func (a *Runtime) Handle(ctx context.Context, in Interaction) (Reply, error) {
	if err := a.complete(a.router.Agent()); err != nil {
		return Reply{}, err
	}
	return a.router.Handle(ctx, in)
}

// Agent returns the definition that new turns run by.
func (a *Runtime) Agent() *config.Agent { return a.router.Agent() }

// repair is what an operator does about damaged rows; "" where the store does not say.
func (a *Runtime) repair() string {
	if a.opened == nil {
		return ""
	}
	return a.opened.Repair
}

// Settings returns what the runtime was opened with.
func (a *Runtime) Settings() *config.Settings { return a.settings }

// Store returns the store of the conversations.
func (a *Runtime) Store() memory.Store { return a.store }

// Tiers returns what turns may know of the past; memory.TierOf finds one.
func (a *Runtime) Tiers() []memory.Tier { return a.known }

// Router returns what runs the turns, for programs that follow how a message is taken.
func (a *Runtime) Router() *router.Router { return a.router }

// Close ends background work and releases what Open opened. It waits for neither turns nor
// requests: end those first.
func (a *Runtime) Close() error {
	var all []error
	for i := len(a.closers) - 1; i >= 0; i-- {
		all = append(all, a.closers[i]())
	}
	a.closers = nil
	return errors.Join(all...)
}

func (a *Runtime) onClose(f func() error) { a.closers = append(a.closers, f) }

// openLog opens the telemetry log that the settings name. That of a service never holds up a
// turn.
func (a *Runtime) openLog() (telemetry.Sink, error) {
	level, ok := telemetry.ParseLevel(a.settings.Telemetry.Level)
	if !ok {
		return nil, fmt.Errorf("telemetry.level is %q, expected debug, info, warn or error", a.settings.Telemetry.Level)
	}
	switch target := a.settings.Telemetry.Log; target {
	case "", "none", "off":
		return telemetry.Discard, nil
	case "stderr":
		if a.opts.Stderr == nil {
			return telemetry.Discard, nil
		}
		a.spool, _ = a.opts.Stderr.(*telemetry.Spool)
		return a.hideIDs(telemetry.NewLog(a.opts.Stderr, level)), nil
	default:
		file, err := os.OpenFile(target, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			return nil, fmt.Errorf("open telemetry.log: %w", err)
		}
		a.onClose(file.Close)
		if a.opts.NoHTTP {
			return a.hideIDs(telemetry.NewLog(file, level)), nil
		}
		a.spool = telemetry.NewSpool(file)
		a.onClose(a.spool.Close)
		return a.hideIDs(telemetry.NewLog(a.spool, level)), nil
	}
}

// hideIDs keeps ids that hold what is redacted from a log or a collector.
func (a *Runtime) hideIDs(next telemetry.Sink) telemetry.Sink {
	if next == telemetry.Discard {
		return next
	}
	return telemetry.HideIDs(next, a.redactor, a.idKey)
}

// passedOver tells telemetry of something stored that cannot be read, and was left out of what
// it is a part of. The error says what is wrong and what to do; it quotes no value.
func (a *Runtime) passedOver(where string, key memory.Key, err error) {
	if a.sink == nil {
		return // the store is being opened
	}
	a.sink.Record(telemetry.Event{
		Time: build.Now(), Level: telemetry.LevelError, UserID: key.UserID, SessionID: key.SessionID,
		Payload: telemetry.Failure{Code: "corrupt", Stage: where, Message: telemetry.ScrubError(fmt.Errorf("%w; it is left out until that is mended: db check tells the row, sessions forget erases the session", err), nil)},
	})
}
