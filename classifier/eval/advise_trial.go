package eval

import (
	"cmp"
	"context"
	"math/rand/v2"

	"github.com/slotway/slotway/classifier/eval/internal/measure"
)

// Doubling compares a forecast with the result.
type Doubling struct {
	Shots    int       `json:"shots"`
	Forecast *Forecast `json:"forecast"`
	Now      float64   `json:"now"`     // messages of the test file that are mistaken
	Doubled  float64   `json:"doubled"` // and with twice the examples
	Removed  float64   `json:"removed"` // of the errors, by the doubling
	Unknown  string    `json:"unknown,omitempty"`

	Named  float64 `json:"named_gain"` // points that the tenth of the intents that are named first gained by the doubling
	Others float64 `json:"other_gain"` // and the other intents
}

// DoublingOf draws Options.Shots examples of each intent, forecasts the effect of twice as many,
// draws those too, and measures both sets on another file.
func DoublingOf(ctx context.Context, rows, test []Row, opts *Options) (*Doubling, error) {
	o := opts.withDefaults()
	a, err := AdviseRows(ctx, rows, &o)
	if err != nil {
		return nil, err
	}
	d := &Doubling{Shots: o.Shots, Forecast: a.Forecast, Unknown: a.Unknown}
	now, err := recalls(ctx, shots(inScope(rows), o.Shots, o.Noise.Seed), inScope(test), &o, &d.Now)
	if err != nil {
		return nil, err
	}
	doubled, err := recalls(ctx, shots(inScope(rows), 2*o.Shots, o.Noise.Seed), inScope(test), &o, &d.Doubled)
	if err != nil {
		return nil, err
	}
	d.Removed = 1 - d.Doubled/d.Now
	first := map[string]bool{}
	for _, n := range a.Needy[:min(len(a.Needy), max(1, a.Intents/10))] {
		first[n.Intent] = true
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
func recalls(ctx context.Context, rows, test []Row, o *Options, wrong *float64) (map[string]float64, error) {
	j, err := train(AgentOf(rows, false), &Options{Cascade: uncalibrated(o.Cascade)})
	if err != nil {
		return nil, err
	}
	all, err := j.predict(ctx, test, false)
	if err != nil {
		return nil, err
	}
	var f Figures
	f.judgeIntents(all)
	*wrong = 1 - f.Accuracy
	out := map[string]float64{}
	for _, in := range f.Intents {
		out[in.Intent] = in.Recall
	}
	return out, nil
}

// Planted counts how many of the labels that were changed are found.
type Planted struct {
	Examples  int     `json:"examples"`
	Planted   int     `json:"planted"`
	Named     int     `json:"named"` // suspects
	Found     int     `json:"found"` // of them, planted
	Precision float64 `json:"precision"`
	Recall    float64 `json:"recall"`
	Before    int     `json:"named_before"` // suspects with the labels as they were
}

// PlantedIn gives a share of the examples, Options.Shots of each intent, another intent of
// the file, and counts which of them are suspected.
func PlantedIn(ctx context.Context, rows []Row, part float64, opts *Options) (*Planted, error) {
	o := opts.withDefaults()
	rows = shots(inScope(rows), o.Shots, o.Noise.Seed)
	o.Begin(2 * min(cmp.Or(o.Folds, adviceFolds), len(rows)))
	before, err := suspectsOf(ctx, rows, o)
	if err != nil {
		return nil, err
	}
	planted := map[string]bool{} // by place
	rows = plant(rows, part, o.Noise.Seed, planted)
	after, err := suspectsOf(ctx, rows, o)
	if err != nil {
		return nil, err
	}
	p := &Planted{Examples: len(rows), Planted: len(planted), Named: len(after), Before: len(before)}
	for _, s := range after {
		if planted[s.At] {
			p.Found++
		}
	}
	p.Precision, p.Recall = measure.Share(p.Found, p.Named), measure.Share(p.Found, p.Planted)
	return p, nil
}

func suspectsOf(ctx context.Context, rows []Row, o Options) ([]Suspect, error) {
	a, err := newAdviser(corpusOf(rows, false), &o)
	if err != nil {
		return nil, err
	}
	if err := a.leaveOut(ctx); err != nil {
		return nil, err
	}
	return a.suspects(), nil
}

// plant returns rows of which a share stands under another intent, and notes their places.
func plant(rows []Row, part float64, seed uint64, planted map[string]bool) []Row {
	rng := rand.New(rand.NewPCG(seed, uint64(len(rows))))
	var names []string
	seen := map[string]bool{}
	for _, r := range rows {
		if !seen[r.Intent] {
			seen[r.Intent] = true
			names = append(names, r.Intent)
		}
	}
	out := append([]Row(nil), rows...)
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
