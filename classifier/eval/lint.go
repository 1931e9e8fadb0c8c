package eval

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/slotway/slotway/classifier/cascade"
	"github.com/slotway/slotway/classifier/linear"
	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/source"
)

// LintLimit is how many examples Lint looks at: cross-validating more takes too long for
// a check. [Agent] has no limit.
const LintLimit = 2500

// Bounds of the lints. A few examples that stray are the rule, not a doubt.
const (
	lintFolds = 10

	// LintTrainings is how many classifiers Lint and LintAnnotations train at most.
	LintTrainings = lintFolds + 1

	lintLeast     = 4   // examples below which an intent cannot spare one; config warns of those
	lintConfident = 0.9 // confidence at which an example is claimed by another intent
	overlapCount  = 4   // examples that two intents take from each other
	overlapShare  = 0.2 // and their share of the examples of both
	overlapShown  = 12  // lines that are named
)

// Lint cross-validates an agent's examples and returns what its author should know: two
// intents that are taken for each other, and examples that another intent claims with
// confidence when they are left out. All are warnings, by place. An agent of fewer than
// two intents, or of more than LintLimit examples, has none; ok says whether the examples
// were looked at. learn is how the classifier is trained otherwise; nil: by its defaults.
func Lint(ctx context.Context, agent *config.Agent, learn *cascade.Options) (problems source.Problems, ok bool, err error) {
	c := corpusOfAgent(agent)
	c.params, c.single = false, true // spans are another matter, and it is single examples that are named
	k := min(lintFolds, len(c.rows))
	if Unexamined(agent) != "" {
		return nil, false, nil
	}
	folds, err := c.folds(k)
	if err != nil {
		return nil, false, err
	}
	o := &Options{Cascade: uncalibrated(learn)}
	all := make([]prediction, len(c.rows))
	for fold := range k {
		j, err := train(c.without(folds, fold), o)
		if err != nil {
			return nil, false, err
		}
		which := held(folds, fold)
		got, err := j.predict(ctx, c.pick(which), false)
		if err != nil {
			return nil, false, err
		}
		for i, p := range got {
			p.reply = c.rows[which[i]].Asked != ""
			all[which[i]] = p
		}
	}
	judged := func(in *config.Intent) bool { return in.After == nil && len(in.Examples) >= lintLeast } // one with `after` has its own turns
	astray := slices.DeleteFunc(all, func(p prediction) bool {
		return p.right() || p.reply || p.got == "" || !judged(agent.Intent(p.want))
	})
	overlap, told := overlaps(agent, astray)
	astray = slices.DeleteFunc(astray, func(p prediction) bool { return told[pairOf(p)] })
	return append(overlap, claimed(astray)...), true, nil
}

// Unexamined says why Lint does not look at an agent's examples; "" if it does.
func Unexamined(agent *config.Agent) string {
	switch n := len(corpusOfAgent(agent).rows); {
	case len(agent.Intents) < 2:
		return "there is no second intent that could claim an example"
	case n < 2:
		return "there are fewer than two examples"
	case n > LintLimit:
		return fmt.Sprintf("there are %d examples, and at most %d are cross-validated; run slotway eval nlu", n, LintLimit)
	}
	return ""
}

// pairOf is the two intents of a mistake, in alphabetical order.
func pairOf(p prediction) [2]string { return [2]string{min(p.want, p.got), max(p.want, p.got)} }

// overlaps names pairs of intents that share what their examples say, and returns those
// it named.
func overlaps(agent *config.Agent, astray []prediction) (source.Problems, map[[2]string]bool) {
	by := map[[2]string][]prediction{}
	for _, p := range astray {
		by[pairOf(p)] = append(by[pairOf(p)], p)
	}
	count, order := map[string]int{}, map[string]int{}
	for n, in := range agent.Intents {
		order[in.ID] = n
		count[in.ID] = len(slices.DeleteFunc(slices.Clone(in.Examples), func(e config.Example) bool { return e.Asked != "" }))
	}
	var out source.Problems
	told := map[[2]string]bool{}
	for _, pair := range slices.SortedFunc(maps.Keys(by), func(x, y [2]string) int { return slices.Compare(x[:], y[:]) }) {
		first, second := pair[0], pair[1]
		if count[first] == 0 || count[second] == 0 {
			continue // a system intent's own examples are not judged
		}
		if order[second] < order[first] {
			first, second = second, first
		}
		taken, of := by[pair], count[first]+count[second]
		if len(taken) < overlapCount || float64(len(taken)) < overlapShare*float64(of) {
			continue
		}
		told[pair] = true
		out = append(out, source.Problem{
			Code: source.ExampleOverlap, Pos: agent.Intent(second).Pos, Severity: source.SeverityWarning,
			Message: fmt.Sprintf("intents %q and %q overlap: %d of their %d examples are taken for the other when left out (%s)", first, second, len(taken), of, places(taken)),
			Hint:    "word their examples apart, or merge them and ask which is meant",
		})
	}
	return out, told
}

// places lists the lines of examples, with the file where they are of several.
func places(ps []prediction) string {
	var out []string
	file := ps[0].pos.File
	same := !slices.ContainsFunc(ps, func(p prediction) bool { return p.pos.File != file })
	for i, p := range ps {
		if i == overlapShown {
			out = append(out, "...")
			break
		}
		if same {
			out = append(out, fmt.Sprint(p.pos.Line))
		} else {
			out = append(out, fmt.Sprintf("%s:%d", p.pos.File, p.pos.Line))
		}
	}
	if same {
		return "lines " + strings.Join(out, ", ")
	}
	return strings.Join(out, ", ")
}

// claimed names examples that another intent claims with confidence.
func claimed(astray []prediction) source.Problems {
	var out source.Problems
	for _, p := range astray {
		if p.confidence < lintConfident {
			continue
		}
		out = append(out, source.Problem{
			Code: source.ExampleClaimed, Pos: p.pos, Severity: source.SeverityWarning,
			Message: fmt.Sprintf("example %q of intent %q is taken for %q (%.2f) when it is left out", p.text, p.want, p.got, p.confidence),
			Hint:    fmt.Sprintf("give %q more examples that say it this way, or move it", p.want),
		})
	}
	return out
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
