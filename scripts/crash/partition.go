package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/slotway/slotway/scripts/harness"
)

// partition is one time that the database was out of reach.
type partition struct {
	Kind        string         `json:"kind"` // held or refused
	Seconds     float64        `json:"seconds"`
	Statuses    map[string]int `json:"statuses"`       // what was answered meanwhile
	Unavailable int            `json:"unavailable"`    // 503 with Retry-After, of them
	MedianMS    int64          `json:"median_503_ms"`  // that they took
	SlowestMS   int64          `json:"slowest_503_ms"` //
	FirstMS     int64          `json:"first_turn_ms"`  // after the end: the first turn that was answered
	AllMS       int64          `json:"all_replicas_ms"`

	waits []time.Duration // for 503
}

// Ways in which the database is out of reach.
const (
	held    = "held"    // nothing gets through any more, and arrives in the end
	refused = "refused" // connections break, and new ones are refused
)

// partitions are made one after the other, spread over the run.
var partitions = []string{held, refused}

const (
	// patientWait is how long clients wait for an answer while the database is out of reach.
	patientWait = 25 * time.Second
	// recoveryTime is how long the replicas may take to answer again.
	recoveryTime = 60 * time.Second
)

// due is the kind of partition that comes next, when so much of a run is over, from 0 to 1.
func (f *fleet) due(over float64, made int) (kind string, yes bool) {
	if f.cut <= 0 || made >= len(partitions) || over*float64(len(partitions)+1) < float64(made+1) {
		return "", false
	}
	return partitions[made], true
}

// part cuts the replicas off from their database, and waits until each of them has answered
// a turn again. Nothing else is done to them meanwhile, and none is started again.
func (f *fleet) part(ctx context.Context, s *service, kind string) (p *partition, err error) {
	p = &partition{Kind: kind, Statuses: map[string]int{}}
	f.patient.Store(true)
	defer f.patient.Store(false)
	f.tally.watch(p)
	begin := time.Now()
	if kind == held {
		f.link.hold()
	} else {
		f.link.refuse()
	}
	err = harness.Pause(ctx, f.cut)
	f.tally.watch(nil)
	p.measure()
	healed := time.Now()
	p.Seconds = healed.Sub(begin).Seconds()
	if e := f.link.heal(); e != nil {
		return nil, e
	}
	if err != nil {
		return nil, err
	}
	first, err := f.recover(ctx, s, healed)
	if err != nil {
		return nil, fmt.Errorf("after the database was %s: %w", kind, err)
	}
	p.recovered(healed, first)
	return p, nil
}

// recovered notes how long it took until the first replica answered a turn, and all of them.
func (p *partition) recovered(healed time.Time, first []time.Time) {
	p.FirstMS = slices.MinFunc(first, time.Time.Compare).Sub(healed).Milliseconds()
	p.AllMS = slices.MaxFunc(first, time.Time.Compare).Sub(healed).Milliseconds()
}

// measure sums up how long clients waited for the 503.
func (p *partition) measure() {
	if n := len(p.waits); n > 0 {
		slices.Sort(p.waits)
		p.MedianMS, p.SlowestMS = p.waits[n/2].Milliseconds(), p.waits[n-1].Milliseconds()
	}
}
