package report

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// tally sums sessions up.
type tally struct {
	tasks      map[string]*sum
	failures   map[Failure]int
	unanswered int
}

// sum is what became of one intent.
type sum struct {
	Task
	turnsOfDone int
	params      map[string]*Param
	places      map[Place]int
	failures    map[Failure]int
}

func newTally() *tally { return &tally{tasks: map[string]*sum{}, failures: map[Failure]int{}} }

// add takes a session in.
func (y *tally) add(s *session) {
	y.unanswered += len(s.unanswered)
	addAll(y.failures, s.failures)
	for _, t := range s.tasks {
		of := y.tasks[t.intent]
		if of == nil {
			of = &sum{Task: Task{Intent: t.intent}, params: map[string]*Param{}, places: map[Place]int{}, failures: map[Failure]int{}}
			y.tasks[t.intent] = of
		}
		of.add(t)
	}
}

func addAll(to, from map[Failure]int) {
	for f, n := range from {
		to[f] += n
	}
}

func (m *sum) add(t *task) {
	m.Begun++
	*m.fate(t.fate)++
	m.Turns += t.turns
	switch t.fate {
	case Done:
		m.turnsOfDone += t.turns
	case Abandoned:
		m.places[t.place]++
	}
	m.Corrections += t.corrections
	m.Confirmations.Asked += t.confirmations.Asked
	m.Confirmations.Yes += t.confirmations.Yes
	m.Confirmations.No += t.confirmations.No
	for name, p := range t.params {
		of := m.params[name]
		if of == nil {
			of = &Param{Param: name}
			m.params[name] = of
		}
		of.Asked += p.Asked
		of.Again += p.Again
		of.Corrected += p.Corrected
	}
	addAll(m.failures, t.failures)
}

// fate returns the count of a fate.
func (m *sum) fate(f Fate) *int {
	switch f {
	case Done:
		return &m.Done
	case Declined:
		return &m.Declined
	case Stopped:
		return &m.Stopped
	case HandedOff:
		return &m.HandedOff
	case Failed:
		return &m.Failed
	case Abandoned:
		return &m.Abandoned
	}
	return &m.Open
}

// write puts the sums into a report, in a stable order.
func (y *tally) write(r *Report) {
	r.Failures, r.Tasks = failures(y.failures), []Task{}
	for _, m := range y.tasks {
		t := m.Task
		if t.Done > 0 {
			t.TurnsPerDone = float64(m.turnsOfDone*10/t.Done) / 10
		}
		t.Params, t.AbandonedAt, t.Failures = []Param{}, []Place{}, failures(m.failures)
		for _, p := range m.params {
			t.Params = append(t.Params, *p)
		}
		slices.SortFunc(t.Params, func(a, b Param) int { return cmp.Or(b.Asked-a.Asked, compare(a.Param, b.Param)) })
		for place, n := range m.places {
			place.Count = n
			t.AbandonedAt = append(t.AbandonedAt, place)
		}
		slices.SortFunc(t.AbandonedAt, func(a, b Place) int {
			return cmp.Or(b.Count-a.Count, compare(a.Waiting, b.Waiting), compare(a.Param, b.Param), compare(a.Step, b.Step), compare(a.Tool, b.Tool))
		})
		r.Tasks = append(r.Tasks, t)
	}
	slices.SortFunc(r.Tasks, func(a, b Task) int { return cmp.Or(b.Begun-a.Begun, compare(a.Intent, b.Intent)) })
}

func failures(counts map[Failure]int) []Failure {
	out := []Failure{}
	for f := range maps.Keys(counts) {
		f.Count = counts[f]
		out = append(out, f)
	}
	slices.SortFunc(out, func(a, b Failure) int {
		return cmp.Or(b.Count-a.Count, compare(a.Tool, b.Tool), compare(a.Code, b.Code), compare(a.Status, b.Status))
	})
	return out
}

func compare(a, b string) int { return strings.Compare(a, b) }
