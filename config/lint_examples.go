package config

import (
	"fmt"
	"slices"
	"strings"

	"github.com/slotway/slotway/config/source"
)

// Limits of lintDominated: nine of ten spans, or four of five, teach one value and not the words
// around a value.
const (
	dominatedSpans = 5
	dominatedShare = 0.8
)

// lintDominated finds params whose marked spans nearly all have the same value.
func (b *builder) lintDominated() {
	type tally struct {
		total  int
		counts map[string]int
		first  map[string]source.Position // by value: where it is marked first
	}
	byParam := map[string]*tally{}
	var order []string
	for _, in := range slices.Concat(b.agent.Intents, b.agent.System) {
		for _, e := range in.Examples {
			for _, s := range e.Spans {
				t := byParam[s.Param]
				if t == nil {
					t = &tally{counts: map[string]int{}, first: map[string]source.Position{}}
					byParam[s.Param] = t
					order = append(order, s.Param)
				}
				value := strings.ToLower(s.Value)
				if t.counts[value] == 0 {
					t.first[value] = e.Pos
				}
				t.counts[value]++
				t.total++
			}
		}
	}
	for _, param := range order {
		t := byParam[param]
		for value, n := range t.counts { // at most one passes
			if t.total < dominatedSpans || float64(n) < dominatedShare*float64(t.total) {
				continue
			}
			b.problems = append(b.problems, source.Problem{
				Code: source.OneValue, Pos: t.first[value], Severity: source.SeverityWarning,
				Message: fmt.Sprintf("%d of the %d marked values of param %q are %q", n, t.total, param, value),
				Hint:    "mark different values, as people really give them",
			})
		}
	}
}
