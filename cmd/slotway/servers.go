package main

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/archive"
	"github.com/slotway/slotway/memory/recall"
	"github.com/slotway/slotway/router/httpapi"
)

// servers knows which of those do not answer that only make memory better: turns go on without
// them. nil knows of none. It is safe for concurrent use.
type servers struct {
	tell  func(text string) // the operator, of every change
	every time.Duration     // how often those that do not answer are asked

	mu     sync.Mutex // guards what follows
	ill    map[string]string
	probes map[string]func(context.Context) error
	unsure map[string]bool // parts that nobody has asked yet
	healed []func()        // are called when a part answers again
}

func newServers(tell func(text string), every time.Duration) *servers {
	return &servers{
		tell: tell, every: cmp.Or(every, 5*time.Second),
		ill: map[string]string{}, probes: map[string]func(context.Context) error{}, unsure: map[string]bool{},
	}
}

// note says that a part is ill, and what to do, or with "" that it is not.
func (s *servers) note(part, detail, remedy string) {
	if s == nil {
		return
	}
	s.mu.Lock()
	before := s.ill[part]
	delete(s.unsure, part)
	if delete(s.ill, part); detail != "" {
		s.ill[part] = detail
	}
	healed := slices.Clone(s.healed)
	s.mu.Unlock()
	switch {
	case detail != "" && before == "":
		s.tell(part + ": " + detail + "; " + remedy)
	case detail == "" && before != "":
		s.tell(part + ": it answers again")
		for _, f := range healed {
			f()
		}
	}
}

// outcome notes how a call to a part ended, unless its caller gave up.
func (s *servers) outcome(ctx context.Context, part, detail string, err error) {
	switch {
	case s == nil || err != nil && errors.Is(ctx.Err(), context.Canceled):
	case err != nil:
		s.note(part, detail, "start the server, or look at its model: it is asked again until it answers ("+err.Error()+")")
	default:
		s.note(part, "", "")
	}
}

// watch lets a part be asked until it answers.
func (s *servers) watch(part string, probe func(context.Context) error) {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.probes[part], s.unsure[part] = probe, true
}

// onHealed has f called whenever a part answers again.
func (s *servers) onHealed(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.healed = append(s.healed, f)
}

// run asks the parts that do not answer, now and then, until ctx ends; first also those that
// nobody has asked yet.
func (s *servers) run(ctx context.Context, first bool) {
	tick := time.NewTicker(s.every)
	defer tick.Stop()
	for {
		for _, probe := range s.due(first) {
			within, cancel := context.WithTimeout(ctx, probeTime)
			_ = probe(within) // it notes how that went
			cancel()
		}
		first = false
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

func (s *servers) due(unsure bool) []func(context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []func(context.Context) error
	for part, probe := range s.probes {
		if s.ill[part] != "" || unsure && s.unsure[part] {
			out = append(out, probe)
		}
	}
	return out
}

// degraded lists the parts that do not answer. It names no host and no model.
func (s *servers) degraded() []httpapi.Degraded {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []httpapi.Degraded
	for _, part := range slices.Sorted(maps.Keys(s.ill)) {
		out = append(out, httpapi.Degraded{Part: part, Detail: s.ill[part]})
	}
	return out
}

// revive makes the jobs due again that were given up while a server did not answer.
func (a *app) revive(ctx context.Context, nudge func()) {
	for _, kind := range []string{recall.Kind, archive.Kind} {
		_, _ = a.store.Revive(ctx, memory.JobQuery{Kind: kind, Limit: mostJobs}, wallClock()) // a store that is down revives them when the next message comes
	}
	nudge()
}
