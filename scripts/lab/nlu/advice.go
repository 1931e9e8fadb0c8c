package main

import (
	"context"
	"math/rand/v2"

	"github.com/slotway/slotway/classifier/eval"
	"github.com/slotway/slotway/scripts/lab/measure"
)

// doubling compares the forecast of `slotway eval advice` with the result.
type doubling struct {
	Shots    int            `json:"shots"`
	Forecast *eval.Forecast `json:"forecast"`
	Now      float64        `json:"now"`     // messages of the test file that are mistaken
	Doubled  float64        `json:"doubled"` // and with twice the examples
	Removed  float64        `json:"removed"` // of the errors, by the doubling
	Unknown  string         `json:"unknown,omitempty"`

	Named  float64 `json:"named_gain"` // points that the tenth of the intents that are named first gained by the doubling
	Others float64 `json:"other_gain"` // and the other intents
}

// double draws so many examples of each intent, forecasts the effect of twice as many, draws those
// too, and measures both sets on another file.
func double(ctx context.Context, rows, test []eval.Row, n int, seed uint64, opts eval.Options) (*doubling, error) {
	few := shots(inScope(rows), n, seed)
	a, err := eval.Advise(ctx, eval.AgentOf(few, false), &opts)
	if err != nil {
		return nil, err
	}
	d := &doubling{Shots: n, Forecast: a.Forecast, Unknown: a.Unknown}
	now, err := recalls(ctx, few, test, opts, &d.Now)
	if err != nil {
		return nil, err
	}
	doubled, err := recalls(ctx, shots(inScope(rows), 2*n, seed), test, opts, &d.Doubled)
	if err != nil {
		return nil, err
	}
	d.Removed = 1 - d.Doubled/d.Now
	first := map[string]bool{}
	for _, needy := range a.Needy[:min(len(a.Needy), max(1, a.Intents/10))] {
		first[needy.Intent] = true
	}
	named, others := 0.0, 0.0
	for intent, r := range doubled {
		if first[intent] {
			named += r - now[intent]
		} else {
			others += r - now[intent]
		}
	}
	d.Named, d.Others = named/float64(max(1, len(first))), others/float64(max(1, len(doubled)-len(first)))
	return d, nil
}

// recalls trains on rows and returns the share of each intent's messages that is understood.
func recalls(ctx context.Context, rows, test []eval.Row, opts eval.Options, wrong *float64) (map[string]float64, error) {
	opts.IntentsOnly = true
	f, err := eval.Split(ctx, rows, inScope(test), &opts)
	if err != nil {
		return nil, err
	}
	*wrong = 1 - f.Accuracy
	out := map[string]float64{}
	for _, in := range f.Intents {
		out[in.Intent] = in.Recall
	}
	return out, nil
}

// planting counts how many of the labels that were changed `slotway eval advice` finds.
type planting struct {
	Examples  int     `json:"examples"`
	Planted   int     `json:"planted"`
	Named     int     `json:"named"` // suspects
	Found     int     `json:"found"` // of them, planted
	Precision float64 `json:"precision"`
	Recall    float64 `json:"recall"`
	Before    int     `json:"named_before"` // suspects with the labels as they were
}

// plantIn gives a share of the examples another intent of the file, and counts which of them are
// suspected.
func plantIn(ctx context.Context, rows []eval.Row, part float64, seed uint64, opts eval.Options) (*planting, error) {
	before, err := eval.Advise(ctx, eval.AgentOf(rows, false), &opts)
	if err != nil {
		return nil, err
	}
	planted := map[string]bool{} // by place
	after, err := eval.Advise(ctx, eval.AgentOf(plant(rows, part, seed, planted), false), &opts)
	if err != nil {
		return nil, err
	}
	p := &planting{Examples: len(rows), Planted: len(planted), Named: len(after.Suspects), Before: len(before.Suspects)}
	for _, s := range after.Suspects {
		if planted[s.At] {
			p.Found++
		}
	}
	p.Precision, p.Recall = measure.Share(p.Found, p.Named), measure.Share(p.Found, p.Planted)
	return p, nil
}

// plant returns rows of which a share stands under another intent, and notes their places.
func plant(rows []eval.Row, part float64, seed uint64, planted map[string]bool) []eval.Row {
	rng := rand.New(rand.NewPCG(seed, uint64(len(rows))))
	var names []string
	seen := map[string]bool{}
	for _, r := range rows {
		if !seen[r.Intent] {
			seen[r.Intent] = true
			names = append(names, r.Intent)
		}
	}
	out := append([]eval.Row(nil), rows...)
	for _, i := range draw(rng.Perm(len(rows)), int(part*float64(len(rows))+0.5), rng) {
		other := names[rng.IntN(len(names))]
		for other == out[i].Intent {
			other = names[rng.IntN(len(names))]
		}
		out[i].Intent = other
		planted[out[i].Pos.String()] = true
	}
	return out
}
