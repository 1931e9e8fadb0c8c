package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// faults selects the harms besides the kills.
type faults struct {
	points  bool // kills at the boundaries of commits and checkpoints
	pauses  bool // SIGSTOP, and SIGCONT later
	clock   bool // jumps of an hour each way
	tools   bool // in the services that tools call
	clients bool // that hang up, post twice, and talk from two connections
	rivals  bool // another process that commits to the same file
}

var allFaults = faults{true, true, true, true, true, true}

func (f *faults) named() map[string]*bool {
	return map[string]*bool{"points": &f.points, "pauses": &f.pauses, "clock": &f.clock, "tools": &f.tools, "clients": &f.clients, "rivals": &f.rivals}
}

// String implements flag.Value.
func (f *faults) String() string {
	var names []string
	for name, on := range f.named() {
		if *on {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return strings.Join(names, ",")
}

// Set implements flag.Value.
func (f *faults) Set(list string) error {
	switch list {
	case "all":
		*f = allFaults
		return nil
	case "none":
		*f = faults{}
		return nil
	}
	*f = faults{}
	named := f.named()
	for name := range strings.SplitSeq(list, ",") {
		if named[name] == nil {
			return fmt.Errorf("there is no fault %q", name)
		}
		*named[name] = true
	}
	return nil
}

// points are the fail points of memory/sqlite. A process passes one at most so many times before
// it dies there.
var points = []struct {
	name string
	most int
}{
	{"before_begin", 150},
	{"after_begin", 150},
	{"after_statement", 900},
	{"before_commit", 150},
	{"after_commit", 150},
}

// wanted lists the points and harms that a long run must meet.
func (f *faults) wanted() []string {
	var all []string
	if f.points {
		for _, p := range points {
			all = append(all, p.name)
		}
	}
	for _, c := range []struct {
		on    bool
		harms []string
	}{
		{f.pauses, []string{stopped, stoppedLong}},
		{f.clock, []string{clockAhead, clockBack, linesAhead, linesBehind}},
		{f.tools, append([]string{toolKilled}, toolFaults...)},
		{f.rivals, []string{rivalTaken, rivalRefused}},
		{f.clients, append([]string{hungUp, postedTwice, twoConnections, twoYeses, viaChat, viaStream, viaCompletions}, insteads...)},
	} {
		if c.on {
			all = append(all, c.harms...)
		}
	}
	return all
}

// wantedOf lists the additional harms that a long run of replicas must meet.
func (f *faults) wantedOf(replicas int) []string {
	all := []string{oneKilled, askedToEnd, rolled}
	if replicas > 1 {
		all = append(all, severalKilled)
	}
	if f.pauses {
		all = append(all, stoppedLease, caught, killedStopped)
		if replicas > 1 {
			all = append(all, otherKilled)
		}
	}
	return all
}

// Harms, by their names in the report.
const (
	stopped     = "stopped"
	stoppedLong = "stopped_longer_than_clients_wait"
	clockAhead  = "clock_ahead"
	clockBack   = "clock_back"
	linesAhead  = "lines_by_a_clock_ahead"
	linesBehind = "lines_by_a_clock_behind"
	toolKilled  = "tool_service_killed"

	hungUp         = "hung_up"
	postedTwice    = "posted_twice_at_once"
	twoConnections = "two_connections"
	twoYeses       = "two_yeses_at_once"
	viaChat        = "by_chat"
	viaStream      = "by_stream"
	viaCompletions = "by_completions"
)

// choosePoint picks the fail point that was chosen least often.
func (s *service) choosePoint(rng *rand.Rand) {
	order := rng.Perm(len(points))
	best := points[order[0]]
	for _, i := range order {
		if at := points[i]; s.armed[at.name] < s.armed[best.name] {
			best = at
		}
	}
	s.armed[best.name]++
	p := s.one()
	p.point, p.passes = best.name, rng.IntN(best.most)
}
