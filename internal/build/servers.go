package build

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/slotway/slotway/router/httpapi"
	"github.com/slotway/slotway/tools"
)

// Servers tracks the optional servers, which only improve memory: turns go on without them. A nil
// Servers tracks none. It is safe for concurrent use.
type Servers struct {
	tell  func(text string) // reports every change to the operator
	every time.Duration     // how often to probe unhealthy servers

	mu        sync.Mutex // guards the fields below
	unhealthy map[string]string
	probes    map[string]func(context.Context) error
	unprobed  map[string]bool // parts that were never probed
	rechecks  map[string]bool // parts to probe because a call failed for an unknown reason
	healed    []func()        // called when a part answers again
}

// NewServers tracks no server yet. It probes unhealthy servers at the interval every; 0: every 5 s.
func NewServers(tell func(text string), every time.Duration) *Servers {
	return &Servers{
		tell: tell, every: cmp.Or(every, 5*time.Second),
		unhealthy: map[string]string{}, probes: map[string]func(context.Context) error{}, unprobed: map[string]bool{}, rechecks: map[string]bool{},
	}
}

// Note records that a part is unhealthy and how to repair it, or with detail "" that it is healthy.
func (s *Servers) Note(part, detail, remedy string) {
	if s == nil {
		return
	}
	s.mu.Lock()
	before := s.unhealthy[part]
	delete(s.unprobed, part)
	delete(s.rechecks, part)
	if delete(s.unhealthy, part); detail != "" {
		s.unhealthy[part] = detail
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

// failure describes how a model server fails, and the remedy.
type failure struct{ says, remedy string }

var (
	noAnswer = failure{"does not answer", "start the server, or look at its model"}
	// refusals are the failures of a server that answers.
	refusals = map[tools.Code]failure{
		tools.Denied:   {"refuses the key", "set the variable that models.chat.api_key_env names to a key that the server takes"},
		tools.NotFound: {"does not know the address or the model", "look at base_url, which mostly ends in /v1, and at the model's name"},
	}
)

// Outcome records how a call to a part ended, unless its caller gave up. who names the server,
// without says what happens in its absence.
func (s *Servers) Outcome(ctx context.Context, part, who, without string, err error) {
	switch {
	case s == nil || err != nil && errors.Is(ctx.Err(), context.Canceled):
	case err != nil:
		how, ok := refusals[tools.CodeOf(err)]
		if !ok {
			how = noAnswer
		}
		s.Note(part, who+" "+how.says+": "+without, how.remedy+": it is asked again until it answers ("+err.Error()+")")
	default:
		s.Note(part, "", "")
	}
}

// Watch adds a part with its probe.
func (s *Servers) Watch(part string, probe func(context.Context) error) {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.probes[part], s.unprobed[part] = probe, true
}

// recheck has a part probed although it is not known to be unhealthy.
func (s *Servers) recheck(part string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rechecks[part] = true
}

// OnHealed adds a function to call whenever a part answers again.
func (s *Servers) OnHealed(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.healed = append(s.healed, f)
}

// Run probes the unhealthy parts at intervals until ctx ends. With first, its first round includes
// the parts that were never probed.
func (s *Servers) Run(ctx context.Context, first bool) {
	tick := time.NewTicker(s.every)
	defer tick.Stop()
	for {
		for _, probe := range s.due(first) {
			within, cancel := context.WithTimeout(ctx, probeTimeout)
			_ = probe(within) // it records the outcome itself
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

func (s *Servers) due(unsure bool) []func(context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []func(context.Context) error
	for part, probe := range s.probes {
		if s.unhealthy[part] != "" || s.rechecks[part] || unsure && s.unprobed[part] {
			out = append(out, probe)
		}
	}
	return out
}

// Degraded lists the unhealthy parts. It names no host and no model.
func (s *Servers) Degraded() []httpapi.Degraded {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []httpapi.Degraded
	for _, part := range slices.Sorted(maps.Keys(s.unhealthy)) {
		out = append(out, httpapi.Degraded{Part: part, Detail: s.unhealthy[part]})
	}
	return out
}
