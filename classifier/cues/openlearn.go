package cues

import (
	"slices"
	"strings"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/shapes"
)

// seen counts where some words stand in an agent's examples.
type seen struct {
	before map[string]int // right before a value of a param, by its name
	values map[string]int // of these, behind another value
	other  int            // before something else
	behind int            // of these, behind a value
}

// learnOpen learns which words announce the open params: those before annotated values.
// Words that are elsewhere too ("to") announce only what has its shape beyond doubt.
func (r *Reader) learnOpen(agent *config.Agent) {
	if len(r.open) == 0 {
		return
	}
	keys := map[string]*seen{}
	var order []string
	for _, in := range agent.Intents {
		for _, e := range in.Examples {
			m := &cutMessage{}
			m.cut(e.Text)
			at := m.markSpans(e.Spans)
			for k, s := range e.Spans {
				o := r.open[s.Param]
				if o == nil {
					continue
				}
				if o.group != nil {
					o.group.learn(m, at[k].from, s.Param)
				}
				o.learnEnd(m, at[k].to)
				for n, key := range m.lefts(at[k].from) {
					if key == "" {
						continue
					}
					if keys[key] == nil {
						keys[key] = &seen{before: map[string]int{}, values: map[string]int{}}
						order = append(order, key)
					}
					keys[key].before[s.Param]++
					if i := at[k].from - n - 1; i > 0 && m.words[i-1].value != 0 {
						keys[key].values[s.Param]++
					}
				}
			}
		}
	}
	countElsewhere(agent, keys)
	for _, key := range order {
		r.admit(key, keys[key])
	}
	for _, g := range r.openGroups {
		g.settle()
	}
}

// learn counts the words before one annotated value of a member.
func (g *group) learn(m *cutMessage, i int, param string) {
	member := slices.Index(g.params, param)
	for n, key := range m.lefts(i) {
		if g.tally[key] == nil {
			g.tally[key] = make([]int, len(g.params))
		}
		g.tally[key][member]++
		if n == 0 && (key == "" || neutral[key]) {
			g.nudges[key] = true
		}
	}
}

// learnEnd notes the two words behind an annotated value.
func (o *open) learnEnd(m *cutMessage, i int) {
	if m.free(i) && m.free(i+1) && m.mark(i) == 0 && m.mark(i+1) == 0 {
		o.ends[m.low(i)+" "+m.low(i+1)] = true
	}
}

// countElsewhere counts where the examples have the words before something else.
func countElsewhere(agent *config.Agent, keys map[string]*seen) {
	for _, in := range slices.Concat(agent.Intents, agent.System) {
		for _, e := range in.Examples {
			m := &cutMessage{}
			m.cut(e.Text)
			at := m.markSpans(e.Spans)
			for i := 1; i <= len(m.words); i++ {
				for n, key := range m.lefts(i) {
					if s := keys[key]; s != nil && !slices.ContainsFunc(at, func(a span) bool { return a.from == i }) {
						s.other++
						if k := i - n - 1; k > 0 && m.words[k-1].value != 0 {
							s.behind++
						}
					}
				}
			}
		}
	}
}

// admit enters words as announcers of the params that they were seen before.
func (r *Reader) admit(key string, s *seen) {
	phrase := strings.Fields(key)
	pure := s.other == 0 && len(s.before) == 1
	telling := slices.ContainsFunc(phrase, func(w string) bool { return !carriers[w] && !neutral[w] && !joins[w] })
	for name := range s.before {
		o := r.open[name]
		a := announcer{open: o, confidence: learnedConfidence}
		switch {
		case pure && telling:
		case o.shape == shapes.Address || o.shape == shapes.Name || o.shape == shapePlace:
			a.strict, a.value, a.confidence = true, s.values[name] > 0 && s.behind == 0 && len(s.before) == 1, roleShape
		default:
			continue
		}
		r.announce(phrase, a)
	}
}
