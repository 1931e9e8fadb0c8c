package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"time"
)

// watcher samples the process under load.
type watcher struct {
	o      options
	begun  time.Time
	series map[string]*series
	p50    []float64 // microseconds, by minute
	p99    []float64
}

func newWatcher(o options) *watcher {
	return &watcher{o: o, begun: time.Now(), series: map[string]*series{}}
}

// warmUp is the share of the run before the series begin: caches fill.
const warmUp = 3.0 / 8

// watch samples the process until the time is over.
func (w *watcher) watch(ctx context.Context, l *load, stderr io.Writer) error {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for nextMinute := 1.0; ; {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-l.p.Exited():
			return fmt.Errorf("the service ended by itself: %s", l.p.State())
		case <-tick.C:
		}
		now := time.Since(w.begun).Minutes()
		s, err := l.p.look(ctx, l.client(0))
		if err != nil {
			return err
		}
		if now >= nextMinute || now >= w.o.minutes {
			p50, p99 := l.minute()
			w.p50, w.p99 = append(w.p50, p50), append(w.p99, p99)
			nextMinute++
			fmt.Fprintf(stderr, "soak: minute %.0f: rss %.0f MB, heap %.1f MB, %.0f goroutines, %.0f fds, wal %.1f MB, %.0f jobs, db %.0f MB, p50 %.0f us, p99 %.0f us\n",
				now, s["rss"], s["heap"], s["goroutines"], s["fds"], s["wal"], s["jobs"], s["db"], p50, p99)
		}
		if now >= w.o.minutes*warmUp {
			for name, value := range s {
				if w.series[name] == nil {
					w.series[name] = &series{}
				}
				w.series[name].add(now, value)
			}
		}
		if now >= w.o.minutes {
			return nil
		}
	}
}

// report holds the findings of a run.
type report struct {
	Minutes  float64          `json:"minutes"`
	Turns    int              `json:"turns"`
	Failures int              `json:"failures"` // failed requests
	Counts   map[string]int   `json:"counts"`
	Lines    int              `json:"lines"` // of telemetry
	Level    map[string]level `json:"level"`
	P50      []float64        `json:"p50_us"` // by minute
	P99      []float64        `json:"p99_us"`
	Seed     uint64           `json:"seed"`
	Wrong    []string         `json:"wrong"`
	Told     []string         `json:"told,omitempty"` // the first failures
	Verdict  string           `json:"verdict"`        // "level", "grows" or "fails"
}

// level is one series after the warm-up.
type level struct {
	Start          float64 `json:"start"`
	End            float64 `json:"end"`
	SlopePerMinute float64 `json:"slope_per_min"`
}

// leasts are the smallest counts a minute with which a run shows anything.
var leasts = map[string]float64{
	"looks": 60, "searches": 5, "completions": 20, "streams": 10, "studio": 5, "mcp_sessions": 10, "strangers": 60, "reloads": 5,
}

// leastTurns is a rate a minute, mostWrong the share of requests that may fail on a busy machine.
const (
	leastTurns = 600
	mostWrong  = 0.001
)

// report judges the run.
func (w *watcher) report(l *load, clean bool) *report {
	r := &report{
		Minutes: round(time.Since(w.begun).Minutes()), Turns: l.turns, Failures: l.failures, Counts: l.counts, Lines: l.p.Output.Lines(),
		Level: map[string]level{}, P50: w.p50, P99: w.p99, Seed: w.o.seed, Wrong: []string{}, Told: l.told, Verdict: "level",
	}
	for name, s := range w.series {
		first, last := s.ends()
		r.Level[name] = level{round(first), round(last), round(s.slope())}
	}
	for _, t := range tolerances {
		if grows := t.grows(w.series[t.name]); grows != "" {
			r.Wrong, r.Verdict = append(r.Wrong, grows), "grows"
		}
	}
	if failed := w.failed(l, clean); len(failed) > 0 {
		r.Wrong, r.Verdict = append(r.Wrong, failed...), "fails"
	}
	return r
}

// failed lists the violations besides growth.
func (w *watcher) failed(l *load, clean bool) []string {
	var wrong []string
	if !clean {
		wrong = append(wrong, "the service did not stop cleanly")
	}
	if n := float64(l.turns); n < leastTurns*w.o.minutes {
		wrong = append(wrong, fmt.Sprintf("only %.0f turns: this shows nothing", n))
	}
	if float64(l.failures) > mostWrong*float64(l.turns) {
		wrong = append(wrong, fmt.Sprintf("%d requests went wrong", l.failures))
	}
	for what, least := range leasts {
		if n := float64(l.counts[what]); n < least*w.o.minutes {
			wrong = append(wrong, fmt.Sprintf("only %.0f %s: this shows nothing of them", n, what))
		}
	}
	if dead := w.series["dead"]; dead != nil && median(dead.values) > 0 {
		wrong = append(wrong, "jobs were given up")
	}
	if slower := w.slower(); slower != "" {
		wrong = append(wrong, slower)
	}
	return wrong
}

// slower compares the median latency of the last third of the minutes with that of the second
// third. A busy machine does not explain a factor of three.
func (w *watcher) slower() string {
	third := len(w.p50) / 3
	if third == 0 {
		return ""
	}
	before, after := median(w.p50[third:2*third]), median(w.p50[len(w.p50)-third:])
	if after <= 3*before {
		return ""
	}
	return fmt.Sprintf("a median turn takes %.0f us at the end and %.0f us before", after, before)
}

func round(v float64) float64 { return math.Round(v*1000) / 1000 }
