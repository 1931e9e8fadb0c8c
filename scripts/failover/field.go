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

// field holds the processes of a scenario and what the clients were told.
type field struct {
	scenario scenario
	options
	stderr           io.Writer
	primary, standby *harness.Postgres
	replicas         []*replica
	pad              *pad
	dsn              string // of both servers
	refusal          string // the error of a replica that requires a standby; "" if it started

	phase    atomic.Int32
	notes    atomic.Int64
	known    atomic.Pointer[time.Time] // the time from which replicas must know that the standby is dead; nil: it is not
	over     atomic.Bool
	talking  sync.WaitGroup
	statuses statuses

	mu       sync.Mutex // guards what follows
	answers  []answer
	first    time.Time // the first answer after the failover
	promoted time.Time
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

// startServers starts the primary and, if the scenario has one, its standby.
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

// follows waits until the standby replicates in the mode of the scenario.
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

// play runs the clients before, during and after the failover.
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

// flows waits until slotway answers turns again.
func (f *field) flows(ctx context.Context) error {
	count := func() int {
		f.mu.Lock()
		defer f.mu.Unlock()
		return len(f.answers)
	}
	begun := count()
	return harness.Await(ctx, "turns to be answered again", func() bool { return count() >= begun+f.clients }, nil)
}

// close ends all processes.
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

// pad is the service behind the agent's tool. It counts every call.
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
		_, _ = io.WriteString(w, `{"ok":true}`) // the caller may have gone
	}))
	return p
}

func (p *pad) close() {
	p.server.CloseClientConnections()
	p.server.Close()
}

// doubled returns the number of notes that were written more than once.
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
