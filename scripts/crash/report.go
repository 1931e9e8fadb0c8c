package main

import (
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/slotway/slotway/scripts/harness"
)

// report holds the findings of a run. The counts from Lost to BadLines must be zero.
type report struct {
	Cycles           int `json:"cycles"`
	Acknowledged     int `json:"acknowledged"`      // turns whose reply reached a client
	Lost             int `json:"lost"`              // acknowledged turns that are not stored, or with another reply
	Reordered        int `json:"reordered"`         // stored in another order than acknowledged
	DoubleWrites     int `json:"double_writes"`     // effects beyond the first of a confirmation
	Stuck            int `json:"stuck"`             // sessions that no longer answer
	UnaskedWrites    int `json:"unasked_writes"`    // effects without a yes
	MissingEffects   int `json:"missing_effects"`   // reported as done, but without an effect
	ToldWrongly      int `json:"told_wrongly"`      // replies that name a write without an effect, or deny one with an effect
	UntoldEffects    int `json:"untold_effects"`    // with an effect, but not reported as done
	UntoldUnknown    int `json:"untold_unknown"`    // unknown outcomes in replies that do not say so
	DoubleCalls      int `json:"double_calls"`      // calls beyond the first of a confirmation, to a tool without idempotency keys or with another key
	OrphanedJobs     int `json:"orphaned_jobs"`     // that never finish
	Returned         int `json:"returned"`          // erased sessions that exist again
	StaleTaken       int `json:"stale_taken"`       // commits that overwrote others
	Strange          int `json:"strange"`           // turns that no client knows
	ReplaysDiffer    int `json:"replays_differ"`    // message ids with two different replies
	Ungraceful       int `json:"ungraceful"`        // unclean exits on SIGTERM
	BadLines         int `json:"bad_lines"`         // telemetry lines that do not fit the schema
	Confirmed        int `json:"confirmed"`         // acknowledged yeses
	Effects          int `json:"effects"`           // writes that happened
	ToldUnknown      int `json:"told_unknown"`      // writes reported with an unknown outcome
	ToldDone         int `json:"told_done"`         // writes reported as done
	Replayed         int `json:"replayed"`          // messages repeated on purpose
	Retries          int `json:"retries"`           // tries after the first, because no answer came
	KillsInWrites    int `json:"kills_in_writes"`   // kills just after a yes
	UnfinishedWrites int `json:"unfinished_writes"` // yeses that needed another try
	Sessions         int `json:"sessions"`          //
	Lines            int `json:"lines"`             // of telemetry
	Kills            int `json:"kills"`             // of all services, with those at fail points
	JobsDead         int `json:"jobs_dead"`         // dead after killed workers, and retried by command
	Forgotten        int `json:"forgotten"`         // sessions that clients erased

	Points map[string]int `json:"points,omitempty"` // deaths at each fail point
	Harms  map[string]int `json:"harms,omitempty"`  // other harms by kind

	Fleet *fleetReport `json:"fleet,omitempty"` // with -replicas

	Seed    uint64  `json:"seed"`    //
	Seconds float64 `json:"seconds"` //

	wanted []string // points and harms that a long run must meet
	notes  []string // details of violations
}

// minLoad is the mean number of turns a cycle with which a run shows anything.
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

// counted lists the counts above zero with the seed of the run.
func counted(seed uint64, counts []count) (bad harness.Violations) {
	for _, c := range counts {
		bad.If(c.n > 0, fmt.Sprintf("%d %s (seed %d)", c.n, c.what, seed))
	}
	return bad
}

// longRun is the number of cycles in which a run must meet every fault.
const longRun = 100

// missing lists the faults that a long run did not meet.
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

// add adds harms and deaths at fail points.
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
