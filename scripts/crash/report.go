package main

import (
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/slotway/slotway/scripts/harness"
)

// report is what a run found. The counts of what must not happen come first.
type report struct {
	Cycles           int `json:"cycles"`
	Acknowledged     int `json:"acknowledged"`      // turns that a client was given the reply of
	Lost             int `json:"lost"`              // acknowledged, but not stored, or with another reply
	Reordered        int `json:"reordered"`         // stored in another order than they were acknowledged in
	DoubleWrites     int `json:"double_writes"`     // effects beyond the first of one confirmation
	Stuck            int `json:"stuck"`             // sessions that do not answer any more
	UnaskedWrites    int `json:"unasked_writes"`    // effects that nobody said yes to
	MissingEffects   int `json:"missing_effects"`   // told as done, but not there
	ToldWrongly      int `json:"told_wrongly"`      // replies that name a write which there was not, or deny one that there was
	UntoldEffects    int `json:"untold_effects"`    // there, but told as not done
	UntoldUnknown    int `json:"untold_unknown"`    // outcomes that nobody knows, in a reply that does not say so
	DoubleCalls      int `json:"double_calls"`      // calls beyond the first of one confirmation, to a tool that keeps no keys, or with another key
	OrphanedJobs     int `json:"orphaned_jobs"`     // that are never done
	Returned         int `json:"returned"`          // forgotten sessions that are there again
	StaleTaken       int `json:"stale_taken"`       // commits that took the place of others, which they had not seen
	Strange          int `json:"strange"`           // turns that nobody was given the reply of, nor asked for again
	ReplaysDiffer    int `json:"replays_differ"`    // the same message id was given two replies
	Ungraceful       int `json:"ungraceful"`        // exits on SIGTERM that were not clean
	BadLines         int `json:"bad_lines"`         // telemetry lines that do not fit the schema
	Confirmed        int `json:"confirmed"`         // yeses that were acknowledged
	Effects          int `json:"effects"`           // writes that took place
	ToldUnknown      int `json:"told_unknown"`      // writes of which the person was told that nobody knows
	ToldDone         int `json:"told_done"`         // writes of which the person was told that they are done
	Replayed         int `json:"replayed"`          // message ids sent again on purpose
	Retries          int `json:"retries"`           // messages sent again because no answer came
	KillsInWrites    int `json:"kills_in_writes"`   // kills just after a yes was sent
	UnfinishedWrites int `json:"unfinished_writes"` // yeses that had to be sent again
	Sessions         int `json:"sessions"`          //
	Lines            int `json:"lines"`             // of telemetry
	Kills            int `json:"kills"`             // of both services, those at fail points among them
	JobsDead         int `json:"jobs_dead"`         // given up after their workers were killed, and brought back by hand
	Forgotten        int `json:"forgotten"`         // sessions that were erased on purpose

	Points map[string]int `json:"points,omitempty"` // deaths at each fail point
	Harms  map[string]int `json:"harms,omitempty"`  // what else was done to the services, the tools and by the clients, by kind

	Fleet *fleetReport `json:"fleet,omitempty"` // with -replicas

	Seed    uint64  `json:"seed"`    //
	Seconds float64 `json:"seconds"` //

	wanted []string // what a long run must have had
	notes  []string // about what is wrong, for people
}

// minLoad is how many turns a cycle must have had on average: a quiet run shows nothing.
const minLoad = 20

// Violations implements harness.Report.
func (r *report) Violations() []string {
	bad := counted(r.Seed, []count{
		{r.Lost, "acknowledged turns are lost"},
		{r.Reordered, "turns are out of order"},
		{r.DoubleWrites, "writes happened twice"},
		{r.Stuck, "sessions are stuck"},
		{r.UnaskedWrites, "writes happened unasked"},
		{r.MissingEffects, "writes were told as done and are not there"},
		{r.ToldWrongly, "writes were told of that were others"},
		{r.UntoldEffects, "writes took place and were told as not done"},
		{r.UntoldUnknown, "outcomes are unknown and the person was not told"},
		{r.DoubleCalls, "tools were called twice for one yes"},
		{r.OrphanedJobs, "jobs are never done"},
		{r.Returned, "forgotten sessions are there again"},
		{r.StaleTaken, "commits at a version that had gone by were taken"},
		{r.Strange, "turns are stored that no client knows"},
		{r.ReplaysDiffer, "messages were answered differently the second time"},
		{r.BadLines, "telemetry lines do not fit their schema"},
		{r.Ungraceful, "services did not stop cleanly when they were asked to"},
	})
	bad.If(r.Acknowledged < r.Cycles*minLoad,
		fmt.Sprintf("only %d turns were acknowledged in %d cycles, %d are needed to show anything", r.Acknowledged, r.Cycles, r.Cycles*minLoad))
	bad.If(r.Effects < r.Cycles,
		fmt.Sprintf("only %d writes took place in %d cycles, %d are needed to show anything", r.Effects, r.Cycles, r.Cycles))
	if r.Fleet != nil {
		bad = append(bad, r.Fleet.violations()...)
	}
	return append(bad, r.missing()...)
}

// count is a number of things that must be zero.
type count struct {
	n    int
	what string
}

// counted lists the counts above zero, and the seed of the run.
func counted(seed uint64, counts []count) (bad harness.Violations) {
	for _, c := range counts {
		bad.If(c.n > 0, fmt.Sprintf("%d %s (seed %d)", c.n, c.what, seed))
	}
	return bad
}

// longRun is how many cycles must have met with every fault that there is.
const longRun = 100

// missing lists the faults that a long run should have had, and had not.
func (r *report) missing() []string {
	var bad []string
	if r.Cycles < longRun {
		return nil
	}
	for _, at := range r.wanted {
		if r.Points[at]+r.Harms[at] == 0 {
			bad = append(bad, "nothing happened of "+at+" in all the run: it does not show anything about it")
		}
	}
	return bad
}

// add counts what was done to a service.
func (r *report) add(harms, points map[string]int) {
	if r.Harms == nil {
		r.Harms, r.Points = map[string]int{}, map[string]int{}
	}
	for name, n := range harms {
		r.Harms[name] += n
	}
	for name, n := range points {
		r.Points[name] += n
	}
}

func (r *report) complaints() []string { return r.notes }

// Print implements harness.Report.
func (r *report) Print(out io.Writer) {
	fmt.Fprintf(out, "%d cycles, %d turns acknowledged in %d sessions, %d writes for %d yeses (%d told as unknown)\n",
		r.Cycles, r.Acknowledged, r.Sessions, r.Effects, r.Confirmed, r.ToldUnknown)
	fmt.Fprintf(out, "%d kills (%d at fail points)", r.Kills, total(r.Points))
	for _, name := range slices.Sorted(maps.Keys(r.Harms)) {
		fmt.Fprintf(out, ", %s %d", name, r.Harms[name])
	}
	fmt.Fprintln(out)
	fmt.Fprintf(out, "lost %d, reordered %d, double writes %d, stuck %d\n", r.Lost, r.Reordered, r.DoubleWrites, r.Stuck)
	if r.Fleet != nil {
		r.Fleet.print(out)
	}
}

func total(counts map[string]int) (n int) {
	for _, c := range counts {
		n += c
	}
	return n
}
