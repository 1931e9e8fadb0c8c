package main

import (
	"fmt"
	"io"

	"github.com/slotway/slotway/scripts/harness"
)

// fleetReport holds the additional findings of a run with replicas.
type fleetReport struct {
	Replicas           int            `json:"replicas"`
	SessionsOnSeveral  int            `json:"sessions_on_several"`  // answered by more than one replica
	MovedTurns         int            `json:"moved_turns"`          // answered by another replica than the turn before
	MovedConfirmations int            `json:"moved_confirmations"`  // one replica asked, another got the yes
	Statuses           map[string]int `json:"statuses"`             // of all answers
	Codes              map[string]int `json:"codes"`                // of refusals
	Bare               int            `json:"503_without_retry"`    // 503 without Retry-After
	Odd                int            `json:"unexpected_statuses"`  // other than 200, 409, 429, 503, 504 and those of an erasure
	Windows            int            `json:"windows"`              // lists of newest messages that clients checked
	WrongWindows       int            `json:"wrong_windows"`        // that contradict what the client was told
	Partitions         []*partition   `json:"partitions,omitempty"` //
	Outages            outages        `json:"outages,omitempty"`    // deaths of the servers behind the replicas, by kind
	Cache              *cacheReport   `json:"cache,omitempty"`      // with -redis
	NoPartition        int            `json:"-"`                    // partitions that the run did not get to
}

// cacheReport holds the findings about the cache.
type cacheReport struct {
	Reads    int `json:"reads"`    // windows that slotway read, until the last death
	Restored int `json:"restored"` // entries in the old contents that it started with
}

// take counts how a session moved between replicas. Its turns must be in order.
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

// report adds the findings of the proxy.
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

// silence is the length of a partition in seconds after which clients must have got a 503. In a
// shorter one the answer may still come.
const silence = 15

// violations lists the findings that make the run fail.
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
