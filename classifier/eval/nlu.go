package eval

import (
	"cmp"
	"context"

	"github.com/slotway/slotway/config"
)

// calibrationMessages is how many held-out messages a threshold rests on: at a loss of
// half a point, 15 of them decide.
const calibrationMessages = 3000

// Split trains on train and measures on test. Rows of train that are OutOfScope are left
// out; with such rows in test, thresholds are calibrated on folds of train.
func Split(ctx context.Context, train, test []Row, opts *Options) (*Figures, error) {
	o := opts.withDefaults()
	train = inScope(train)
	if len(train) == 0 {
		return nil, ErrNoRows
	}
	c := corpusOf(train, !o.IntentsOnly)
	r := &run{Options: &o, corpus: c}
	scope := len(inScope(test)) < len(test)
	k, rounds := 0, 0
	if scope {
		k, rounds = calibrationFolds(len(train), o.Folds)
	}
	o.Begin(rounds + 2)
	f := &Figures{}
	j, err := r.first(f, c.agent(func(int) bool { return true }))
	if err != nil {
		return nil, err
	}
	all, err := j.predict(ctx, test, c.params)
	if err != nil {
		return nil, err
	}
	f.judgeAll(all, c.threshold)
	if err := r.time(ctx, f, j, test); err != nil {
		return nil, err
	}
	if scope {
		held, err := r.calibrate(ctx, k, rounds)
		if err != nil {
			return nil, err
		}
		f.OOS = scopes(all, held)
	}
	return f, nil
}

// Folds measures rows by cross-validation: each is classified by a model that was trained
// without its fold. Rows that are OutOfScope are dealt out too, and never trained on.
// Times are of the first fold's model, on the messages of that fold.
func Folds(ctx context.Context, rows []Row, opts *Options) (*Figures, error) {
	o := opts.withDefaults()
	return crossValidate(ctx, corpusOf(rows, !o.IntentsOnly), &o)
}

// Agent measures the examples of an agent's tasks and answers by cross-validation, with
// the agent's own types, system intents and threshold. Examples that reply to a question
// are judged by their spans alone.
func Agent(ctx context.Context, agent *config.Agent, opts *Options) (*Figures, error) {
	o := opts.withDefaults()
	return crossValidate(ctx, corpusOfAgent(agent), &o)
}

func crossValidate(ctx context.Context, c *corpus, o *Options) (*Figures, error) {
	k := cmp.Or(o.Folds, defaultFolds)
	folds, err := c.folds(k)
	if err != nil {
		return nil, err
	}
	r := &run{Options: o, corpus: c}
	o.Begin(k + 1)
	f := &Figures{Folds: k}
	all := make([]prediction, len(c.rows))
	examples := 0
	for fold := range k {
		agent := c.without(folds, fold)
		examples += size(agent)
		which := held(folds, fold)
		test := c.pick(which)
		j, err := r.first(f, agent)
		if err != nil {
			return nil, err
		}
		got, err := j.predict(ctx, test, c.params)
		if err != nil {
			return nil, err
		}
		for i, p := range got {
			p.fold = fold
			all[which[i]] = p
		}
		if fold == 0 {
			if err := r.time(ctx, f, j, test); err != nil {
				return nil, err
			}
		}
	}
	f.Examples = examples / k
	f.judgeAll(all, c.threshold)
	if f.OutOfScope > 0 {
		f.OOS = crossScopes(all, k)
	}
	return f, nil
}

// run is one measurement under way.
type run struct {
	*Options
	corpus  *corpus
	trained bool // a model
}

// first trains an agent and, if it is the first, notes what it was and what it cost.
func (r *run) first(f *Figures, agent *config.Agent) (*judge, error) {
	before := r.CPU()
	j, err := train(agent, r.Options)
	if err != nil {
		return nil, err
	}
	if !r.trained {
		r.trained = true
		f.TrainCPU, f.Examples, f.Labels = (r.CPU() - before).Seconds(), size(agent), labels(agent)
	}
	r.Step()
	return j, nil
}

func (r *run) time(ctx context.Context, f *Figures, j *judge, rows []Row) error {
	if err := f.time(ctx, j, rows, r.corpus.params); err != nil {
		return err
	}
	r.Step()
	return nil
}

// calibrationFolds says into how many folds n training rows are dealt, and how many of
// those are held out in turn: all that were asked for, else as many as it takes.
func calibrationFolds(n, asked int) (k, rounds int) {
	k = min(cmp.Or(asked, defaultFolds), n)
	if asked > 0 {
		return k, k
	}
	return k, min(k, (calibrationMessages*k+n-1)/n)
}

// calibrate classifies folds of the training rows, each by a model trained without it.
func (r *run) calibrate(ctx context.Context, k, rounds int) ([]prediction, error) {
	folds, err := r.corpus.folds(k)
	if err != nil {
		return nil, err
	}
	var all []prediction
	for fold := range rounds {
		j, err := train(r.corpus.without(folds, fold), r.Options)
		if err != nil {
			return nil, err
		}
		got, err := j.predict(ctx, r.corpus.pick(held(folds, fold)), r.corpus.params)
		if err != nil {
			return nil, err
		}
		all = append(all, got...)
		r.Step()
	}
	return all, nil
}
