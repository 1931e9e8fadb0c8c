package eval

import (
	"cmp"
	"context"
	"slices"

	"github.com/slotway/slotway/classifier/cascade"
	"github.com/slotway/slotway/classifier/eval/internal/measure"
	"github.com/slotway/slotway/classifier/linear"
	"github.com/slotway/slotway/config"
)

// Advice lists what could be better about the examples of an agent, as leaving some of them out in
// turn shows. Lists begin with the most important entry. Shares are in [0,1].
type Advice struct {
	Examples int     `json:"examples"` // that were left out in turn
	Intents  int     `json:"intents"`
	Folds    int     `json:"folds"`
	Error    float64 `json:"error"` // of the examples, taken for another intent when left out

	Siblings []Siblings `json:"siblings"` // pairs of intents that are taken for each other
	Suspects []Suspect  `json:"suspects"` // examples that probably stand under the wrong intent
	Repeated []Repeated `json:"repeated"` // examples that say what another says
	Carriers []Carrier  `json:"carriers"` // examples that others depend on
	Needy    []Needy    `json:"needy"`    // intents that gain most by more examples
	Forecast *Forecast  `json:"forecast"` // of twice the examples; nil: Unknown says why
	Unknown  string     `json:"unknown,omitempty"`
}

// Shown is an example that shows something.
type Shown struct {
	At         string  `json:"at"` // file:line:column
	Text       string  `json:"text"`
	Intent     string  `json:"intent"`
	TakenFor   string  `json:"taken_for,omitempty"` // when it is left out; "": rightly taken, or for none
	Confidence float64 `json:"confidence,omitempty"`
}

func shown(p *prediction) Shown {
	return Shown{At: p.pos.String(), Text: p.text, Intent: p.want, TakenFor: p.got, Confidence: p.confidence}
}

// adviceFolds is the number of parts into which the examples are dealt. With ten, doubling the
// examples outside a fold is nearly doubling all of them.
const adviceFolds = 10

// Advise cross-validates an agent's examples and returns what would improve its understanding. It
// ignores Options.IntentsOnly.
func Advise(ctx context.Context, agent *config.Agent, opts *Options) (*Advice, error) {
	o := opts.withDefaults()
	adviser, err := newAdviser(corpusOfAgent(agent), &o)
	if err != nil {
		return nil, err
	}
	o.Begin(adviser.k * (2 + adviser.curvePasses()))
	a, err := adviser.all(ctx)
	if err != nil {
		return nil, err
	}
	for i := range a.Needy {
		if in := agent.Intent(a.Needy[i].Intent); in != nil {
			a.Needy[i].At = in.Pos.String()
		}
	}
	return a, nil
}

// adviser is one piece of advice in the making.
type adviser struct {
	*Options
	corpus   *corpus
	k        int
	folds    []int            // by row
	byIntent map[string][]int // rows that teach an intent, by intent
	names    []string         // of those intents
	alike    *likeness
	held     []prediction // of every row, by what was trained without its fold
}

// newAdviser deals the examples out.
func newAdviser(c *corpus, o *Options) (*adviser, error) {
	c.params, c.single = false, true
	o.Cascade = uncalibrated(o.Cascade)
	a := &adviser{Options: o, corpus: c, byIntent: map[string][]int{}}
	var err error
	a.k = min(cmp.Or(o.Folds, adviceFolds), len(c.rows))
	if a.folds, err = c.folds(a.k); err != nil {
		return nil, err
	}
	texts := make([]string, len(c.rows))
	for i, r := range c.rows {
		texts[i] = r.Text
		if r.Asked == "" {
			a.byIntent[r.Intent] = append(a.byIntent[r.Intent], i)
		}
	}
	for name := range a.byIntent {
		a.names = append(a.names, name)
	}
	slices.Sort(a.names)
	if len(a.names) < 2 {
		return nil, ErrFewLabels
	}
	a.alike = newLikeness(texts, o.Cascade.Linear.Embedder)
	return a, nil
}

// all asks every question.
func (a *adviser) all(ctx context.Context) (*Advice, error) {
	if err := a.leaveOut(ctx); err != nil {
		return nil, err
	}
	out := &Advice{Intents: len(a.names), Folds: a.k, Siblings: a.siblings(), Suspects: a.suspects(), Repeated: a.repeated()}
	wrong := 0
	for i := range a.held {
		if a.held[i].reply {
			continue
		}
		out.Examples++
		if !a.held[i].right() {
			wrong++
		}
	}
	out.Error = measure.Share(wrong, out.Examples)
	var err error
	if out.Carriers, err = a.carriers(ctx); err != nil {
		return nil, err
	}
	l, err := a.learn(ctx)
	if err != nil {
		return nil, err
	}
	out.Forecast, out.Unknown = l.forecast()
	out.Needy = a.needy(l, out.Forecast)
	return out, nil
}

// leaveOut classifies every row by a model of all other folds.
func (a *adviser) leaveOut(ctx context.Context) (err error) {
	a.held, err = a.pass(ctx, func(int, int) bool { return true })
	return err
}

// pass classifies every row by a model of the rows of the other folds that keep reports.
func (a *adviser) pass(ctx context.Context, keep func(row, fold int) bool) ([]prediction, error) {
	out := make([]prediction, len(a.corpus.rows))
	for fold := range a.k {
		j, err := train(a.corpus.agent(func(i int) bool { return a.folds[i] != fold && keep(i, fold) }), a.Options)
		if err != nil {
			return nil, err
		}
		which := held(a.folds, fold)
		got, err := j.predict(ctx, a.corpus.pick(which), false)
		if err != nil {
			return nil, err
		}
		for i, p := range got {
			p.fold, p.reply = fold, a.corpus.rows[which[i]].Asked != ""
			out[which[i]] = p
		}
		a.Step()
	}
	return out, nil
}

// uncalibrated returns options that train without calibration. Held-out confidences need none, and
// training then takes a quarter of the time.
func uncalibrated(learn *cascade.Options) *cascade.Options {
	var how cascade.Options
	if learn != nil {
		how = *learn
	}
	var intents linear.Options
	if how.Linear != nil {
		intents = *how.Linear
	}
	intents.Uncalibrate = true
	how.Linear, how.Cache = &intents, nil
	return &how
}
