package main

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/cascade"
	"github.com/slotway/slotway/classifier/eval"
	"github.com/slotway/slotway/config"
)

// taken is how an agent takes a first message.
type taken struct {
	Intent  string   // the task that it begins, or the answer that it gives; "": none
	Offered []string // the tasks that it asks about instead
}

// nearOptions says what near draws; the zero value but for Take is right.
type nearOptions struct {
	Draws    int              // agents; default 100
	Least    int              // intents of an agent, at least and at most; default 6
	Most     int              // default 10
	Examples int              // of each; default 8
	Listed   int              // intents of the file that the agent lists as not served, as many examples of each
	Messages int              // that the agent does not serve, of each kind, for one agent; default 200
	Seed     uint64           // of the drawing; default 1
	Cascade  *cascade.Options // of every classifier that is trained
	Step     func()           // told after each agent; nil: nobody

	// Take lets an agent take a first message, the way it is served.
	Take func(context.Context, *config.Agent, classifier.Classifier, string) (taken, error)
}

func (o nearOptions) withDefaults() nearOptions {
	for _, v := range []struct {
		of *int
		is int
	}{{&o.Draws, 100}, {&o.Least, leastTasks}, {&o.Most, mostTasks}, {&o.Examples, fewExamples}, {&o.Messages, 200}} {
		if *v.of <= 0 {
			*v.of = v.is
		}
	}
	if o.Seed == 0 {
		o.Seed = 1
	}
	if o.Step == nil {
		o.Step = func() {}
	}
	return o
}

// nearFigures counts what small agents do with messages that they serve and with others. Shares are
// in [0,1]; a nil share means that there were no such messages.
type nearFigures struct {
	Agents   int `json:"agents"`
	Messages int `json:"messages"` // of what the agents serve

	Rightly      float64 `json:"acted_rightly"`
	Wrongly      float64 `json:"acted_wrongly"`
	Offered      float64 `json:"offered"`       // asked back about one task or more
	OfferedRight float64 `json:"offered_right"` // of those, with the right one among them
	FirstGuess   float64 `json:"first_guess"`   // the best task is the right one, whatever its confidence

	// By the classifier alone: its confidences in tasks, the threshold and the ambiguity.
	RankedRightly float64 `json:"ranked_rightly"`
	RankedWrongly float64 `json:"ranked_wrongly"`

	Near    *refused `json:"near"`    // the other intents of the file
	Listed  *refused `json:"listed"`  // the intents that the agents list as not served
	Far     *refused `json:"far"`     // messages labelled [eval.OutOfScope]
	ECE     float64  `json:"ece"`     // expected calibration error of the best task, on what the agents serve
	Buckets []bucket `json:"buckets"` // that it is made of
}

// refused counts what agents do with messages that they do not serve.
type refused struct {
	Messages int     `json:"messages"`
	Acted    float64 `json:"acted"`    // taken for a task
	Ranked   float64 `json:"ranked"`   // the same by the classifier alone
	Offered  float64 `json:"offered"`  // asked back about
	Answered float64 `json:"answered"` // told that it is not served
}

// bucket is the messages of a tenth of the confidences.
type bucket struct {
	Messages int     `json:"messages"`
	Said     float64 `json:"said"`  // mean confidence
	Right    float64 `json:"right"` // share whose best task is right
}

// buckets of the expected calibration error.
const buckets = 10

// near draws small agents from a file of examples and tries each on messages of another
// file: on those of its own intents, on those of intents that it does not have, and on those
// that are out of scope. What a message leads to is asked of Take, so that it is what a
// person would see.
func near(ctx context.Context, train, test []eval.Row, opts nearOptions) (*nearFigures, error) {
	o := opts.withDefaults()
	n := &nearRun{nearOptions: o, drawing: drawing{least: o.Least, most: o.Most, examples: o.Examples, listed: o.Listed}}
	if err := n.from(train, nil); err != nil {
		return nil, err
	}
	for d := range o.Draws {
		if err := n.trial(ctx, rand.New(rand.NewPCG(o.Seed, uint64(d))), test); err != nil {
			return nil, err
		}
		o.Step()
	}
	return n.figures(), nil
}

// nearRun is one measurement under way.
type nearRun struct {
	nearOptions
	drawing

	served                                  int
	right, wrong, offered, offeredIt, first int
	rankedRight, rankedWrong                int
	near, listed, far                       refusals
	bins                                    [buckets]struct {
		n, right int
		said     float64
	}
}

// refusals counts what refused gives shares of.
type refusals struct{ n, acted, ranked, offered, answered int }

// trial makes one agent and tries it.
func (n *nearRun) trial(ctx context.Context, rng *rand.Rand, test []eval.Row) error {
	d, err := n.next(rng)
	if err != nil {
		return err
	}
	c, err := cascade.New(d.agent, n.Cascade)
	if err != nil {
		return fmt.Errorf("train on %d intents: %w", len(d.tasks), err)
	}
	t := &nearTrial{nearRun: n, agent: d.agent, c: c, kind: map[string]*refusals{}}
	for _, label := range n.names {
		t.kind[label] = &n.near
	}
	for _, label := range d.listed {
		t.kind[label] = &n.listed
	}
	for _, label := range d.tasks {
		t.kind[label] = nil
	}
	t.kind[eval.OutOfScope] = &n.far
	left := map[*refusals]int{&n.near: n.Messages, &n.listed: n.Messages, &n.far: n.Messages}
	for _, i := range rng.Perm(len(test)) {
		r := &test[i]
		kind, known := t.kind[r.Intent]
		if !known || kind != nil && left[kind] == 0 {
			continue
		}
		if kind != nil {
			left[kind]--
		}
		if err := t.try(ctx, r, kind); err != nil {
			return err
		}
	}
	return nil
}
