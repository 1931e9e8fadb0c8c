package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// result is one line of a run: what `slotway bench turns --json` prints, what a harness prints
// for a scenario, or what `bench failed` prints.
type result struct {
	Peer     string  `json:"peer,omitempty"`
	Scenario string  `json:"scenario,omitempty"` // c1 or c64, by the conversations at once; others are left out
	PerS     float64 `json:"turns_per_s,omitempty"`
	P50      float64 `json:"p50_us,omitempty"`
	P99      float64 `json:"p99_us,omitempty"`
	CPU      float64 `json:"cpu_us_per_turn,omitempty"`
	Turns    int     `json:"turns,omitempty"`
	Lost     int     `json:"failed_conversations,omitempty"`
	Error    string  `json:"first_error,omitempty"` // of the first that failed
	Failed   string  `json:"failed,omitempty"`      // why there are no figures

	// Only Slotway has these.
	Sessions   int     `json:"sessions,omitempty"`
	Durability string  `json:"durability,omitempty"`
	Tools      string  `json:"tools,omitempty"`
	Raw        float64 `json:"raw_commits_per_s,omitempty"`
}

// The scenarios of the table.
const (
	one  = "c1"
	many = "c64"
)

// figures are the results of one runtime in one scenario, in the order of the run.
type figures []result

// results are all figures of a run.
type results struct {
	of     map[string]map[string]figures // by runtime, then by scenario
	failed map[string]string             // by runtime: why
}

// readResults reads the lines of a run. A runtime that has a figure in each scenario and a failure
// too, of another round, has failed.
func readResults(in io.Reader) (*results, error) {
	all := &results{of: map[string]map[string]figures{}, failed: map[string]string{}}
	dec := json.NewDecoder(in)
	for {
		var r result
		err := dec.Decode(&r)
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return nil, fmt.Errorf("read the results: %w", err)
		}
		if r.Durability != "" {
			r.Peer, r.Scenario = "slotway-"+r.Durability+"-"+r.Tools, "c"+strconv.Itoa(r.Sessions)
		}
		if r.Failed != "" {
			all.failed[r.Peer] = oneLine(r.Failed)
			continue
		}
		if r.Scenario != one && r.Scenario != many {
			continue
		}
		if all.of[r.Peer] == nil {
			all.of[r.Peer] = map[string]figures{}
		}
		all.of[r.Peer][r.Scenario] = append(all.of[r.Peer][r.Scenario], r)
	}
}

// reason tells why a runtime has no figures; "" if it has.
func (all *results) reason(id string) string {
	if why := all.failed[id]; why != "" {
		return why
	}
	for _, scenario := range []string{many, one} {
		f := all.of[id][scenario]
		if len(f) == 0 {
			return "it was not run"
		}
		for _, r := range f {
			if r.Turns == 0 || r.PerS == 0 {
				return "no conversation came to its end: " + oneLine(r.Error)
			}
		}
	}
	return ""
}

// lost counts the conversations that failed.
func (f figures) lost() (n int) {
	for _, r := range f {
		n += r.Lost
	}
	return n
}

// values are a figure's values, ascending.
func (f figures) values(of func(result) float64) []float64 {
	out := make([]float64, len(f))
	for i, r := range f {
		out[i] = of(r)
	}
	slices.Sort(out)
	return out
}

// median is the middle value, or the mean of the two in the middle.
func (f figures) median(of func(result) float64) float64 {
	v := f.values(of)
	if len(v) == 0 {
		return 0
	}
	return (v[(len(v)-1)/2] + v[len(v)/2]) / 2
}

func perS(r result) float64 { return r.PerS }
func p50(r result) float64  { return r.P50 }
func p99(r result) float64  { return r.P99 }
func cpu(r result) float64  { return r.CPU }
func raw(r result) float64  { return r.Raw }

// oneLine makes a message fit for a cell of a table.
func oneLine(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if runes := []rune(s); len(runes) > 160 {
		s = string(runes[:160]) + "…"
	}
	return strings.NewReplacer("|", "/", "<", "", ">", "").Replace(s)
}
