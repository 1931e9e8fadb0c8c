package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/postgres"
	"github.com/slotway/slotway/scripts/harness"
)

// report holds the findings of a scenario.
type report struct {
	Scenario       string   `json:"scenario"`
	Acknowledged   int      `json:"acknowledged"`
	Sessions       int      `json:"sessions"`
	After          int      `json:"acknowledged_after"`
	WithoutStandby int      `json:"acknowledged_without_standby"`
	Refused        int      `json:"refused_503"`
	Other          int      `json:"refused_otherwise"`
	Waited         int      `json:"refused_after_a_wait"` // though replicas knew that the standby was dead
	BackMS         int64    `json:"first_turn_with_standby_ms"`
	Lost           int      `json:"lost"`
	LostBefore     int      `json:"lost_before_the_lag"`
	Doubled        int      `json:"double_writes"`
	Stuck          int      `json:"stuck"`
	FirstMS        int64    `json:"first_turn_ms"`
	Told           []string `json:"told"`

	scenario scenario
	refusal  string // as in field
}

// leastLoad is the number of turns with which a run shows anything.
const leastLoad = 100

// Violations implements harness.Report.
func (r *report) Violations() []string {
	s := r.scenario
	var bad harness.Violations
	bad.If(r.Acknowledged < leastLoad || r.After < leastLoad/4, "too few turns were answered to show anything")
	bad.If(!s.loses && r.Lost > 0, fmt.Sprintf("%d turns were answered and are lost", r.Lost))
	bad.If(!s.loses && r.Doubled > 0, fmt.Sprintf("%d notes were written twice", r.Doubled))
	bad.If(r.WithoutStandby > 0, fmt.Sprintf("%d turns were answered while no standby was there", r.WithoutStandby))
	bad.If(s.name == "sync-dead" && r.Refused == 0, "nobody was refused while no standby was there")
	bad.If(r.Other > 0, fmt.Sprintf("%d answers were neither 200, 409, 429, 503 nor 504", r.Other))
	bad.If(r.Stuck > 0, fmt.Sprintf("%d conversations do not go on", r.Stuck))
	bad.If(s.loses && r.Lost == 0, "nothing is lost, so nothing is shown")
	bad.If(s.loses && !slices.ContainsFunc(r.Told, func(t string) bool { return strings.Contains(t, "memory.require_sync") }), "nobody was warned at the start")
	bad.If(s.loses && !strings.Contains(r.refusal, "memory.require_sync is set"), "memory.require_sync does not refuse the database: "+r.refusal)
	return bad
}

// compare looks for the acknowledged turns in the remaining database, and sends one more message
// to every conversation.
func (f *field) compare(ctx context.Context) (*report, error) {
	left := f.standby
	if left == nil {
		left = f.primary
	}
	store, err := postgres.Open(ctx, left.DSN("slotway"), nil)
	if err != nil {
		return nil, err
	}
	defer store.Close()
	r := &report{Scenario: f.scenario.name, scenario: f.scenario, Acknowledged: len(f.answers), refusal: f.refusal}
	if !f.first.IsZero() {
		r.FirstMS = f.first.Sub(f.promoted).Milliseconds()
	}
	bySession := map[string][]answer{}
	for _, a := range f.answers {
		bySession[a.session] = append(bySession[a.session], a)
		switch a.phase {
		case after:
			r.After++
		case alone:
			r.WithoutStandby++
		}
	}
	r.Sessions = len(bySession)
	for session, list := range bySession {
		if err := r.count(ctx, store, session, list); err != nil {
			return nil, err
		}
		if err := f.goesOn(ctx, session); err != nil {
			r.Stuck++
		}
	}
	r.Doubled = f.pad.doubled()
	r.Refused, r.Other = f.statuses.counts()
	r.Waited, r.BackMS = int(f.statuses.waited.Load()), f.back.Milliseconds()
	f.hear(r)
	return r, nil
}

// count adds the acknowledged turns of a session that are not stored with the same reply.
func (r *report) count(ctx context.Context, store memory.Backend, session string, list []answer) error {
	stored := map[string]answer{}
	key := memory.Key{UserID: "local", AgentID: "notes", SessionID: session}
	turns, err := store.Turns(ctx, key, memory.Page{Inactive: true})
	if err != nil && !errors.Is(err, memory.ErrNotFound) {
		return err
	}
	for i := range turns {
		var told struct {
			Reply string `json:"reply"`
		}
		if err := json.Unmarshal(turns[i].Response, &told); err != nil {
			return err
		}
		stored[turns[i].RequestID] = answer{session: session, id: turns[i].RequestID, reply: told.Reply, turn: turns[i].Number}
	}
	for _, a := range list {
		is, phase := stored[a.id], a.phase
		if a.phase = 0; is == a {
			continue
		}
		if r.Lost++; phase == whole {
			r.LostBefore++
		}
	}
	return nil
}

// goesOn sends one more message until a replica answers it.
func (f *field) goesOn(ctx context.Context, session string) error {
	n := 0
	return harness.Await(ctx, "a conversation to go on", func() bool {
		n++
		return f.post(ctx, f.replicas[n%len(f.replicas)], session, session+"-last", "when are you open")
	}, nil)
}

// hear collects the warnings of the replicas.
func (f *field) hear(r *report) {
	for _, p := range f.replicas {
		for _, w := range p.warnings() {
			if !slices.Contains(r.Told, w) {
				r.Told = append(r.Told, w)
			}
		}
	}
}

// statuses counts the statuses of refused turns.
type statuses struct {
	waited atomic.Int64

	mu    sync.Mutex // guards times
	times map[int]int
}

func (s *statuses) note(status int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.times == nil {
		s.times = map[int]int{}
	}
	s.times[status]++
}

// counts returns the number of 503 and of statuses that do not allow the client to try again.
func (s *statuses) counts() (unavailable, other int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for status, n := range s.times {
		if !harness.Repeatable(status) {
			other += n
		}
	}
	return s.times[http.StatusServiceUnavailable], other
}
