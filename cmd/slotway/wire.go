package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"github.com/slotway/slotway/classifier/cascade"
	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/durable"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/archive"
	"github.com/slotway/slotway/memory/bounded"
	"github.com/slotway/slotway/memory/postgres"
	"github.com/slotway/slotway/memory/redis"
	"github.com/slotway/slotway/memory/stateless"
	"github.com/slotway/slotway/memory/summary"
	"github.com/slotway/slotway/router"
	"github.com/slotway/slotway/router/telemetry"
	"github.com/slotway/slotway/tools"
)

// app is one agent with its parts, ready to answer.
type app struct {
	settings *config.Settings
	agent    *config.Agent // as it was at the start; what runs now is router.Agent()
	store    memory.Backend
	archive  *archive.Tier // nil until archiveTier
	registry *tools.Registry
	router   *router.Router
	sink     telemetry.Sink // where the router's events go
	storedIn string         // the file of the store; "": it has none
	known    []memory.Tier  // what its turns may know of the past
	closers  []func() error // run backwards by Close

	toolOptions *tools.Options // of the registry; nil: its defaults

	latest *edition // what belongs to the agent's definition as it is now
	shared *shared  // what all editions have in common; nil: the app runs no turns

	idKey func() []byte // of ids that telemetry does not show

	lanes     router.Lanes // across processes; nil: this is the only one
	laneReady func() error // why they let nobody in; nil: they always do

	woken func(ctx context.Context) <-chan struct{} // when another process has left jobs; nil: never

	cached *redis.Store    // before the database; nil: no cache
	engine *postgres.Store // the database that replicas share; nil: the store is of this process alone

	servers  *servers        // those that memory can do without; nil: nobody looks
	embedder *remoteEmbedder // nil until remote
	outside  vectorStore     // nil until outsideVectors, or nothing keeps vectors outside

	digests  *memory.Digests  // name what was said
	count    func(string) int // counts tokens; nil: an estimate
	watching *observers       // nil: no service
	spool    *telemetry.Spool // of the log; nil: lines are written as they come
}

// parts are what differs between the commands that build an app; the zero value is what
// the settings say.
type parts struct {
	agent    *config.Agent         // nil: loaded from the flags
	store    memory.Backend        // nil: opened from the settings
	scripted map[string]tools.Tool // that answer in place of the agent's own
	tools    *tools.Options        // nil: the registry's defaults
	sink     telemetry.Sink        // nil: logged as the settings say
	cache    cascade.Cache         // of trained classifiers; nil: in the data folder
	logs     io.Writer             // where `telemetry.log: stderr` goes
	now      func() time.Time      // nil: the wall clock
	observed bool                  // by metrics, traces and whoever follows
	probing  time.Duration         // how often a server that does not answer is asked; 0: as usual

	fits func(*config.Settings) error // refuses settings before anything is opened; nil: takes all
}

// clock tells the time.
func (p *parts) clock() func() time.Time {
	if p.now != nil {
		return p.now
	}
	return wallClock
}

// cached is where trained classifiers are kept.
func (p *parts) cached(dataDir string) cascade.Cache {
	if p.cache != nil {
		return p.cache
	}
	return modelsIn(filepath.Join(dataDir, "classifiers"), p.logs)
}

// modelsIn is the cache of a folder; without one, "", it is a new one in memory. It is a
// variable because the tests begin with hundreds of new folders, and training each time
// costs more than what they try.
var modelsIn = func(dir string, warnings io.Writer) cascade.Cache {
	if dir == "" {
		return &sharedCache{}
	}
	return modelCache{dir, warnings}
}

// newApp reads the settings and puts an agent together.
func newApp(ctx context.Context, f *flags, p parts) (*app, error) {
	settings, err := f.settings()
	if err != nil {
		return nil, err
	}
	if p.fits != nil {
		if err := p.fits(settings); err != nil {
			return nil, err
		}
	}
	a := &app{settings: settings, agent: p.agent, toolOptions: p.tools, servers: newServers(warnings(p.logs), p.probing)}
	if err := a.build(ctx, f, p); err != nil {
		return nil, errors.Join(err, a.Close())
	}
	return a, nil
}

func (a *app) build(ctx context.Context, f *flags, p parts) error {
	var err error
	if a.agent == nil {
		if a.agent, err = f.loadAgent(); err != nil {
			return err
		}
	}
	a.agent = a.withIdleTime(a.agent)
	if a.store = p.store; a.store == nil {
		if err := a.openStorage(ctx, f, p.logs); err != nil {
			return err
		}
	}
	if a.digests, err = memory.OpenDigests(ctx, a.store); err != nil {
		return err
	}
	switch m := &a.settings.Memory; {
	case !m.Enabled:
		a.store = stateless.New(a.store, a.idempotent)
	case m.Evict != "none":
		a.store = bounded.New(a.store, bounded.Options{Max: m.MaxConversations, PerUser: m.Evict == "user", Failed: func(error) { a.failedJob("evict") }})
	}
	dir := f.dataDir(a.settings)
	if err := durable.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("make the data folder: %w; %s, or choose another with --data", err, durable.Remedy(err))
	}
	if a.idKey, err = idKey(dir, a.settings.Telemetry.IDKeyEnv); err != nil {
		return err
	}
	client, err := modelClient(a.settings.Models.Chat)
	if err != nil {
		return err
	}
	if err := a.begin(ctx, means{parts: p, dataDir: dir, client: client}); err != nil {
		return err
	}
	if a.sink = p.sink; a.sink == nil {
		if a.sink, err = a.openLog(p.logs, p.observed); err != nil {
			return err
		}
	}
	conversations := memory.NewConversations(a.store, a.settings.Memory.MaxTurns*messagesPerTurn)
	if p.observed {
		if err := a.observe(ctx); err != nil {
			return err
		}
	}
	a.count, err = tokenCounter(a.settings.Memory.TokenCounter)
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
		Sink: a.sink, Now: p.clock(), Stateless: !a.settings.Memory.Enabled, MessageTTL: a.settings.Memory.MessageTTL, Generator: a.buildGenerator(client),
		Tiers: a.timed(tiers), Nudge: a.background(tiers, p.now, busy), Budget: a.settings.Memory.MaxHistoryTokens, Count: a.count,
		Held: a.held, Lanes: a.lanes, Digests: a.digests, Importance: summary.Importance, Model: modelName(client),
	})
	running.Store(a.router)
	if p.now != nil { // a replay's
		return nil
	}
	return a.refills(f, tiers, busy)
}

// idempotent reports whether a tool takes the same key twice for one call.
func (a *app) idempotent(tool string) bool {
	agent := a.agent
	if a.router != nil {
		agent = a.router.Agent()
	}
	t := agent.Tools[tool]
	return t != nil && t.Idempotent
}

// messagesPerTurn is how many messages of a turn the recent window has room for: what
// the user said, a call, the reply.
const messagesPerTurn = 3

// Close releases what the app opened, last first.
func (a *app) Close() error {
	var all []error
	for i := len(a.closers) - 1; i >= 0; i-- {
		all = append(all, a.closers[i]())
	}
	a.closers = nil
	return errors.Join(all...)
}

func (a *app) onClose(f func() error) { a.closers = append(a.closers, f) }

// settings layers the file, the environment and the flags.
func (f *flags) settings() (*config.Settings, error) {
	over := map[string]string{}
	for _, kv := range f.set {
		path, value, ok := strings.Cut(kv, "=")
		if !ok {
			return nil, usagef("--set takes PATH=VALUE, got %q", kv)
		}
		over[path] = value
	}
	path := f.config
	if path == "" {
		if _, err := os.Stat("slotway.yaml"); err == nil {
			path = "slotway.yaml"
		}
	}
	s, err := config.LoadSettings(path, os.Environ(), over)
	if err == nil && f.warn != nil {
		f.warn(s.Warnings)
	}
	return s, err
}

// loadAgent reads the agent that the flags name.
func (f *flags) loadAgent() (*config.Agent, error) {
	if f.agent == "" {
		return config.Default()
	}
	return config.Load(f.agent)
}

// dataDir is where the databases of tools live.
func (f *flags) dataDir(s *config.Settings) string {
	if f.data != "" {
		return f.data
	}
	return filepath.Dir(s.Memory.StoragePath)
}

// storePath is the file of the SQLite store.
func (f *flags) storePath(s *config.Settings) string {
	if f.data != "" {
		return filepath.Join(f.data, filepath.Base(s.Memory.StoragePath))
	}
	return s.Memory.StoragePath
}

// openLog opens the telemetry log that the settings name. That of a service never holds up
// a turn.
func (a *app) openLog(stderr io.Writer, service bool) (telemetry.Sink, error) {
	level, ok := telemetry.ParseLevel(a.settings.Telemetry.Level)
	if !ok {
		return nil, fmt.Errorf("telemetry.level is %q, expected debug, info, warn or error", a.settings.Telemetry.Level)
	}
	switch target := a.settings.Telemetry.Log; target {
	case "", "none", "off":
		return telemetry.Discard, nil
	case "stderr":
		if stderr == nil {
			return telemetry.Discard, nil
		}
		a.spool, _ = stderr.(*telemetry.Spool)
		return a.hideIDs(telemetry.NewLog(stderr, level)), nil
	default:
		file, err := os.OpenFile(target, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			return nil, fmt.Errorf("open telemetry.log: %w", err)
		}
		a.onClose(file.Close)
		if !service {
			return a.hideIDs(telemetry.NewLog(file, level)), nil
		}
		a.spool = telemetry.NewSpool(file)
		a.onClose(a.spool.Close)
		return a.hideIDs(telemetry.NewLog(a.spool, level)), nil
	}
}
