package main

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/cascade"
	"github.com/slotway/slotway/classifier/eval"
	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/scripts/lab/measure"
)

// nearTrial is one drawn agent.
type nearTrial struct {
	*nearRun
	agent *config.Agent
	c     *cascade.Classifier
	kind  map[string]*refusals // by label; nil: the agent serves it
}

// try lets the agent take one message. kind counts what is not served; nil: it is served.
func (t *nearTrial) try(ctx context.Context, r *eval.Row, kind *refusals) error {
	took, err := t.Take(ctx, t.agent, t.c, r.Text)
	if err != nil {
		return fmt.Errorf("take %s: %w", r.Pos, err)
	}
	in := t.agent.Intent(took.Intent)
	acted := in != nil && !in.System && !in.NotServed
	best, sure, err := t.rank(ctx, r)
	if err != nil {
		return err
	}
	sure = sure && !t.agent.Intent(best.Intent).NotServed
	if kind != nil {
		kind.n++
		if sure {
			kind.ranked++
		}
		switch {
		case acted:
			kind.acted++
		case in != nil && in.NotServed:
			kind.answered++
		case len(took.Offered) > 0:
			kind.offered++
		}
		return nil
	}
	want := drawnID(r.Intent)
	t.served++
	switch {
	case acted && in.ID == want:
		t.right++
	case acted:
		t.wrong++
	case len(took.Offered) > 0:
		t.offered++
		if slices.Contains(took.Offered, want) {
			t.offeredIt++
		}
	}
	t.guess(best, sure, want)
	return nil
}

// rank gives the best task of a message, and whether its confidence and its distance to the
// next suffice to act.
func (t *nearTrial) rank(ctx context.Context, r *eval.Row) (first message.Score, sure bool, err error) {
	res, err := t.c.Classify(ctx, classifier.Input{Text: r.Text, Now: measure.Now})
	if err != nil {
		return first, false, fmt.Errorf("classify %s: %w", r.Pos, err)
	}
	best, second := firstTwo(t.agent, res.Ranking)
	return best, best.Intent != "" && suffices(t.agent.Classifier, best, second), nil
}

// guess notes the best task of a served message and how sure the classifier says it is.
func (t *nearTrial) guess(best message.Score, sure bool, want string) {
	bin := &t.bins[min(int(best.Confidence*buckets), buckets-1)]
	bin.n++
	bin.said += best.Confidence
	right := best.Intent == want
	if right {
		bin.right++
		t.first++
	}
	switch {
	case sure && right:
		t.rankedRight++
	case sure:
		t.rankedWrong++
	}
}

// figures turns counts into shares.
func (n *nearRun) figures() *nearFigures {
	f := &nearFigures{
		Agents: n.Draws, Messages: n.served,
		Rightly: measure.Share(n.right, n.served), Wrongly: measure.Share(n.wrong, n.served), FirstGuess: measure.Share(n.first, n.served),
		RankedRightly: measure.Share(n.rankedRight, n.served), RankedWrongly: measure.Share(n.rankedWrong, n.served),
		Offered: measure.Share(n.offered, n.served), OfferedRight: measure.Share(n.offeredIt, n.offered),
		Near: n.near.shares(), Listed: n.listed.shares(), Far: n.far.shares(),
	}
	off, all := 0.0, 0
	for _, b := range n.bins {
		all += b.n
		off += math.Abs(b.said - float64(b.right))
		f.Buckets = append(f.Buckets, bucket{Messages: b.n, Said: b.said / float64(max(b.n, 1)), Right: measure.Share(b.right, b.n)})
	}
	f.ECE = off / float64(max(all, 1))
	return f
}

func (r refusals) shares() *refused {
	if r.n == 0 {
		return nil
	}
	return &refused{Messages: r.n, Acted: measure.Share(r.acted, r.n), Ranked: measure.Share(r.ranked, r.n), Offered: measure.Share(r.offered, r.n), Answered: measure.Share(r.answered, r.n)}
}
