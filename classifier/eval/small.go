package eval

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/eval/internal/measure"
	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
)

// smallMessages is the number of messages of each intent that a small agent gets.
const smallMessages = 6

// SmallFigures say what many small agents do with messages that they were not made from.
// Shares are in [0,1] of the messages of their kind.
type SmallFigures struct {
	Agents int          `json:"agents"`
	Shots  int          `json:"shots"`  // examples of an intent
	Served SmallOutcome `json:"served"` // messages of the agent's own intents
	Near   SmallOutcome `json:"near"`   // messages of the file's other intents
	Far    SmallOutcome `json:"far"`    // messages labelled OutOfScope
}

// SmallOutcome counts the outcomes of messages. A message that is neither acted on nor offered is
// refused.
type SmallOutcome struct {
	Messages int     `json:"messages"`
	Right    float64 `json:"right"`   // the right task is begun
	Wrong    float64 `json:"wrong"`   // another task is begun
	System   float64 `json:"system"`  // a system intent is taken
	Offered  float64 `json:"offered"` // the two best are offered
	Helped   float64 `json:"helped"`  // of those offered, the right one is among them
	First    float64 `json:"first"`   // the best task is the right one, whatever comes of it

	right, wrong, system, offered, helped, first int
}

// Small draws agents as Near does and asks each about messages of test: its own, as many of
// the other intents, and as many out of scope. It is the classifier alone that answers, to
// messages with Options.Noise. Options.Shots says how many examples an intent has; default 8.
// The draws are of Options.Noise.Seed.
func Small(ctx context.Context, examples, test []Row, agents int, opts *Options) (*SmallFigures, error) {
	o := opts.withDefaults()
	f := &SmallFigures{Agents: agents, Shots: o.Shots}
	if f.Shots <= 0 {
		f.Shots = fewExamples
	}
	asked := map[string]bool{}
	for _, r := range test {
		asked[r.Intent] = true
	}
	d := drawing{least: leastTasks, most: mostTasks, examples: f.Shots}
	if err := d.from(examples, func(intent string) bool { return asked[intent] }); err != nil {
		return nil, err
	}
	o.Begin(agents)
	for i := range agents {
		rng := rand.New(rand.NewPCG(o.Noise.Seed, uint64(i)))
		a, err := d.next(rng)
		if err != nil {
			return nil, err
		}
		j, err := train(a.agent, &o)
		if err != nil {
			return nil, err
		}
		if err := f.ask(ctx, j, a.agent, smallTest(test, a.tasks, o.Noise, rng)); err != nil {
			return nil, err
		}
		o.Step()
	}
	for _, s := range []*SmallOutcome{&f.Served, &f.Near, &f.Far} {
		s.shares()
	}
	return f, nil
}

// smallTest draws messages: some of each of the agent's intents, as many of others, and as
// many out of scope as there are.
func smallTest(test []Row, own []string, noise Noise, rng *rand.Rand) []Row {
	var near, far, out []Row
	served := map[string][]Row{}
	for _, r := range test {
		switch {
		case r.Intent == OutOfScope:
			far = append(far, r)
		case slices.Contains(own, r.Intent):
			served[r.Intent] = append(served[r.Intent], r)
		default:
			near = append(near, r)
		}
	}
	for _, intent := range own {
		out = append(out, draw(served[intent], smallMessages, rng)...)
	}
	n := len(out)
	out = append(out, draw(near, n, rng)...)
	return noise.On(append(out, draw(far, n, rng)...))
}

// ask tells an agent messages and counts what it does with them.
func (f *SmallFigures) ask(ctx context.Context, j *judge, a *config.Agent, rows []Row) error {
	for i := range rows {
		r, err := j.classifier.Classify(ctx, classifier.Input{Text: rows[i].Text, Now: measure.Now})
		if err != nil {
			return fmt.Errorf("classify %s: %w", rows[i].Pos, err)
		}
		s := &f.Near
		switch {
		case rows[i].Intent == OutOfScope:
			s = &f.Far
		case a.Intent(drawnID(rows[i].Intent)) != nil:
			s = &f.Served
		}
		s.count(a, &r, drawnID(rows[i].Intent))
	}
	return nil
}

// count judges one result as the dialogue takes it: tasks by themselves, the whole message
// first, then its surest clause.
func (s *SmallOutcome) count(a *config.Agent, r *message.Result, want string) {
	s.Messages++
	policy := a.Classifier
	best, second := firstTwo(a, r.Ranking)
	if best.Intent == want {
		s.first++
	}
	top := a.Intent(r.Intent)
	switch {
	case top != nil && top.System && (r.Exact || r.Confidence >= policy.Threshold):
		s.system++
	case r.Exact || suffices(policy, best, second):
		if best.Intent == want {
			s.right++
		} else {
			s.wrong++
		}
	case best.Confidence >= policy.Reject:
		s.offered++
		if best.Intent == want || second.Intent == want {
			s.helped++
		}
	}
}

// Refused is the share of what is neither acted on nor offered.
func (s *SmallOutcome) Refused() float64 { return max(0, 1-s.Right-s.Wrong-s.System-s.Offered) }

func (s *SmallOutcome) shares() {
	s.Right, s.Wrong, s.System = measure.Share(s.right, s.Messages), measure.Share(s.wrong, s.Messages), measure.Share(s.system, s.Messages)
	s.Offered, s.Helped, s.First = measure.Share(s.offered, s.Messages), measure.Share(s.helped, s.offered), measure.Share(s.first, s.Messages)
}
