package main

import (
	"fmt"
	"io"

	"github.com/slotway/slotway/scripts/harness"
)

// fleetReport is what a run with replicas found besides.
type fleetReport struct {
	Replicas           int            `json:"replicas"`
	SessionsOnSeveral  int            `json:"sessions_on_several"`  // of which more than one replica answered turns
	MovedTurns         int            `json:"moved_turns"`          // answered by another replica than the one before
	MovedConfirmations int            `json:"moved_confirmations"`  // writes: one replica asked, another was told yes
	Statuses           map[string]int `json:"statuses"`             // that the replicas answered
	Codes              map[string]int `json:"codes"`                // of refusals
	Bare               int            `json:"503_without_retry"`    // 503 that do not say when to come again
	Odd                int            `json:"unexpected_statuses"`  // any but 200, 409, 429, 503, 504, and those of an erasure
	Windows            int            `json:"windows"`              // of newest messages that were looked at
	WrongWindows       int            `json:"wrong_windows"`        // that were not what the client had been told
	Partitions         []*partition   `json:"partitions,omitempty"` //
	Outages            outages        `json:"outages,omitempty"`    // by kind: deaths of the servers behind the replicas
	Cache              *cacheReport   `json:"cache,omitempty"`      // with -redis
	NoPartition        int            `json:"-"`                    // that were to be made, and were not
}

// cacheReport is what became of the cache.
type cacheReport struct {
	Reads    int `json:"reads"`    // windows that it was asked for, in the lives that were ended in the run
	Restored int `json:"restored"` // entries that it had again after it was started with old ones
}

// take adds how the conversations of a client moved between replicas. Their turns are in
// order.
func (r *fleetReport) take(known *session) {
	several := false
	for i := 1; i < len(known.turns); i++ {
		before, now := &known.turns[i-1], &known.turns[i]
		if before.by == now.by || before.by == 0 || now.by == 0 {
			continue
		}
		several = true
		r.MovedTurns++
		if before.reply.Confirming != nil && len(now.reply.ToolCalls) > 0 {
			r.MovedConfirmations++
		}
	}
	if several {
		r.SessionsOnSeveral++
	}
}

// report adds what the proxy has seen.
func (f *fleet) report(r *fleetReport) {
	f.tally.mu.Lock()
	defer f.tally.mu.Unlock()
	r.Statuses, r.Codes, r.Bare, r.Odd = f.tally.statuses, f.tally.codes, f.tally.bare, f.tally.odd
	r.Outages = f.outages
	if f.redis != nil {
		r.Cache = &cacheReport{Reads: f.redis.reads, Restored: f.redis.restored}
	}
	if f.cut > 0 {
		r.NoPartition = len(partitions) - len(r.Partitions)
	}
}

// silence is how many seconds a database must have been out of reach for a 503 to be due: in
// less the answer may still come.
const silence = 15

// violations lists what must not be.
func (r *fleetReport) violations() []string {
	var bad harness.Violations
	bad.If(r.Replicas > 1 && r.MovedTurns == 0, "no conversation went on at another replica")
	bad.If(r.Replicas > 1 && r.MovedConfirmations == 0, "no yes was said to another replica than the one that had asked")
	bad.If(r.Bare > 0, fmt.Sprintf("%d answers were 503 without Retry-After", r.Bare))
	bad.If(r.Odd > 0, fmt.Sprintf("%d answers had a status that no client can do anything with: %v", r.Odd, r.Statuses))
	bad.If(r.WrongWindows > 0, fmt.Sprintf("%d windows of messages were not what the client had been told", r.WrongWindows))
	bad.If(r.Cache != nil && r.Cache.Reads == 0, "the cache was never asked")
	bad.If(r.NoPartition > 0, fmt.Sprintf("%d partitions were to be made and were not", r.NoPartition))
	for _, p := range r.Partitions {
		bad.If(p.Unavailable == 0 && p.Seconds > silence, "nobody was told 503 while the database was "+p.Kind)
	}
	return bad
}

func (r *fleetReport) print(out io.Writer) {
	fmt.Fprintf(out, "%d replicas answered %v %v; %d turns of %d sessions were answered by another than the one before, %d yeses among them\n",
		r.Replicas, r.Statuses, r.Codes, r.MovedTurns, r.SessionsOnSeveral, r.MovedConfirmations)
	for _, p := range r.Partitions {
		fmt.Fprintf(out, "database %s for %.1f s: answers %v (503 after %d ms in the median, %d at most), again after %d ms, all replicas after %d ms\n",
			p.Kind, p.Seconds, p.Statuses, p.MedianMS, p.SlowestMS, p.FirstMS, p.AllMS)
	}
	r.Outages.print(out)
	if r.Cache != nil {
		fmt.Fprintf(out, "%d windows asked of the cache, which had %d old entries again; %d windows looked at, %d wrong\n", r.Cache.Reads, r.Cache.Restored, r.Windows, r.WrongWindows)
	}
}
