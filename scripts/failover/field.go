package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/slotway/slotway/scripts/harness"
)

// field is all that takes part in a scenario.
type field struct {
	scenario scenario
	options
	stderr           io.Writer
	primary, standby *harness.Postgres
	replicas         []*replica
	pad              *pad
	dsn              string // of both servers
	refusal          string // what a replica said that requires a standby; "": it was not asked, or started

	phase    atomic.Int32
	notes    atomic.Int64
	known    atomic.Pointer[time.Time] // from when on replicas know that there is no standby; nil: there is one
	over     atomic.Bool
	talking  sync.WaitGroup
	statuses statuses

	mu       sync.Mutex // guards what follows
	answers  []answer
	first    time.Time // the first answer after the failover
	promoted time.Time
	unsaid   int           // times that a replica did not say that there is no standby
	back     time.Duration // from the return of the standby to the next answer
}

// newField starts the servers and the replicas.
func newField(ctx context.Context, dir string, s scenario, o options, stderr io.Writer) (f *field, err error) {
	f = &field{scenario: s, options: o, stderr: stderr, pad: newPad()}
	defer func() {
		if err != nil {
			f.close()
		}
	}()
	if err := f.startServers(ctx, dir); err != nil {
		return nil, err
	}
	agent, err := harness.WriteAgent(dir, harness.Notes)
	if err != nil {
		return nil, err
	}
	begin := func(name string, more ...string) (*replica, error) {
		return startReplica(ctx, o.binary, filepath.Join(dir, name), agent, f.pad.server.URL, append(more, "memory.dsn="+f.dsn)...)
	}
	for i := range o.replicas {
		r, err := begin(fmt.Sprint("replica-", i+1))
		if err != nil {
			return nil, err
		}
		f.replicas = append(f.replicas, r)
	}
	strict, err := begin("strict", "memory.require_sync=true")
	switch {
	case err == nil:
		strict.Kill()
	case s.loses:
		f.refusal = err.Error()
	default:
		return nil, fmt.Errorf("a replica that requires a standby does not start: %w", err)
	}
	return f, nil
}

// startServers makes a primary, and a standby that follows it.
func (f *field) startServers(ctx context.Context, dir string) (err error) {
	if f.primary, err = harness.NewPostgres(filepath.Join(dir, "one", "data"), f.scenario.settings...); err != nil {
		return err
	}
	if err := f.primary.Initialise(ctx); err != nil {
		return err
	}
	if err := f.primary.Start(ctx); err != nil {
		return err
	}
	if err := harness.Execute(ctx, f.primary.DSN("postgres"), "CREATE DATABASE slotway"); err != nil {
		return err
	}
	f.dsn = f.primary.DSN("slotway")
	if !f.scenario.standby {
		return nil
	}
	if f.standby, err = harness.NewPostgres(filepath.Join(dir, "two", "data")); err != nil {
		return err
	}
	if err := f.standby.Follow(ctx, f.primary); err != nil {
		return err
	}
	if err := f.standby.Start(ctx); err != nil {
		return err
	}
	f.dsn = strings.Replace(f.dsn, "/slotway", ","+f.standby.Addr+"/slotway", 1) + "&target_session_attrs=read-write"
	if f.scenario.sync {
		for _, text := range []string{"ALTER SYSTEM SET synchronous_standby_names = '*'", "SELECT pg_reload_conf()"} {
			if err := harness.Execute(ctx, f.primary.DSN("postgres"), text); err != nil {
				return err
			}
		}
	}
	return f.follows(ctx)
}

// follows waits until the primary has the standby that it should have.
func (f *field) follows(ctx context.Context) error {
	want := "async"
	if f.scenario.sync {
		want = "sync"
	}
	return harness.Await(ctx, "the standby to follow", func() bool {
		state, err := f.primary.Value(ctx, "SELECT coalesce(max(sync_state), '') FROM pg_stat_replication WHERE state = 'streaming'")
		return err == nil && state == want
	}, f.standby.Exited())
}

// play has the clients talk, the primary die, and the clients go on.
func (f *field) play(ctx context.Context) error {
	for i := range f.clients {
		f.talking.Go(func() { f.converse(ctx, i) })
	}
	defer f.talking.Wait()
	defer f.over.Store(true)
	if err := harness.Pause(ctx, f.load); err != nil {
		return err
	}
	if err := f.scenario.death(ctx, f); err != nil {
		return err
	}
	f.mu.Lock()
	f.promoted = time.Now()
	f.phase.Store(after)
	f.mu.Unlock()
	if err := f.flows(ctx); err != nil {
		return err
	}
	return harness.Pause(ctx, f.load)
}

// flows waits until turns are answered again.
func (f *field) flows(ctx context.Context) error {
	count := func() int {
		f.mu.Lock()
		defer f.mu.Unlock()
		return len(f.answers)
	}
	begun := count()
	return harness.Await(ctx, "turns to be answered again", func() bool { return count() >= begun+f.clients }, nil)
}

// close ends what runs.
func (f *field) close() {
	for _, r := range f.replicas {
		r.Kill()
	}
	for _, s := range []*harness.Postgres{f.primary, f.standby} {
		if s != nil {
			s.Kill()
		}
	}
	f.pad.close()
}

// pad is the service of the agent's tool: each call has its effect.
type pad struct {
	server *httptest.Server

	mu    sync.Mutex // guards notes
	notes map[string]int
}

func newPad() *pad {
	p := &pad{notes: map[string]int{}}
	p.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.mu.Lock()
		p.notes[r.URL.Query().Get("note")]++
		p.mu.Unlock()
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"ok":true}`) // who has gone does not wait for it
	}))
	return p
}

func (p *pad) close() {
	p.server.CloseClientConnections()
	p.server.Close()
}

// doubled counts the notes that were written more than once.
func (p *pad) doubled() (n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, times := range p.notes {
		if times > 1 {
			n++
		}
	}
	return n
}
