package eval

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/config"
)

// ErrFewIntents is returned by Small for files with too few intents to draw agents from.
var ErrFewIntents = errors.New("too few intents with examples and messages to draw small agents from")

// What a small agent is: what somebody writes in the first hour.
const (
	smallLeast, smallMost = 6, 10 // intents
	smallShots            = 8     // examples of each
	smallMessages         = 6     // messages of each intent that it is asked about
)

// SmallFigures say what many small agents do with messages that they were not made from.
// Shares are in [0,1] of the messages of their kind.
type SmallFigures struct {
	Agents int          `json:"agents"`
	Shots  int          `json:"shots"`  // examples of an intent
	Served SmallOutcome `json:"served"` // messages of the agent's own intents
	Near   SmallOutcome `json:"near"`   // messages of the file's other intents
	Far    SmallOutcome `json:"far"`    // messages labelled OutOfScope
}

// SmallOutcome is what became of messages. What is neither acted on nor offered is refused.
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

// Small draws agents, of 6 to 10 intents each with the system intents and the policy that an
// agent has by default, from the intents of train, and asks each about messages of test: its
// own, those of the other intents, and those out of scope. Options.Shots says how many
// examples an intent has; default 8. The draws are of Options.Noise.Seed.
func Small(ctx context.Context, examples, test []Row, agents int, opts *Options) (*SmallFigures, error) {
	o := opts.withDefaults()
	base, err := config.Default()
	if err != nil {
		return nil, fmt.Errorf("read the default agent: %w", err)
	}
	f := &SmallFigures{Agents: agents, Shots: o.Shots}
	if f.Shots <= 0 {
		f.Shots = smallShots
	}
	names := smallIntents(examples, test)
	if len(names) <= smallMost {
		return nil, ErrFewIntents
	}
	o.Begin(agents)
	rng := rand.New(rand.NewPCG(o.Noise.Seed, uint64(len(names))))
	for range agents {
		own := draw(slices.Clone(names), smallLeast+rng.IntN(smallMost-smallLeast+1), rng)
		a := smallAgent(base, examples, own, f.Shots, rng)
		j, err := train(a, &o)
		if err != nil {
			return nil, err
		}
		if err := f.ask(ctx, j, a, smallTest(test, own, o.Noise, rng)); err != nil {
			return nil, err
		}
		o.Step()
	}
	for _, s := range []*SmallOutcome{&f.Served, &f.Near, &f.Far} {
		s.shares()
	}
	return f, nil
}

// smallIntents are the intents that both files have.
func smallIntents(train, test []Row) []string {
	has := map[string]bool{}
	for _, r := range train {
		has[r.Intent] = true
	}
	var names []string
	for _, r := range test {
		if has[r.Intent] && r.Intent != OutOfScope {
			names = append(names, r.Intent)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// smallAgent is an agent of some intents, as an author begins one.
func smallAgent(base *config.Agent, train []Row, own []string, shots int, rng *rand.Rand) *config.Agent {
	rows := slices.DeleteFunc(slices.Clone(train), func(r Row) bool { return !slices.Contains(own, r.Intent) })
	a := AgentOf(Shots(rows, shots, rng.Uint64()), false)
	a.System, a.Classifier = base.System, base.Classifier
	a.Classifier.Fallback = ""
	return a
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
		r, err := j.classifier.Classify(ctx, classifier.Input{Text: rows[i].Text, Now: now})
		if err != nil {
			return fmt.Errorf("classify %s: %w", rows[i].Pos, err)
		}
		s := &f.Near
		switch {
		case rows[i].Intent == OutOfScope:
			s = &f.Far
		case a.Intent(rows[i].Intent) != nil:
			s = &f.Served
		}
		s.count(a, &r, rows[i].Intent)
	}
	return nil
}

// count judges one result as the dialogue takes it: tasks by themselves, the whole message
// first, then its surest clause.
func (s *SmallOutcome) count(a *config.Agent, r *classifier.Result, want string) {
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
	case r.Exact || best.Confidence >= policy.Threshold && best.Confidence-second.Confidence >= policy.Ambiguity:
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

// firstTwo are the best tasks of a ranking.
func firstTwo(a *config.Agent, ranking []classifier.Score) (best, second classifier.Score) {
	tasks := slices.DeleteFunc(slices.Clone(ranking), func(s classifier.Score) bool {
		in := a.Intent(s.Intent)
		return in == nil || in.System
	})
	tasks = append(tasks, classifier.Score{}, classifier.Score{})
	return tasks[0], tasks[1]
}

// Refused is the share of what is neither acted on nor offered.
func (s *SmallOutcome) Refused() float64 { return max(0, 1-s.Right-s.Wrong-s.System-s.Offered) }

func (s *SmallOutcome) shares() {
	s.Right, s.Wrong, s.System = share(s.right, s.Messages), share(s.wrong, s.Messages), share(s.system, s.Messages)
	s.Offered, s.Helped, s.First = share(s.offered, s.Messages), share(s.helped, s.offered), share(s.first, s.Messages)
}
