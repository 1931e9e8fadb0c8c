package slotway

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/durable"
	"github.com/slotway/slotway/config/settings"
	"github.com/slotway/slotway/config/source"
	"github.com/slotway/slotway/internal/build"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/prompt"
	"github.com/slotway/slotway/memory/summary"
	"github.com/slotway/slotway/router"
	"github.com/slotway/slotway/router/httpapi"
	"github.com/slotway/slotway/router/httpapi/access"
	"github.com/slotway/slotway/router/report"
	"github.com/slotway/slotway/router/sessions"
	"github.com/slotway/slotway/router/telemetry"
	"github.com/slotway/slotway/router/telemetry/prom"
	"github.com/slotway/slotway/tools"
	"github.com/slotway/slotway/tools/llm"
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
	router   *router.Router
	sink     telemetry.Sink // receives the router's events
	tiers    []memory.Tier  // the memory of its turns
	closers  closers

	current  *version                           // of the agent's definition
	client   *llm.Client                        // nil: there is no model server
	funcs    functions                          // the tools of kind go
	redact   atomic.Pointer[telemetry.Redactor] // of the current version
	draining sync.WaitGroup                     // versions that wait for their last turn
	closing  chan struct{}                      // closed when the runtime stops waiting

	idKey    []byte    // for ids that telemetry does not show
	visitKey []byte    // signs the tokens of visitors
	restored time.Time // when the store was put back to an earlier state; zero: never

	opened *memory.Opened // the store that the settings name; nil: Options.Store

	reach reach // messaging platforms

	servers *build.Servers // the optional servers
	past    *build.Past    // builds the tiers

	digests   *memory.Digests  // of texts, to recognise repeated messages
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

func (r *Runtime) assemble(ctx context.Context) error {
	var err error
	r.agent = r.withIdleTime(r.agent)
	if r.store == nil {
		if err := r.openStore(ctx); err != nil {
			return err
		}
	}
	r.past.Store, r.past.Kept = r.store, sessions.NewMaskCache(r.store, nil)
	if r.digests, err = memory.OpenDigests(ctx, r.store); err != nil {
		return err
	}
	if r.restored, err = memory.RestoredAt(ctx, r.store); err != nil {
		return fmt.Errorf("look when the store was put back: %w", err)
	}
	keep, m := memory.Rules{Now: r.opts.clock(), Failed: func(error) { r.record(build.JobFailed("evict")) }}, &r.settings.Memory
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
	dir := build.DataDir(r.settings)
	if err := durable.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("make the data folder: %w; %s, or choose another with --data or memory.storage_path", err, durable.Remedy(err))
	}
	if r.idKey, err = build.IDKey(dir, r.settings.Telemetry.IDKeyEnv); err != nil {
		return err
	}
	if r.client, err = build.ModelClient(r.settings.Models.Chat); err != nil {
		return err
	}
	if err := r.startVersion(ctx); err != nil {
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
	if r.tiers, err = r.past.Tiers(ctx, r.opts.Tiers); err != nil {
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
	r.router = router.New(r.agent, r.current.classifier, conversations, r.current.registry, &router.Options{
		Sink: r.sink, Now: r.opts.clock(), Stateless: !r.settings.Memory.Enabled, MessageTTL: r.settings.Memory.MessageTTL, Generator: build.Generator(r.client),
		Tiers: r.timed(r.tiers), Workers: r.reach.workers, Nudge: r.background(busy), Budget: r.settings.Memory.MaxHistoryTokens, Count: r.past.Count,
		Held: r.past.RedactedValues, Locker: r.locks(), Digests: r.digests, Restored: r.restored, Repair: r.repair(), Importance: summary.Importance, Passed: r.opts.Passed, Model: build.ModelName(r.client),
	})
	running.Store(r.router)
	r.reach.start(r)
	if r.opts.Now != nil { // a replay
		return nil
	}
	return r.past.StartBackfill(r.tiers, busy)
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
	stores := *r.past.Stores
	stores.Turns = true
	stores.Report = func(key memory.Key, err error) { r.past.ReportCorrupt("memory", key, err) }
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

// DataDir returns the folder of what outlives the process: the database, trained classifiers, keys, logs.
func (r *Runtime) DataDir() string { return build.DataDir(r.settings) }

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
	return r.closers.close()
}

func (r *Runtime) onClose(f func() error) { r.closers.add(f) }

// background starts the background work and returns the function that a turn calls after it has added
// a job.
func (r *Runtime) background(busy func() bool) (nudge func()) {
	chores := &build.Chores{Store: r.store, Settings: r.settings, Servers: r.servers, Record: r.record, Now: r.opts.Now, Probe: r.observers != nil, Busy: busy}
	wake, stop := chores.Start(memory.Workers(r.tiers))
	r.onClose(stop)
	return func() {
		wake()
		r.reach.nudge()
	}
}

// record passes an event on to the sink; a command has none, nor has a runtime that is being opened.
func (r *Runtime) record(e telemetry.Event) {
	if r.sink != nil {
		r.sink.Record(e)
	}
}

// closers are what to close, in the order in which it was opened.
type closers struct{ all []func() error }

func (c *closers) add(f func() error) { c.all = append(c.all, f) }

// close closes all, the last one first.
func (c *closers) close() error {
	var errs []error
	for _, f := range slices.Backward(c.all) {
		errs = append(errs, f())
	}
	c.all = nil
	return errors.Join(errs...)
}

// Context returns what the next message of a session would be told of the past, as the model gets it
// behind the instruction of a step.
func (r *Runtime) Context(ctx context.Context, key memory.Key, text string) (memory.Context, error) {
	m, agent, now := &r.settings.Memory, r.agent, r.opts.clock()()
	if r.router != nil {
		agent = r.router.Agent()
	}
	session, err := memory.NewConversations(r.store, m.MaxTurns*build.MessagesPerTurn).ForSession(ctx, key)
	if err != nil {
		return memory.Context{}, err
	}
	// The time that passes before the next message may end the window.
	if idle := r.withIdleTime(agent).Session.IdleTTL; idle > 0 && session.Version() > 0 && now.Sub(session.UpdatedAt()) > idle {
		session.Rest()
	}
	if err := session.Expire(ctx, now, m.MessageTTL); err != nil {
		return memory.Context{}, err
	}
	asked := session.Request(text, now, m.MaxHistoryTokens)
	asked.Prompt = agent.SystemPrompt
	return prompt.Assemble(ctx, r.tiers, asked, r.past.Count)
}

// withIdleTime returns an agent whose idle sessions live for memory.ttl if the operator has set it,
// else as long as the agent says.
func (r *Runtime) withIdleTime(agent *config.Agent) *config.Agent {
	ttl := r.settings.Memory.TTL
	if !r.settings.Given("memory.ttl") || ttl == agent.Session.IdleTTL {
		return agent
	}
	own := *agent // other runtimes may share the agent
	own.Session.IdleTTL = ttl
	return &own
}

// version is what belongs to one version of an agent's definition. It is opened as a whole, and closed
// when its last turn has ended. The store, the tiers and the telemetry of a runtime outlive it.
type version struct {
	agent      *config.Agent
	classifier classifier.Classifier
	registry   *tools.Registry
	closers    closers
}

// startVersion opens the runtime's first version.
func (r *Runtime) startVersion(ctx context.Context) error {
	first, err := r.newVersion(ctx, r.agent)
	if err != nil {
		return err
	}
	r.current = first
	r.onClose(func() error {
		close(r.closing)
		r.draining.Wait()
		return r.current.closers.close()
	})
	return nil
}

// newVersion opens a version of the agent. If it fails, it leaves nothing open.
func (r *Runtime) newVersion(ctx context.Context, agent *config.Agent) (*version, error) {
	v := &version{agent: agent}
	if err := r.open(ctx, v); err != nil {
		return nil, errors.Join(err, v.closers.close())
	}
	return v, nil
}

func (r *Runtime) open(ctx context.Context, v *version) (err error) {
	box := &build.Toolbox{
		Agent: v.agent, Settings: r.settings, Replaced: r.opts.Tools, Function: r.funcs.get, Archive: r.past.Archive,
		Stderr: r.logMCPStderr, OnClose: v.closers.add,
	}
	if v.registry, err = box.Registry(ctx, r.opts.ToolOptions); err != nil {
		return err
	}
	if r.opts.Classifier != nil {
		v.classifier, err = r.opts.Classifier(ctx, v.agent)
		return err
	}
	tick := func(done, total int) error {
		if r.opts.Training != nil {
			r.opts.Training(done, total)
		}
		return ctx.Err()
	}
	v.classifier, err = build.TrainClassifier(v.agent, r.settings, r.client, r.opts.cache(r.settings), tick)
	return err
}

// reload makes the runtime use another version of its agent, or fails and changes nothing. It
// closes the old version's tools when its last turn has ended. It must not be called concurrently
// with Close.
func (r *Runtime) reload(ctx context.Context, agent *config.Agent) error {
	r.reloading.Lock()
	defer r.reloading.Unlock()
	if err := r.complete(agent); err != nil {
		return err
	}
	next, err := r.newVersion(ctx, r.withIdleTime(agent))
	if err != nil {
		return err
	}
	unused, err := r.router.Swap(router.Deps{Agent: next.agent, Classifier: next.classifier, Tools: next.registry})
	if err != nil {
		return errors.Join(err, next.closers.close())
	}
	r.redact.Store(telemetry.NewRedactor(next.agent))
	old := r.current
	r.current = next
	r.draining.Go(func() {
		select {
		case <-unused:
		case <-r.closing: // the process ends; the turns have had their time
		}
		if err := old.closers.close(); err != nil {
			r.opts.notify("close the tools of the agent as it was: %v", err)
		}
	})
	return nil
}

// newReloader watches the files of the runtime's agent.
func (r *Runtime) newReloader() *build.Reloader {
	log := r.opts.Stderr
	if log == nil {
		log = io.Discard
	}
	files := &build.Reloader{Load: r.loadAgain, Apply: r.reload, Log: log, OnReload: r.reloaded}
	files.Start(r.agent.Files)
	return files
}

// errReadOnce is the reason why an agent from a pipe cannot be reloaded.
var errReadOnce = errors.New("the agent came through standard input or a pipe, which is read once; start again, or name a file")

// loadAgain reads the agent's file again.
func (r *Runtime) loadAgain() (*config.Agent, error) {
	switch {
	case r.opts.Agent != nil:
		return nil, errors.New("the agent was given in Options.Agent: there is no file to read again")
	case source.ReadOnce(r.file):
		return nil, errReadOnce
	}
	return loadAgent(r.file)
}

// Reload reads the agent's file again and replaces the agent, or fails and changes nothing. Each
// conversation uses the new version from its next message on.
func (r *Runtime) Reload(ctx context.Context) error {
	agent, err := r.loadAgain()
	if err == nil {
		err = r.reload(ctx, agent)
	}
	r.reloaded(err)
	return err
}

// Watch reloads the agent when its files change or the process gets SIGHUP, until the runtime is
// closed. It waits until the files stop changing. It writes the outcome to Options.Stderr.
func (r *Runtime) Watch() {
	files := r.newReloader()
	r.loaded.CompareAndSwap(nil, httpapi.NewReload(build.Now(), nil, r.agent.Warnings))
	ctx, cancel := context.WithCancel(context.Background())
	hup := make(chan os.Signal, 1)
	signal.Notify(hup, syscall.SIGHUP)
	ticker := time.NewTicker(build.PollInterval)
	var wg sync.WaitGroup
	wg.Go(func() { files.Run(ctx, ticker.C, hup) })
	r.onClose(func() error {
		signal.Stop(hup)
		ticker.Stop()
		cancel()
		wg.Wait()
		return nil
	})
}

// reloaded records the outcome of a reload: nil, or why it failed.
func (r *Runtime) reloaded(err error) {
	agent := r.router.Agent()
	r.loaded.Store(httpapi.NewReload(build.Now(), err, agent.Warnings))
	if r.opts.Reloaded != nil {
		defer r.opts.Reloaded(agent, err)
	}
	if err != nil {
		r.sink.Record(telemetry.Event{
			Time: time.Now(), Level: telemetry.LevelError,
			Payload: telemetry.Failure{Code: "reload", Stage: "config", Message: telemetry.Scrub("the agent's files have an error; its last good version goes on", nil)},
		})
		return
	}
	if r.observers != nil && r.observers.metrics != nil {
		r.observers.metrics.Define(prom.NamesOf(agent))
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, f := range r.refresh {
		f()
	}
}

// reading returns what reads texts of users for a report: the agent's classifier, without the model
// server, which a report over many messages would keep busy.
func (r *Runtime) reading(_ context.Context, agent *config.Agent) (report.Reading, error) {
	table, err := build.WordVectors()
	if err != nil {
		return report.Reading{}, fmt.Errorf("open the word vectors: %w", err)
	}
	r.reloading.Lock()
	now := r.current
	r.reloading.Unlock()
	if now.agent.Hash == agent.Hash && (r.client == nil || r.opts.Classifier != nil) {
		return report.Reading{Classifier: now.classifier, Embedder: table}, nil
	}
	classes, err := build.Classifier(agent, r.settings, nil, r.opts.cache(r.settings))
	if err != nil {
		return report.Reading{}, err
	}
	return report.Reading{Classifier: classes, Embedder: table}, nil
}

// Memory gives maintenance programs access to what an agent remembers. It runs no turns and no
// background work.
type Memory struct{ runtime *Runtime }

// OpenMemory builds the tiers that the settings name over a store. The caller closes the memory,
// and then the store.
func OpenMemory(ctx context.Context, agent *config.Agent, store memory.Backend, opts *Options) (*Memory, error) {
	given := Options{}
	if opts != nil {
		given = *opts
	}
	given.Store = store
	r, err := newRuntime(agent, &given)
	if err != nil {
		return nil, err
	}
	r.past.Kept = sessions.NewMaskCache(store, nil)
	if r.tiers, err = r.past.Tiers(ctx, r.opts.Tiers); err != nil {
		return nil, errors.Join(err, r.Close())
	}
	return &Memory{r}, nil
}

// Context returns what the next message of a session would be told of the past.
func (m *Memory) Context(ctx context.Context, key memory.Key, text string) (memory.Context, error) {
	return m.runtime.Context(ctx, key, text)
}

// Tiers returns the tiers in the order in which a turn uses them; memory.TierOf finds one by type.
func (m *Memory) Tiers() []memory.Tier { return m.runtime.tiers }

// Close releases what OpenMemory opened.
func (m *Memory) Close() error { return m.runtime.Close() }

// Reindex makes the vectors that the messages and archived documents of a user lack in the
// embedding model of the settings; user "" means all users. It calls progress with the number of
// sessions done, first for messages and then for archives, and returns how many vectors it made.
func (m *Memory) Reindex(ctx context.Context, user string, progress func(what string, done, total int)) (messages, documents int, err error) {
	return m.runtime.past.Reindex(ctx, m.Tiers(), user, progress)
}
