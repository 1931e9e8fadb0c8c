package eval

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// Change is one figure in two results. A nil side does not have it.
type Change struct {
	Name       string   `json:"name"`
	Before     *float64 `json:"before"`
	After      *float64 `json:"after"`
	Difference *float64 `json:"difference"`          // after less before
	Worse      bool     `json:"regressed,omitempty"` // fell by more than is tolerated, where that counts
}

// Comparison lists the changes between two results.
type Comparison struct {
	Tolerance float64  `json:"tolerance"`
	Figures   []Change `json:"figures"` // numbers at the top of either result
	Intents   []Change `json:"intents"` // F1 of each intent that changed, the worst first
	Slots     []Change `json:"slots"`   // F1 of each slot that changed, the worst first
	Regressed bool     `json:"regressed"`
}

// guarded are the figures whose fall is a regression.
var guarded = []string{"accuracy", "macro_f1", "span_f1", "exact", "spans"}

// result is the part of a result that is compared.
type result struct {
	numbers map[string]float64
	intents map[string]float64
	slots   map[string]float64
}

func readResult(data []byte) (*result, error) {
	var top map[string]json.RawMessage
	if err := json.Unmarshal(data, &top); err != nil {
		return nil, fmt.Errorf("is no JSON object: %w", err)
	}
	r := &result{numbers: map[string]float64{}, intents: map[string]float64{}, slots: map[string]float64{}}
	for key, raw := range top {
		var v *float64
		if json.Unmarshal(raw, &v) == nil && v != nil {
			r.numbers[key] = *v
		}
	}
	var lists struct {
		Intents []IntentFigures `json:"intents"`
		Slots   []SlotFigures   `json:"slots"`
	}
	if err := json.Unmarshal(data, &lists); err != nil {
		return nil, fmt.Errorf("is no result of eval: %w", err)
	}
	for _, f := range lists.Intents {
		r.intents[f.Intent] = f.F1
	}
	for _, f := range lists.Slots {
		r.slots[f.Slot] = f.F1
	}
	if len(r.numbers) == 0 {
		return nil, ErrNoFigures
	}
	return r, nil
}

// Compare sets two results of eval, as JSON, side by side. It is a regression when
// accuracy, macro_f1, span_f1, exact or spans fell by more than tolerance, a fraction.
// The error wraps ErrNoFigures when a side is no result.
func Compare(before, after []byte, tolerance float64) (*Comparison, error) {
	a, err := readResult(before)
	if err != nil {
		return nil, fmt.Errorf("the former result %w", err)
	}
	b, err := readResult(after)
	if err != nil {
		return nil, fmt.Errorf("the latter result %w", err)
	}
	c := &Comparison{Tolerance: tolerance, Figures: changes(a.numbers, b.numbers)}
	for i := range c.Figures {
		f := &c.Figures[i]
		f.Worse = slices.Contains(guarded, f.Name) && f.Difference != nil && *f.Difference < -tolerance-rounding
		c.Regressed = c.Regressed || f.Worse
	}
	slices.SortStableFunc(c.Figures, func(x, y Change) int { return cmp.Compare(rankOf(x.Name), rankOf(y.Name)) })
	c.Intents = changed(changes(a.intents, b.intents), tolerance)
	c.Slots = changed(changes(a.slots, b.slots), tolerance)
	return c, nil
}

// rounding keeps 0.9 - 0.895 from counting as more than 0.005.
const rounding = 1e-9

// rankOf puts the figures that are guarded first.
func rankOf(name string) int {
	if i := slices.Index(guarded, name); i >= 0 {
		return i
	}
	return len(guarded)
}

// changes pairs two sets of figures by name.
func changes(a, b map[string]float64) []Change {
	all := maps.Clone(a)
	maps.Copy(all, b)
	out := make([]Change, 0, len(all))
	for _, name := range slices.Sorted(maps.Keys(all)) {
		c := Change{Name: name}
		if v, ok := a[name]; ok {
			c.Before = &v
		}
		if v, ok := b[name]; ok {
			c.After = &v
		}
		if c.Before != nil && c.After != nil {
			d := *c.After - *c.Before
			c.Difference = &d
		}
		out = append(out, c)
	}
	return out
}

// changed keeps what differs, the worst first; what one side lacks comes last.
func changed(all []Change, tolerance float64) []Change {
	out := slices.DeleteFunc(all, func(c Change) bool { return c.Difference != nil && *c.Difference == 0 })
	for i := range out {
		out[i].Worse = out[i].Difference != nil && *out[i].Difference < -tolerance-rounding
	}
	slices.SortStableFunc(out, func(x, y Change) int {
		switch {
		case x.Difference == nil || y.Difference == nil:
			return cmp.Compare(missing(x), missing(y))
		default:
			return cmp.Compare(*x.Difference, *y.Difference)
		}
	})
	return out
}

func missing(c Change) int {
	if c.Difference == nil {
		return 1
	}
	return 0
}
