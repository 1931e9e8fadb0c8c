package slotway

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/durable"
	"github.com/slotway/slotway/config/settings"
	"github.com/slotway/slotway/internal/build"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/archive"
	"github.com/slotway/slotway/memory/recall"
	"github.com/slotway/slotway/memory/summary"
	"github.com/slotway/slotway/router"
	"github.com/slotway/slotway/router/httpapi"
	"github.com/slotway/slotway/router/httpapi/access"
	"github.com/slotway/slotway/router/telemetry"
	"github.com/slotway/slotway/tools"
)

// Interaction is a message to an agent. Only Text is required; without Context.SessionID the
// message starts a conversation of its own.
type Interaction = router.Interaction

// Context identifies the conversation and the user of an Interaction.
type Context = router.Context

// HandOver makes an Interaction what a person does with the conversation: its Action is "take", "answer"
// (Interaction.Text is what the person says) or "give_back".
type HandOver = router.HandOver

// Reply is the agent's answer to a message, with the state of the conversation after it.
type Reply = router.Reply

// Runtime is a running agent. It is safe for concurrent use.
type Runtime struct {
	opts     *Options
	settings *settings.Settings
	agent    *config.Agent // as at the start; router.Agent() returns the current one
	store    memory.Backend
	archive  *archive.Tier // nil until archiveTier
	registry *tools.Registry
	router   *router.Router
	sink     telemetry.Sink // receives the router's events
	tiers    []memory.Tier  // the memory of its turns
	closers  []func() error // run backwards by Close

	current *version // of the agent's definition
	shared  *shared  // by all versions; nil: the runtime runs no turns

	idKey    []byte    // for ids that telemetry does not show
	visitKey []byte    // signs the tokens of visitors
	restored time.Time // when the store was put back to an earlier state; zero: never

	opened *memory.Opened // the store that the settings name; nil: Options.Store

	reach reach // messaging platforms

	servers *build.Servers // the optional servers
	models  *build.Models
	vectors recall.VectorStore // nil until vectorStore, or if the settings name no external one

	digests   *memory.Digests  // of texts, to recognise repeated messages
	count     func(string) int // counts tokens
	observers *observers       // nil: no HTTP
	spool     *telemetry.Spool // of the log; nil: it writes lines directly

	access access.Authenticator // nil: requests need no key

	file      string                         // of the agent; "": the embedded one
	reloading sync.Mutex                     // one reload at a time
	loaded    atomic.Pointer[httpapi.Reload] // the outcome of the last load; nil: the files are not watched

	mu      sync.Mutex // guards the fields below
	service *service   // for Handler; nil until it is needed
	refresh []func()   // called after every reload
}

// Open starts the agent of a file; "" is the embedded order-support agent. It opens the store,
// trains the classifier unless a cache has it, and starts background work. With nil options it
// follows the settings. The caller closes the runtime.
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

// newRuntime returns a runtime that has nothing open yet.
func newRuntime(agent *config.Agent, opts *Options) (*Runtime, error) {
	settings, err := opts.load()
	if err != nil {
		return nil, err
	}
	own := *opts // the caller may go on to change them
	r := &Runtime{opts: &own, settings: settings, agent: agent, store: opts.Store, servers: build.NewServers(opts.warn, opts.Probe)}
	r.models = &build.Models{Settings: settings, Servers: r.servers, Embedder: opts.Embedder, Ranker: opts.Reranker}
	return r, nil
}

func loadAgent(file string) (*config.Agent, error) {
	if file == "" {
		return config.Default()
	}
	return config.Load(file)
}

func (r *Runtime) assemble(ctx context.Context) error {
	var err error
	r.agent = r.withIdleTime(r.agent)
	if r.store == nil {
		if err := r.openStore(ctx); err != nil {
			return err
		}
	}
	if r.digests, err = memory.OpenDigests(ctx, r.store); err != nil {
		return err
	}
	if r.restored, err = memory.RestoredAt(ctx, r.store); err != nil {
		return fmt.Errorf("look when the store was put back: %w", err)
	}
	keep, m := memory.Rules{Now: r.opts.clock(), Failed: func(error) { r.failedJob("evict") }}, &r.settings.Memory
	if isBounded := m.Enabled && m.Evict != "none"; isBounded || m.Storage == "inmem" {
		keep.Max, keep.PerUser = m.MaxConversations, m.Evict == "user"
	}
	if !m.Enabled {
		keep.Textless = r.idempotent
		if intents := confirming(r.agent); len(intents) > 0 {
			r.opts.warn(fmt.Sprintf("memory.enabled is false: nobody can confirm a write, so these intents make none that asks for a yes: %s", strings.Join(intents, ", ")))
		}
	}
	r.store.Keep(keep)
	dir := dataDir(r.settings)
	if err := durable.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("make the data folder: %w; %s, or choose another with --data or memory.storage_path", err, durable.Remedy(err))
	}
	if r.idKey, err = build.IDKey(dir, r.settings.Telemetry.IDKeyEnv); err != nil {
		return err
	}
	client, err := build.ModelClient(r.settings.Models.Chat)
	if err != nil {
		return err
	}
	if err := r.startVersion(ctx, client); err != nil {
		return err
	}
	if r.sink = r.opts.Sink; r.sink == nil {
		if r.sink, err = r.openLog(); err != nil {
			return err
		}
	}
	conversations := memory.NewConversations(r.store, r.settings.Memory.MaxTurns*build.MessagesPerTurn)
	if !r.opts.NoHTTP {
		if err := errors.Join(r.observe(ctx), r.openAccess()); err != nil {
			return err
		}
	}
	if err := r.openTiers(ctx); err != nil {
		return err
	}
	if err := r.openChannels(ctx); err != nil {
		return err
	}
	var running atomic.Pointer[router.Router] // the background work starts before the router exists
	busy := func() bool {
		now := running.Load()
		return now != nil && now.Busy()
	}
	r.router = router.New(r.agent, r.current.classifier, conversations, r.registry, &router.Options{
		Sink: r.sink, Now: r.opts.clock(), Stateless: !r.settings.Memory.Enabled, MessageTTL: r.settings.Memory.MessageTTL, Generator: build.Generator(client),
		Tiers: r.timed(r.tiers), Workers: r.reach.workers, Nudge: r.background(r.tiers, busy), Budget: r.settings.Memory.MaxHistoryTokens, Count: r.count,
		Held: r.redactedValues, Locker: r.locks(), Digests: r.digests, Restored: r.restored, Repair: r.repair(), Importance: summary.Importance, Passed: r.opts.Passed, Model: build.ModelName(client),
	})
	running.Store(r.router)
	r.reach.start(r)
	if r.opts.Now != nil { // a replay
		return nil
	}
	return r.startBackfill(r.tiers, busy)
}

// confirming returns the intents that ask for confirmation before they write.
func confirming(agent *config.Agent) []string {
	var asks func([]*config.Step) bool
	asks = func(list []*config.Step) bool {
		return slices.ContainsFunc(list, func(s *config.Step) bool {
			return s.Kind == config.StepConfirm || asks(s.Then) || asks(s.Else)
		})
	}
	var ids []string
	for _, in := range agent.Intents {
		if asks(in.Plan) {
			ids = append(ids, in.ID)
		}
	}
	return ids
}

// openStore opens the store that the settings name.
func (r *Runtime) openStore(ctx context.Context) error {
	stores := r.stores()
	stores.Turns = true
	stores.Report = func(key memory.Key, err error) { r.reportCorrupt("memory", key, err) }
	opened, err := stores.Open(ctx, r.settings)
	if err != nil {
		return err
	}
	r.opened, r.store = opened, opened.Store
	r.onClose(r.store.Close)
	if opened.Locks != nil {
		r.onClose(opened.Locks.Close)
	}
	return nil
}

func (r *Runtime) stores() *build.Stores {
	return &build.Stores{Drivers: r.opts.Drivers, Vectors: r.opts.Vectors, Warn: r.opts.warn}
}

// locks returns the session locks that other processes share; nil: this is the only process.
func (r *Runtime) locks() router.SessionLocker {
	if r.opened == nil || r.opened.Locks == nil {
		return nil
	}
	return r.opened.Locks
}

// ready reports why no turn can run now: a tool has no function, or the store cannot be reached.
func (r *Runtime) ready(ctx context.Context) error {
	if err := r.complete(r.router.Agent()); err != nil {
		return err
	}
	return r.store.Ping(ctx)
}

// idempotent reports whether a tool accepts an idempotency key.
func (r *Runtime) idempotent(tool string) bool {
	agent := r.agent
	if r.router != nil {
		agent = r.router.Agent()
	}
	t := agent.Tools[tool]
	return t != nil && t.Idempotent
}

// Handle answers a message. A message whose ID was answered before gets the same reply, and nothing
// is done twice. An error means that the turn was not committed: the caller may send the same
// message again.
func (r *Runtime) Handle(ctx context.Context, in Interaction) (Reply, error) {
	if err := r.complete(r.router.Agent()); err != nil {
		return Reply{}, err
	}
	return r.router.Handle(ctx, in)
}

// Agent returns the definition that new turns use.
func (r *Runtime) Agent() *config.Agent { return r.router.Agent() }

// repair returns what an operator can do about damaged rows; "" if the store does not say.
func (r *Runtime) repair() string {
	if r.opened == nil {
		return ""
	}
	return r.opened.RepairHint
}

// Settings returns the settings that the runtime was opened with.
func (r *Runtime) Settings() *settings.Settings { return r.settings }

// Store returns the store of the conversations.
func (r *Runtime) Store() memory.Backend { return r.store }

// Tiers returns the tiers that give turns their memory; memory.TierOf finds one by type.
func (r *Runtime) Tiers() []memory.Tier { return r.tiers }

// Router returns the router that runs the turns, for programs that inspect how it interprets
// messages.
func (r *Runtime) Router() *router.Router { return r.router }

// Close ends background work and releases what Open opened. It waits for neither turns nor
// requests: end those first.
func (r *Runtime) Close() error {
	var all []error
	for i := len(r.closers) - 1; i >= 0; i-- {
		all = append(all, r.closers[i]())
	}
	r.closers = nil
	return errors.Join(all...)
}

func (r *Runtime) onClose(f func() error) { r.closers = append(r.closers, f) }

// openLog opens the telemetry log that the settings name. The log of a service never delays a turn.
func (r *Runtime) openLog() (telemetry.Sink, error) {
	level, ok := telemetry.ParseLevel(r.settings.Telemetry.Level)
	if !ok {
		return nil, fmt.Errorf("telemetry.level is %q, expected debug, info, warn or error", r.settings.Telemetry.Level)
	}
	switch target := r.settings.Telemetry.Log; target {
	case "", "none", "off":
		return telemetry.Discard, nil
	case "stderr":
		if r.opts.Stderr == nil {
			return telemetry.Discard, nil
		}
		r.spool, _ = r.opts.Stderr.(*telemetry.Spool)
		return r.hideIDs(telemetry.NewLog(r.opts.Stderr, level)), nil
	default:
		if err := os.MkdirAll(filepath.Dir(target), 0o700); err != nil {
			return nil, fmt.Errorf("make the folder of telemetry.log: %w", err)
		}
		file, err := os.OpenFile(target, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			return nil, fmt.Errorf("open telemetry.log: %w", err)
		}
		r.onClose(file.Close)
		if r.opts.NoHTTP {
			return r.hideIDs(telemetry.NewLog(file, level)), nil
		}
		r.spool = telemetry.NewSpool(file)
		r.onClose(r.spool.Close)
		return r.hideIDs(telemetry.NewLog(r.spool, level)), nil
	}
}

// hideIDs keeps ids that hold redacted values out of a log or a collector.
func (r *Runtime) hideIDs(next telemetry.Sink) telemetry.Sink {
	if next == telemetry.Discard {
		return next
	}
	return telemetry.HideIDs(next, r.redactor, r.idKey)
}

// reportCorrupt records a stored value that cannot be read and was left out. The error says what is
// wrong and what to do; it quotes no value.
func (r *Runtime) reportCorrupt(where string, key memory.Key, err error) {
	if r.sink == nil {
		return // the store is still being opened
	}
	r.sink.Record(telemetry.Event{
		Time: build.Now(), Level: telemetry.LevelError, UserID: key.UserID, SessionID: key.SessionID,
		Payload: telemetry.Failure{Code: "corrupt", Stage: where, Message: telemetry.ScrubError(fmt.Errorf("%w; it is left out until that is mended: db check tells the row, sessions forget erases the session", err), nil)},
	})
}
