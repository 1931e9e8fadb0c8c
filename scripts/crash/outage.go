package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"time"
)

// outage holds the findings about one kind of death of a server behind the replicas.
type outage struct {
	Times    int            `json:"times"`
	Away     spread         `json:"away_ms"`         // from the death until the server answered again
	First    spread         `json:"first_turn_ms"`   // from then until a replica answered a turn
	All      spread         `json:"all_replicas_ms"` // from then until all had, unless one died too
	Statuses map[string]int `json:"statuses"`        // of answers while the server was away
}

// spread summarises durations in milliseconds.
type spread struct {
	Median int64 `json:"median"`
	Max    int64 `json:"max"`

	all []time.Duration
}

func (s *spread) add(d time.Duration) {
	s.all = append(s.all, d)
	slices.Sort(s.all)
	s.Median, s.Max = s.all[len(s.all)/2].Milliseconds(), s.all[len(s.all)-1].Milliseconds()
}

// outages are the findings by kind.
type outages map[string]*outage

func (o outages) of(kind string) *outage {
	if o[kind] == nil {
		o[kind] = &outage{Statuses: map[string]int{}}
	}
	return o[kind]
}

// recovered adds the times from the return of a server until the first and until the last replica
// answered a turn. The last counts only if no replica died.
func (o *outage) recovered(back time.Time, first []time.Time, all bool) {
	o.First.add(slices.MinFunc(first, time.Time.Compare).Sub(back))
	if all {
		o.All.add(slices.MaxFunc(first, time.Time.Compare).Sub(back))
	}
}

func (o outages) print(out io.Writer) {
	for _, kind := range slices.Sorted(maps.Keys(o)) {
		n := o[kind]
		fmt.Fprintf(out, "%s %d times, away for %d ms in the median (at most %d): answers %v, again after %d ms (%d), all replicas after %d ms (%d)\n",
			kind, n.Times, n.Away.Median, n.Away.Max, n.Statuses, n.First.Median, n.First.Max, n.All.Median, n.All.Max)
	}
}
