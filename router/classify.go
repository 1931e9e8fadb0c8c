package router

import (
	"context"
	"fmt"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/planner"
	"github.com/slotway/slotway/router/telemetry"
)

// classify asks the classifier what the message may mean, and the planner what it is taken for. It
// does not ask the classifier about a structured input or about a message that was handled before.
func classify(ctx context.Context, t *turn) (string, error) {
	if t.handled {
		return t.interpret(message.Result{}, planner.Understanding{Text: t.in.Text, Handled: true}), nil
	}
	if t.structured != nil {
		return t.interpret(t.structured.result, t.structured.understanding), nil
	}
	result, err := t.version.Classifier.Classify(ctx, t.classifierInput())
	if err != nil {
		return "", fmt.Errorf("classify: %w", err)
	}
	return t.interpret(result, understandingOf(t.in.Text, result)), nil
}

// interpret gives the result to the planner.
func (t *turn) interpret(result message.Result, h planner.Understanding) (event string) {
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

// modelTier is the name of the classifier that asks a model server.
const modelTier = "llm"

// helped names the model in the reply.
func (t *turn) helped() {
	t.reply.Model, t.reply.Provider = t.r.opts.Model.Model, t.r.opts.Model.Provider
}

// classifierInput returns the message with its context in the conversation.
func (t *turn) classifierInput() classifier.Input {
	in := classifier.Input{Text: t.in.Text, Now: t.now, Params: t.plan.KnownValues(), Ended: t.plan.JustEnded}
	in.Held = func(ctx context.Context) (map[string]any, error) { return t.secrets(ctx, nil) }
	if t.plan.Active != nil {
		in.Active = t.plan.Active.Intent
		in.Filled = t.plan.Filled(t.def())
	}
	in.Said, in.Finished = t.session.Said(), t.plan.Finished()
	q := t.plan.Open
	if q == nil {
		return in
	}
	in.Offered = q.Offers()
	in.Confirming = q.TakesYesNo()
	if q.Param != "" || len(q.Options) > 0 {
		in.Asked = &classifier.Asked{Param: q.Param}
		for _, o := range q.Options {
			in.Asked.Options = append(in.Asked.Options, classifier.Option{Value: o.Value, Label: o.Label})
		}
	}
	return in
}

// understandingOf converts the classifier's result for the planner.
func understandingOf(text string, res message.Result) planner.Understanding {
	h := planner.Understanding{Text: text, Intent: res.Intent, Confidence: res.Confidence, Exact: res.Exact, Lead: res.Lead.Intent, LeadEnd: res.Lead.End, Partly: res.Partly, Mended: res.Mended, Swap: res.Swap}
	h.Hear = res.Hear
	h.Ranking, h.Clauses, h.Values, h.Wrong = res.Ranking, res.Clauses, res.Params, res.Wrong
	return h
}

// each converts a list; nil if it is empty.
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

// describe returns the telemetry of a classification and its interpretation: names, scores and
// offsets, no texts.
func describe(res message.Result, how planner.Interpretation) telemetry.Classify {
	p := telemetry.Classify{Intent: res.Intent, Confidence: res.Confidence, Exact: res.Exact, Lead: res.Lead.Intent, Tier: res.Tier, Fallback: string(res.Fallback)}
	p.Ranking = each(res.Ranking, func(s message.Score) telemetry.Ranked { return telemetry.Ranked(s) })
	p.Params = each(res.Params, func(v message.Value) telemetry.FoundParam {
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
