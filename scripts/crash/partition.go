package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/slotway/slotway/scripts/harness"
)

// partition is a time in which the database was out of reach.
type partition struct {
	Kind        string         `json:"kind"` // held or refused
	Seconds     float64        `json:"seconds"`
	Statuses    map[string]int `json:"statuses"`       // of answers in that time
	Unavailable int            `json:"unavailable"`    // of them, 503 with Retry-After
	MedianMS    int64          `json:"median_503_ms"`  // latency
	SlowestMS   int64          `json:"slowest_503_ms"` //
	FirstMS     int64          `json:"first_turn_ms"`  // from its end until the first answered turn
	AllMS       int64          `json:"all_replicas_ms"`

	waits []time.Duration // for 503
}

// Kinds of partitions.
const (
	held    = "held"    // data is delayed until the end
	refused = "refused" // connections break, and new ones are refused
)

// partitions lists the kinds in the order in which a run has them.
var partitions = []string{held, refused}

const (
	// patientWait bounds the wait of clients while the database is out of reach.
	patientWait = 25 * time.Second
	// recoveryTime bounds the time until the replicas answer again.
	recoveryTime = 60 * time.Second
)

// due returns the kind of the next partition if it is due. over is the share of the run that is
// over.
func (f *fleet) due(over float64, made int) (kind string, yes bool) {
	if f.cut <= 0 || made >= len(partitions) || over*float64(len(partitions)+1) < float64(made+1) {
		return "", false
	}
	return partitions[made], true
}

// part cuts the replicas off from their database and waits until each has answered a turn again.
// It restarts none of them.
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

// recovered sets the times until the first and until the last replica answered a turn.
func (p *partition) recovered(healed time.Time, first []time.Time) {
	p.FirstMS = slices.MinFunc(first, time.Time.Compare).Sub(healed).Milliseconds()
	p.AllMS = slices.MaxFunc(first, time.Time.Compare).Sub(healed).Milliseconds()
}

// measure computes the latency of the 503.
func (p *partition) measure() {
	if n := len(p.waits); n > 0 {
		slices.Sort(p.waits)
		p.MedianMS, p.SlowestMS = p.waits[n/2].Milliseconds(), p.waits[n-1].Milliseconds()
	}
}
