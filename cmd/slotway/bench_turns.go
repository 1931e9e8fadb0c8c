package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/slotway/slotway"
	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/router"
	"github.com/slotway/slotway/router/telemetry"
	"github.com/slotway/slotway/tools"
	"github.com/slotway/slotway/tools/static"
)

// The conversation that is measured; the peers that the README compares with run the same.
const (
	benchQuestion = "I want to check my order"
	benchAnswer   = "It's O-12345"
	benchOrder    = "O-12345"
	benchFiller   = "I want to check my order please, it was placed last Tuesday and has not come yet"
	benchUser     = "bench"
)

// run measures in a folder that it removes afterwards.
func (b *benchFlags) run(cmd *cobra.Command, f *flags) (r *benchResult, err error) {
	if f.data != "" {
		if err := os.MkdirAll(f.data, 0o700); err != nil {
			return nil, fmt.Errorf("make the data folder: %w", err)
		}
	}
	dir, err := os.MkdirTemp(f.data, "slotway-bench-")
	if err != nil {
		return nil, fmt.Errorf("make a folder for the bench: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	ctx := cmd.Context()
	r = &benchResult{Sessions: b.sessions, Clients: b.clients, History: b.history, Stored: b.stored, Durability: b.durability, Tools: b.tools, LiveSessions: b.opened}
	phases := []func(context.Context, *cobra.Command, *flags, string, *benchResult) error{b.turns, b.live, b.raw}
	if b.dsn != "" {
		phases, r.LiveSessions = phases[:1], 0
	}
	for _, phase := range phases {
		if err := phase(ctx, cmd, f, dir, r); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// app opens the agent over an empty store in a folder of its own, without what only a service needs.
func (b *benchFlags) app(ctx context.Context, f *flags, dir string) (*slotway.Runtime, error) {
	// Telemetry is a part of every turn.
	o := slotway.Options{NoHTTP: true, Sink: telemetry.NewLog(io.Discard, telemetry.LevelInfo)}
	own := &flags{agent: f.agent, config: f.config, data: dir, set: slices.Clone(f.set)}
	switch b.durability {
	case "postgres":
		own.set = append(own.set, "memory.storage=postgres", "memory.dsn="+b.dsn)
	case "none":
		// So many that no session is dropped while it is used: goroutines that never block may wait a second
		// for their turn, in which tens of thousands begin.
		own.set = append(own.set, "memory.storage=inmem", "memory.max_conversations="+strconv.Itoa(max(100_000, 4*b.sessions)))
	default:
		own.set = append(own.set, "memory.storage=sqlite", "memory.durability="+b.durability)
	}
	if b.tools == "static" {
		order := map[string]any{"id": benchOrder, "item": "wool blanket", "status": "pending", "eta": "Friday"}
		o.Tools = map[string]tools.Tool{"order_exists": static.New(order), "find_orders": static.New([]any{order})}
	}
	if b.history > 0 {
		var err error
		if o.Agent, err = askingAgain(own); err != nil {
			return nil, err
		}
	}
	return own.open(ctx, o)
}

// askingAgain is the agent with an order number that is forgotten with its plan, so that a session
// that is used again asks for it again.
func askingAgain(f *flags) (*config.Agent, error) {
	agent, err := f.loadAgent()
	if err != nil {
		return nil, err
	}
	for _, in := range agent.Intents {
		for _, group := range append([][]*config.Param{in.Required, in.Optional}, in.OneOf...) {
			for _, p := range group {
				p.Scope = config.ScopePlan
			}
		}
	}
	for _, p := range agent.Params {
		p.Scope = config.ScopePlan
	}
	return agent, nil
}

// turns is the measurement itself.
func (b *benchFlags) turns(ctx context.Context, cmd *cobra.Command, f *flags, dir string, r *benchResult) (err error) {
	a, err := b.loaded(ctx, cmd, f, filepath.Join(dir, "turns"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.Close()) }()
	r.MaxCached = a.Settings().Memory.MaxConversations
	if err := b.warmUp(ctx, a); err != nil {
		return err
	}
	path := filepath.Join(dir, "turns", filepath.Base(a.Settings().Memory.StoragePath))
	b.database = path
	bytes := databaseBytes(ctx, path)
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	profiled, err := profile(b.cpuProfile)
	if err != nil {
		return err
	}
	cpu, begin := cpuTime(), time.Now()
	stop := timeBar(cmd, "turns", b.duration)
	all, sessions, err := b.talk(ctx, a, begin.Add(b.duration))
	elapsed := time.Since(begin)
	cpu = cpuTime() - cpu
	stop()
	if err := errors.Join(err, profiled()); err != nil {
		return err
	}
	runtime.ReadMemStats(&after)
	slices.Sort(all)
	n := float64(len(all))
	r.Turns, r.ElapsedSeconds, r.TurnsPerS = len(all), elapsed.Seconds(), n/elapsed.Seconds()
	r.P50, r.P99, r.Max = quantile(all, 0.5), quantile(all, 0.99), quantile(all, 1)
	r.CPU = float64(cpu.Microseconds()) / n
	r.Allocs = float64(after.Mallocs-before.Mallocs) / n
	if b.durability != "none" && b.dsn == "" {
		r.BytesPerTurn = float64(databaseBytes(ctx, path)-bytes) / n
	}
	r.HistoryAtEnd, err = meanHistory(ctx, a, sessions)
	return err
}

// loaded returns the runtime with the histories in its store. A file is closed and opened again, or the
// checkpoint of the loading would be measured with the turns.
func (b *benchFlags) loaded(ctx context.Context, cmd *cobra.Command, f *flags, dir string) (*slotway.Runtime, error) {
	a, err := b.app(ctx, f, dir)
	if err != nil || b.history == 0 && b.stored == 0 {
		return a, err
	}
	if b.stored > 0 {
		err = b.storeOthers(ctx, cmd, a)
	}
	if b.history > 0 && err == nil {
		err = b.preload(ctx, cmd, a)
	}
	if err != nil {
		return nil, errors.Join(err, a.Close())
	}
	if b.durability == "none" {
		return a, nil
	}
	if err := a.Close(); err != nil {
		return nil, err
	}
	return b.app(ctx, f, dir)
}

// warmSessions is the number of conversations in the warm-up.
const warmSessions = 50

// warmUp runs a few conversations and checks that the agent has the measured one.
func (b *benchFlags) warmUp(ctx context.Context, a *slotway.Runtime) error {
	for i := range warmSessions {
		s := &slot{key: b.key(a, fmt.Sprintf("warm-%d", i))}
		for range 2 {
			if _, err := s.turn(ctx, a); err != nil {
				return fmt.Errorf("the agent does not have the order lookup that is measured: %w", err)
			}
		}
	}
	return nil
}

func (b *benchFlags) key(a *slotway.Runtime, session string) memory.Key {
	return memory.Key{UserID: cmp.Or(b.user, benchUser), AgentID: a.Agent().ID, SessionID: session}
}

// preload writes the history of each session to the store.
func (b *benchFlags) preload(ctx context.Context, cmd *cobra.Command, a *slotway.Runtime) error {
	bar := countBar(cmd, "history", b.sessions)
	now := memory.Moment(time.Now())
	for i := range b.sessions {
		d := &memory.Delta{Key: b.key(a, fmt.Sprintf("s-%d", i)), At: now, State: memory.State{Params: map[string]any{}}}
		for n := range int64(b.history) {
			role := memory.User
			if n%2 == 1 {
				role = memory.Agent
			}
			d.Messages = append(d.Messages, memory.Message{Seq: n + 1, Role: role, Text: benchFiller, Timestamp: now})
		}
		if err := a.Store().Commit(ctx, d); err != nil {
			return fmt.Errorf("preload a session: %w", err)
		}
		bar.add(1)
	}
	bar.finish()
	return nil
}

// talk runs conversations until end, and returns the durations of the turns and the last sessions.
func (b *benchFlags) talk(ctx context.Context, a *slotway.Runtime, end time.Time) (took []time.Duration, sessions []memory.Key, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var mu sync.Mutex
	var wg sync.WaitGroup
	for c := range b.clients {
		wg.Go(func() {
			own, used, err := b.client(ctx, a, c, end)
			if err != nil {
				cancel(err)
			}
			mu.Lock()
			defer mu.Unlock()
			took, sessions = append(took, own...), append(sessions, used...)
		})
	}
	wg.Wait()
	return took, sessions, context.Cause(ctx)
}

// client talks to its share of the sessions in rounds: the question in each, then the answer in each.
func (b *benchFlags) client(ctx context.Context, a *slotway.Runtime, c int, end time.Time) (took []time.Duration, used []memory.Key, err error) {
	var slots []*slot
	for i := c; i < b.sessions; i += b.clients {
		slots = append(slots, &slot{fresh: b.history == 0, key: b.key(a, fmt.Sprintf("s-%d", i))})
	}
	for {
		for _, s := range slots {
			if !time.Now().Before(end) && len(took) > 0 {
				for _, s := range slots {
					used = append(used, s.key)
				}
				return took, used, nil
			}
			d, err := s.turn(ctx, a)
			if err != nil {
				return nil, nil, err
			}
			took = append(took, d)
		}
	}
}

// slot is one conversation.
type slot struct {
	key   memory.Key
	fresh bool // each conversation in a session of its own
	n     int  // turns so far
}

// turn sends the next message and checks the reply.
func (s *slot) turn(ctx context.Context, a *slotway.Runtime) (time.Duration, error) {
	text := benchQuestion
	if s.n%2 == 1 {
		text = benchAnswer
	} else if s.fresh {
		base, _, _ := strings.Cut(s.key.SessionID, "/")
		s.key.SessionID = base + "/" + strconv.Itoa(s.n/2)
	}
	s.n++
	begin := time.Now()
	reply, err := a.Router().Handle(ctx, router.Interaction{Text: text, Context: router.Context{SessionID: s.key.SessionID, UserID: s.key.UserID}})
	took := time.Since(begin)
	if err != nil {
		return 0, err
	}
	asked := reply.Asked != nil
	if found := strings.Contains(reply.Reply, benchOrder) && !asked; asked != (text == benchQuestion) || found != (text == benchAnswer) {
		return 0, fmt.Errorf("turn %d of %s was answered with %q", reply.Turn, s.key.SessionID, reply.Reply)
	}
	return took, nil
}

// meanHistory is the mean length of the histories of up to a hundred sessions.
func meanHistory(ctx context.Context, a *slotway.Runtime, keys []memory.Key) (float64, error) {
	total, n := int64(0), min(len(keys), 100)
	for _, k := range keys[:n] {
		snap, err := a.Store().Load(ctx, k, memory.LoadOptions{})
		if err != nil {
			return 0, err
		}
		total += snap.History()
	}
	return float64(total) / float64(n), nil
}
