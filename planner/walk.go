package planner

import (
	"slices"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/expr"
	"github.com/slotway/slotway/config/naming"
	"github.com/slotway/slotway/config/phrase"
)

// kinds has a row for each kind of plan step. The function returns the step to perform, nil if
// there is nothing to do. A `when` block is not a step of its own: walk enters it.
var kinds = map[config.StepKind]func(*planning, *config.Step) Step{
	config.StepAsk:      (*planning).stepAsk,
	config.StepCall:     (*planning).stepCall,
	config.StepChoose:   (*planning).stepChoose,
	config.StepConfirm:  (*planning).stepConfirm,
	config.StepRespond:  (*planning).stepRespond,
	config.StepGenerate: (*planning).stepGenerate,
	config.StepSet:      (*planning).stepSet,
	config.StepHandoff:  (*planning).stepHandoff,
	config.StepRun:      (*planning).stepRun,
	config.StepEnd:      (*planning).stepEnd,
}

// walk finds the first step of the list with something to do.
func (pl *planning) walk(list []*config.Step) Step {
	for _, s := range list {
		if m := pl.frame.Done[s.ID]; m == markDone || m == markWrote || m == markPassed {
			continue
		}
		if s.Kind == config.StepWhen {
			if step := pl.block(s); step != nil {
				return step
			}
			continue
		}
		holds, err := s.When.True(pl.env)
		if err != nil {
			return pl.fault(s, "condition_failed")
		}
		if !holds {
			pl.mark(s.ID, markPassed)
			continue
		}
		if step := kinds[s.Kind](pl, s); step != nil {
			return step
		}
	}
	return nil
}

func (pl *planning) at(s *config.Step) position {
	return position{ID: s.ID, Ends: s.End, marks: pl.marks, badPaths: pl.badPaths(s)}
}

// badPaths returns the paths of a step that lead nowhere in what is known now.
func (pl *planning) badPaths(s *config.Step) []string {
	paths := s.Text.Astray(pl.env)
	if s.Kind == config.StepRespond {
		paths = append(paths, variantOf(pl.st, s.Response, pl.def.Response(s.Response)).Astray(pl.env)...)
	}
	for _, args := range []map[string]expr.Arg{s.With, s.Set} {
		for _, a := range args {
			paths = append(paths, a.Astray(pl.env)...)
		}
	}
	paths = append(paths, s.From.Astray(pl.env)...)
	slices.Sort(paths) // the order of arguments is random
	return paths
}

func (pl *planning) fault(s *config.Step, code string) Step {
	return Fault{position: position{ID: s.ID, Ends: true}, Code: code, Text: render(pl.st, "tool_failed", pl.env)}
}

// block enters the branch that the condition chose when the plan first reached it.
func (pl *planning) block(s *config.Step) Step {
	m := pl.frame.Done[s.ID]
	if m == "" {
		holds, err := s.When.True(pl.env)
		if err != nil {
			return pl.fault(s, "condition_failed")
		}
		m = markElse
		if holds {
			m = markThen
		}
		pl.mark(s.ID, m)
	}
	branch := s.Then
	if m == markElse {
		branch = s.Else
	}
	if step := pl.walk(branch); step != nil {
		return step
	}
	if s.End && m == markThen {
		return End{position{ID: s.ID, Ends: true, marks: pl.marks}}
	}
	return nil
}

func (pl *planning) stepAsk(s *config.Step) Step {
	p := pl.in.Param(s.Param)
	if p == nil || pl.has(p) || pl.frame.skipped(p.Name) {
		return nil
	}
	return pl.ask(p)
}

func (pl *planning) stepRespond(s *config.Step) Step {
	r := sayOwn(pl.st, s.Response, pl.env)
	r.position = pl.at(s)
	return r
}

func (pl *planning) stepGenerate(s *config.Step) Step {
	other := s.Response
	if other == "" {
		other = "no_model"
	}
	return Generate{position: pl.at(s), Instruction: s.Text.Render(pl.env), Else: sayOwn(pl.st, other, pl.env)}
}

func (pl *planning) stepSet(s *config.Step) Step {
	return Set{position: pl.at(s), Values: resolve(s.Set, pl.env)}
}

func (pl *planning) stepHandoff(s *config.Step) Step {
	place := pl.at(s)
	place.Ends, place.whole = true, true // the task ends when people take over
	return Handoff{position: place, Queue: s.Queue, Text: render(pl.st, "handoff", pl.env)}
}

func (pl *planning) stepEnd(s *config.Step) Step {
	return End{position{ID: s.ID, Ends: true, marks: pl.marks}}
}

// stepChoose offers the elements of a list. It chooses the only element, and the one that the user
// has named in this task, without a question.
func (pl *planning) stepChoose(s *config.Step) Step {
	list, _ := s.From.Resolve(pl.env).([]any)
	if len(list) == 0 {
		pl.mark(s.ID, markPassed)
		return nil
	}
	named := pl.frame.Params[s.Param]
	for _, e := range list {
		if named == nil && len(list) == 1 || named != nil && same(s.Choice(e), named.Value) {
			return Set{position: pl.at(s), Values: map[string]any{s.Param: s.Choice(e)}, narrow: rootOf(s.From), chosen: e}
		}
	}
	options := make([]Option, len(list))
	for i, e := range list {
		options[i] = Option{Value: s.Choice(e), Label: optionLabel(s, e)}
	}
	attempt := pl.frame.Attempts[s.ID]
	p := pl.in.Param(s.Param)
	if p != nil && attempt > p.Policy.MaxRetries {
		return pl.exhausted(p)
	}
	id := "choose"
	if attempt > 0 || named != nil {
		id = "invalid_choice"
	}
	prompt := pl.led(render(pl.st, id, map[string]any{"options": labels(options)}))
	return Choose{position: pl.at(s), Param: s.Param, Prompt: prompt, Options: options, Attempt: attempt, kind: askChoice}
}

func optionLabel(s *config.Step, element any) string {
	row, ok := element.(map[string]any)
	if s.Label == nil || !ok {
		return phrase.MustText("{value}").Render(map[string]any{"value": s.Choice(element)})
	}
	return s.Label.Render(row)
}

func rootOf(a expr.Arg) string {
	if len(a.Ref) == 1 {
		return a.Ref[0]
	}
	return ""
}

// labels joins labels into a choice: "A, B or C".
func labels(options []Option) string {
	out := make([]string, len(options))
	for i, o := range options {
		out[i] = o.Label
	}
	return naming.JoinOr(out)
}
