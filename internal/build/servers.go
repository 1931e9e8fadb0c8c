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

// Servers knows which of those do not answer that only make memory better: turns go on without
// them. nil knows of none. It is safe for concurrent use.
type Servers struct {
	tell  func(text string) // the operator, of every change
	every time.Duration     // how often those that do not answer are asked

	mu     sync.Mutex // guards what follows
	unhealthy    map[string]string
	probes map[string]func(context.Context) error
	unprobed map[string]bool // parts that nobody has asked yet
	rechecks map[string]bool // parts to ask because a call failed that says nothing about why
	healed []func()        // are called when a part answers again
}

// NewServers knows of none yet. It asks those that do not answer every so often; 0: every 5 s.
func NewServers(tell func(text string), every time.Duration) *Servers {
	return &Servers{
		tell: tell, every: cmp.Or(every, 5*time.Second),
		unhealthy: map[string]string{}, probes: map[string]func(context.Context) error{}, unprobed: map[string]bool{}, rechecks: map[string]bool{},
	}
}

// Note says that a part is ill, and what to do, or with "" that it is not.
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

// failing says in words what a model server that fails does, and what to do about it.
type failure struct{ says, remedy string }

var (
	noAnswer = failure{"does not answer", "start the server, or look at its model"}
	// refusals are those of a server that is there.
	refusals = map[tools.Code]failure{
		tools.Denied:   {"refuses the key", "set the variable that models.chat.api_key_env names to a key that the server takes"},
		tools.NotFound: {"does not know the address or the model", "look at base_url, which mostly ends in /v1, and at the model's name"},
	}
)

// Outcome notes how a call to a part ended, unless its caller gave up. who is the server, without
// what happens then.
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

// Watch lets a part be asked until it answers.
func (s *Servers) Watch(part string, probe func(context.Context) error) {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.probes[part], s.unprobed[part] = probe, true
}

// doubt lets a part that is watched be asked although it is not known to be ill.
func (s *Servers) recheck(part string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rechecks[part] = true
}

// OnHealed has f called whenever a part answers again.
func (s *Servers) OnHealed(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.healed = append(s.healed, f)
}

// Run asks the parts that do not answer, now and then, until ctx ends; first also those that
// nobody has asked yet.
func (s *Servers) Run(ctx context.Context, first bool) {
	tick := time.NewTicker(s.every)
	defer tick.Stop()
	for {
		for _, probe := range s.due(first) {
			within, cancel := context.WithTimeout(ctx, probeTimeout)
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

// Degraded lists the parts that do not answer. It names no host and no model.
func (s *Servers) Degraded() []httpapi.Degraded {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []httpapi.Degraded
	for _, part := range slices.Sorted(maps.Keys(s.unhealthy)) {
		out = append(out, httpapi.Degraded{Part: part, Detail: s.unhealthy[part]})
	}
	return out
}
