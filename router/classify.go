package router

import (
	"context"
	"fmt"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/utterance"
	"github.com/slotway/slotway/planner"
	"github.com/slotway/slotway/router/telemetry"
)

// classify finds out what the message may mean, and reads it into the plan's state. What a
// program means it says itself.
func classify(ctx context.Context, t *turn) (string, error) {
	if t.meant != nil {
		return t.take(t.meant.result, t.meant.heard), nil
	}
	result, err := t.parts.Classifier.Classify(ctx, t.question())
	if err != nil {
		return "", fmt.Errorf("classify: %w", err)
	}
	return t.take(result, heard(utterance.Normalise(t.in.Text), result)), nil
}

// take reads what was heard into the plan's state.
func (t *turn) take(result classifier.Result, h planner.Heard) (event string) {
	t.account = planner.Read(t.def(), t.plan, h)
	t.emit(telemetry.StageClassify, describe(result, t.account))
	t.reply.Confidence, t.reply.Intent = result.Confidence, t.account.Intent
	for _, left := range t.account.Unheard {
		t.reply.Unheard = append(t.reply.Unheard, Unheard{Text: left.Text, Told: left.Told, Param: left.Param})
	}
	return evPlan
}

// question is the message with what the conversation is about.
func (t *turn) question() classifier.Input {
	in := classifier.Input{Text: utterance.Normalise(t.in.Text), Now: t.now, Params: t.plan.Heard()}
	in.Held = func(ctx context.Context) (map[string]any, error) { return t.secrets(ctx, nil) }
	if t.plan.Active != nil {
		in.Active = t.plan.Active.Intent
		in.Filled = t.plan.Filled(t.def())
	}
	q := t.plan.Open
	if q == nil {
		return in
	}
	switch q.Kind {
	case planner.AskConfirm, planner.AskHandoff, planner.AskChange, planner.AskResumeOne, planner.AskCorrect:
		in.Confirming = true
	}
	if q.Param != "" || len(q.Options) > 0 {
		in.Asked = &classifier.Asked{Param: q.Param}
		for _, o := range q.Options {
			in.Asked.Options = append(in.Asked.Options, classifier.Option{Value: o.Value, Label: o.Label})
		}
	}
	return in
}

// heard hands the classifier's result over to the planner.
func heard(text string, res classifier.Result) planner.Heard {
	h := planner.Heard{Text: text, Intent: res.Intent, Confidence: res.Confidence, Exact: res.Exact, Lead: res.Lead.Intent, LeadEnd: res.Lead.End, Swap: res.Swap}
	for _, s := range res.Ranking {
		h.Ranking = append(h.Ranking, planner.Score(s))
	}
	for _, p := range res.Parts {
		h.Parts = append(h.Parts, planner.Part(p))
	}
	for _, v := range res.Params {
		h.Values = append(h.Values, valueOf(v))
	}
	for _, v := range res.Wrong {
		h.Wrong = append(h.Wrong, valueOf(v))
	}
	for _, c := range res.Clauses {
		h.Clauses = append(h.Clauses, clauseOf(c))
	}
	return h
}

// valueOf hands one value over.
func valueOf(v classifier.Value) planner.Value {
	return planner.Value{
		Param: v.Param, Value: v.Value, Text: v.Text, Start: v.Start, End: v.End,
		Source: v.Source, Confidence: v.Confidence, Cues: planner.Cues(v.Cues), Wrong: v.Wrong,
	}
}

// clauseOf hands one clause over.
func clauseOf(c classifier.Clause) planner.Clause {
	out := planner.Clause{Start: c.Start, End: c.End, Join: c.Join, Mark: c.Mark, Acts: planner.Acts(c.Acts), Stock: c.Stock}
	for _, s := range c.Ranking {
		out.Ranking = append(out.Ranking, planner.Score(s))
	}
	return out
}

// describe tells telemetry what was understood and how it was taken: names, scores and places,
// no texts.
func describe(res classifier.Result, how planner.Account) telemetry.Classify {
	p := telemetry.Classify{Intent: res.Intent, Confidence: res.Confidence, Exact: res.Exact, Lead: res.Lead.Intent, Tier: res.Tier, Fallback: string(res.Fallback)}
	for _, s := range res.Ranking {
		p.Ranking = append(p.Ranking, telemetry.Ranked(s))
	}
	for _, v := range res.Params {
		p.Params = append(p.Params, telemetry.FoundParam{Param: v.Param, Source: v.Source, Start: v.Start, End: v.End})
	}
	p.Chosen, p.RunnersUp, p.Unheard = weighed(how.Chosen), weighed(how.Others), len(how.Unheard)
	return p
}

func weighed(list []planner.Weighed) []telemetry.Reading {
	var out []telemetry.Reading
	for _, w := range list {
		r := telemetry.Reading{Rule: w.Rule, Intent: w.Intent, Score: w.Score, Evidence: w.Evidence, Share: w.Share}
		for _, s := range w.Spans {
			r.Spans = append(r.Spans, telemetry.Stretch{Start: s[0], End: s[1]})
		}
		out = append(out, r)
	}
	return out
}
