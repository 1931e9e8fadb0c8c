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
	if t.handled {
		return t.interpret(classifier.Result{}, planner.Understanding{Text: t.in.Text, Handled: true}), nil
	}
	if t.structured != nil {
		return t.interpret(t.structured.result, t.structured.understanding), nil
	}
	result, err := t.version.Classifier.Classify(ctx, t.classifierInput())
	if err != nil {
		return "", fmt.Errorf("classify: %w", err)
	}
	return t.interpret(result, understandingOf(utterance.Normalise(t.in.Text), result)), nil
}

// take reads what was heard into the plan's state.
func (t *turn) interpret(result classifier.Result, h planner.Understanding) (event string) {
	t.interpretation = t.plan.Interpret(h)
	t.emit(telemetry.StageClassify, describe(result, t.interpretation))
	t.reply.Confidence, t.reply.Intent = result.Confidence, t.interpretation.Intent
	if result.Tier == modelTier {
		t.helped()
	}
	for _, left := range t.interpretation.Unheard {
		t.reply.Unheard = append(t.reply.Unheard, Unheard{Text: left.Text, Told: left.Told, Param: left.Param})
	}
	return evPlan
}

// modelTier is the classifier that asks a model server.
const modelTier = "llm"

// helped notes that the model server took part in the turn.
func (t *turn) helped() {
	t.reply.Model, t.reply.Provider = t.r.opts.Model.Model, t.r.opts.Model.Provider
}

// question is the message with what the conversation is about.
func (t *turn) classifierInput() classifier.Input {
	in := classifier.Input{Text: utterance.Normalise(t.in.Text), Now: t.now, Params: t.plan.KnownValues()}
	in.Held = func(ctx context.Context) (map[string]any, error) { return t.secrets(ctx, nil) }
	if t.plan.Active != nil {
		in.Active = t.plan.Active.Intent
		in.Filled = t.plan.Filled(t.def())
	}
	q := t.plan.Open
	if q == nil {
		return in
	}
	in.Confirming = q.TakesYesNo()
	if q.Param != "" || len(q.Options) > 0 {
		in.Asked = &classifier.Asked{Param: q.Param}
		for _, o := range q.Options {
			in.Asked.Options = append(in.Asked.Options, classifier.Option{Value: o.Value, Label: o.Label})
		}
	}
	return in
}

// heard hands the classifier's result over to the planner.
func understandingOf(text string, res classifier.Result) planner.Understanding {
	h := planner.Understanding{Text: text, Intent: res.Intent, Confidence: res.Confidence, Exact: res.Exact, Lead: res.Lead.Intent, LeadEnd: res.Lead.End, Partly: res.Partly, Mended: res.Mended, Swap: res.Swap}
	h.Ranking = each(res.Ranking, scoreOf)
	h.Parts = each(res.Parts, func(p classifier.Part) planner.Part { return planner.Part(p) })
	h.Values, h.Wrong = each(res.Params, valueOf), each(res.Wrong, valueOf)
	h.Clauses = each(res.Clauses, clauseOf)
	return h
}

// each hands a list over, nil where it is empty.
func each[A, B any](list []A, of func(A) B) []B {
	if len(list) == 0 {
		return nil
	}
	out := make([]B, len(list))
	for i, x := range list {
		out[i] = of(x)
	}
	return out
}

func scoreOf(s classifier.Score) planner.Score { return planner.Score(s) }

// valueOf hands one value over.
func valueOf(v classifier.Value) planner.Value {
	return planner.Value{
		Param: v.Param, Value: v.Value, Text: v.Text, Start: v.Start, End: v.End,
		Source: v.Source, Confidence: v.Confidence, Cues: planner.Cues(v.Cues), Wrong: v.Wrong,
	}
}

// clauseOf hands one clause over.
func clauseOf(c classifier.Clause) planner.Clause {
	return planner.Clause{
		Start: c.Start, End: c.End, Join: c.Join, Mark: c.Mark, Acts: planner.Acts(c.Acts), Stock: c.Stock, Ranking: each(c.Ranking, scoreOf),
	}
}

// describe tells telemetry what was understood and how it was taken: names, scores and places,
// no texts.
func describe(res classifier.Result, how planner.Interpretation) telemetry.Classify {
	p := telemetry.Classify{Intent: res.Intent, Confidence: res.Confidence, Exact: res.Exact, Lead: res.Lead.Intent, Tier: res.Tier, Fallback: string(res.Fallback)}
	p.Ranking = each(res.Ranking, func(s classifier.Score) telemetry.Ranked { return telemetry.Ranked(s) })
	p.Params = each(res.Params, func(v classifier.Value) telemetry.FoundParam {
		return telemetry.FoundParam{Param: v.Param, Source: v.Source, Start: v.Start, End: v.End}
	})
	p.Chosen, p.RunnersUp, p.Unheard = weighed(how.Chosen), weighed(how.RunnersUp), len(how.Unheard)
	return p
}

func weighed(list []planner.ScoredReading) []telemetry.Reading {
	return each(list, func(w planner.ScoredReading) telemetry.Reading {
		return telemetry.Reading{
			Rule: w.Rule, Intent: w.Intent, Score: w.Score, Evidence: w.Evidence, Share: w.Share,
			Spans: each(w.Spans, func(s [2]int) telemetry.Span { return telemetry.Span{Start: s[0], End: s[1]} }),
		}
	})
}
