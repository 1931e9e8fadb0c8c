package turnset

import (
	"fmt"
	"slices"
	"strings"

	"github.com/slotway/slotway/planner"
)

// heard is what one turn of the program has done. It is turned into commands: what changed in the
// session tells tasks and values, the readings that the planner chose tell the rest.
type heard struct {
	r             *Runtime
	state         *State
	before, after *session
	how           planner.Interpretation
}

// byRule has the command of each reading that changes nothing in the session, or nothing that tells
// it from others. A reading that is not here is told by what it changes.
var byRule = map[string]Command{
	"hold":      {Do: Hold},
	"repeat":    {Do: Repeat},
	"help":      {Do: Help},
	"about":     {Do: Help},
	"human":     {Do: Human},
	"resume":    {Do: Resume},
	"undo":      {Do: Undo},
	"skip":      {Do: No},
	"refuse":    {Do: No},
	"greet":     {Do: Courtesy},
	"thanks":    {Do: Courtesy},
	"bye":       {Do: Courtesy},
	"praise":    {Do: Courtesy},
	"noted":     {Do: Courtesy},
	"smalltalk": {Do: Courtesy},
	"reset":     {Do: Stop},
	"no":        {Do: No},
	"list end":  {Do: No},
}

// commands returns what the turn has understood; what is nothing else is unclear.
func (h *heard) commands() []Command {
	out := append(h.changes(), h.begun()...)
	for _, x := range h.how.Chosen {
		if c, is := h.reading(x); is && !slices.ContainsFunc(out, func(o Command) bool { return o.Do == c.Do && o.About == c.About && o.Task == c.Task }) {
			out = append(out, c)
		}
	}
	if len(out) == 0 {
		out = append(out, Command{Do: Unclear})
	}
	return out
}

// reading returns the command of a chosen reading that is not told by what it changes.
func (h *heard) reading(x planner.ScoredReading) (Command, bool) {
	switch x.Rule {
	case "yes":
		return Command{Do: Yes}, h.state.OpenKind() == AskOffer || h.state.OpenKind() == AskConfirm && h.called(h.state.Task)
	case "choice":
		return Command{Do: Yes}, h.state.OpenKind() == AskOffer && h.newTask(h.state.Open.Task)
	case "correct":
		return Command{Do: No}, h.state.OpenKind() == AskConfirm
	case "stop", "decline", "objection":
		switch {
		case h.state.OpenKind() == AskConfirm && x.Rule != "stop", h.state.OpenKind() == AskOffer:
			return Command{Do: No}, true
		case h.state.Task != "" && h.under() != nil && x.Rule == "stop":
			return Command{}, false // it asked whether to stop
		}
		return Command{Do: Stop}, true
	case "asked":
		if x.Intent == "" {
			return Command{Do: Ask, About: AboutOther}, true
		}
		return Command{Do: Ask, About: x.Intent}, true
	case "out of scope":
		return Command{Do: OutOfScope}, true
	case "outcome":
		return Command{Do: Ask, About: AboutResult}, true
	case "question":
		about := AboutOther
		if slices.Contains(h.r.said, "help") {
			about = AboutHelp
		}
		return Command{Do: Ask, About: about}, true
	case "smalltalk":
		if slices.Contains(h.r.said, "who_are_you") {
			return Command{Do: Ask, About: AboutOther}, true
		}
	}
	c, is := byRule[x.Rule]
	return c, is
}

// under returns the task under way as it is after the turn, nil if it is none any more.
func (h *heard) under() *task {
	if h.before.Active == nil {
		return nil
	}
	for _, f := range h.after.frames() {
		if f.ID == h.before.Active.ID {
			return &f
		}
	}
	return nil
}

// called reports whether the tool of a task was called.
func (h *heard) called(task string) bool {
	return slices.ContainsFunc(h.r.calls, func(c called) bool { return c.task == task })
}

// newTask reports whether the turn has begun a task, done or not.
func (h *heard) newTask(id string) bool {
	return slices.ContainsFunc(h.begun(), func(c Command) bool { return c.Do == Start && c.Task == id })
}

// changes returns the commands that change the task under way.
func (h *heard) changes() []Command {
	if h.before.Active == nil {
		return nil
	}
	now := map[string]any{}
	switch f := h.under(); {
	case f != nil:
		now = values(f.Params)
	case h.called(h.state.Task):
		for _, c := range h.r.calls {
			if c.task == h.state.Task {
				now = c.args
				break
			}
		}
	case h.after.Ended != nil && h.after.Ended.Turn > 1 && h.after.Ended.Intent == h.state.Task:
		now = values(h.after.Ended.Params)
	default:
		return nil
	}
	var out []Command
	was := values(h.before.Active.Params)
	for _, p := range h.r.sketch.Task(h.state.Task).Params {
		out = append(out, h.change(p, was[p.Name], now[p.Name])...)
	}
	return out
}

// change returns the commands that turn one value of a param into another.
func (h *heard) change(p Param, was, now any) []Command {
	switch {
	case now == nil && was == nil:
		return nil
	case p.Type.Name == "list" && now != nil:
		return h.picked(p, listChanges(p, asList(was), asList(now)))
	case now == nil:
		return []Command{{Do: Correct, Param: p.Name}}
	case sameValue(p, was, now):
		asked := h.state.Open != nil && h.state.Open.Param == p.Name
		if open := h.after.Open; open != nil && open.Kind == "ask" && open.Param == p.Name && !asked {
			return []Command{{Do: Correct, Param: p.Name}} // it keeps the value and asks for another
		}
		return nil
	}
	if option := h.chosen(p, now); option != "" {
		return []Command{{Do: Choose, Option: option}}
	}
	return []Command{{Do: Set, Param: p.Name, Value: now}}
}

// picked turns elements that were added to a list into the options of the open choice that they are.
func (h *heard) picked(p Param, changes []Command) []Command {
	for i, c := range changes {
		if option := h.chosen(p, c.Value); c.Do == Add && option != "" {
			changes[i] = Command{Do: Choose, Option: option}
		}
	}
	return changes
}

// chosen returns the option of the open choice that a new value is: its value, or a code in its
// label that no other has. It returns "" if it is none.
func (h *heard) chosen(p Param, v any) string {
	if h.state.OpenKind() != AskChoice || h.state.Open.Param != p.Name {
		return ""
	}
	found := ""
	for _, o := range h.before.Open.Options {
		if sameElement(p, v, o.Value) {
			return o.Label
		}
		if text, is := v.(string); is && slices.Contains(strings.Fields(letterWords(o.Label)), strings.ReplaceAll(letterWords(text), " ", "")) {
			if found != "" {
				return ""
			}
			found = o.Label
		}
	}
	return found
}

// listChanges returns what must be added to a list and removed from it to make another.
func listChanges(p Param, was, now []any) []Command {
	var out []Command
	for _, v := range without(p, now, was) {
		out = append(out, Command{Do: Add, Param: p.Name, Value: v})
	}
	for _, v := range without(p, was, now) {
		out = append(out, Command{Do: Remove, Param: p.Name, Value: v})
	}
	return out
}

// without returns the elements of a list that another does not have, each as often as it has them
// more.
func without(p Param, list, other []any) []any {
	left := slices.Clone(other)
	var out []any
	for _, v := range list {
		at := slices.IndexFunc(left, func(o any) bool { return sameElement(p, v, o) })
		if at < 0 {
			out = append(out, v)
		} else {
			left = slices.Delete(left, at, at+1)
		}
	}
	return out
}

// begun returns the tasks that the turn has begun, queued or carried out, with their values.
func (h *heard) begun() []Command {
	var out []Command
	seen := map[string]bool{}
	for _, f := range h.after.frames() {
		if h.before.Active != nil && f.ID == h.before.Active.ID {
			continue
		}
		seen[f.Intent] = true
		out = append(out, h.start(f.Intent, values(f.Params))...)
	}
	calls := h.r.calls
	if at := slices.IndexFunc(calls, func(c called) bool { return c.task == h.state.Task }); at >= 0 && h.before.Active != nil && h.under() == nil {
		calls = slices.Delete(slices.Clone(calls), at, at+1) // the task under way came to its end
	}
	for _, c := range calls {
		if !seen[c.task] {
			seen[c.task] = true
			out = append(out, h.start(c.task, c.args)...)
		}
	}
	return out
}

// start returns the commands that begin a task with values. What the task before knew was not said.
func (h *heard) start(id string, given map[string]any) []Command {
	task := h.r.sketch.Task(id)
	if task == nil {
		return nil // a system intent
	}
	out := []Command{{Do: Start, Task: id}}
	for _, p := range task.Params {
		v := given[p.Name]
		if v == nil || sameValue(p, v, h.state.Known[p.Name]) {
			continue
		}
		if p.Type.Name == "list" {
			out = append(out, listChanges(p, nil, asList(v))...)
			continue
		}
		out = append(out, Command{Do: Set, Param: p.Name, Value: v})
	}
	return out
}

// letterWords is a text in lower case whose words have no marks.
func letterWords(s string) string {
	words := strings.Fields(s)
	for i, w := range words {
		words[i] = letters(w)
	}
	return strings.Join(words, " ")
}

func values(cells map[string]cell) map[string]any {
	out := make(map[string]any, len(cells))
	for name, c := range cells {
		out[name] = c.Value
	}
	return out
}

// why says what the planner chose and what it would say.
func (h *heard) why(reply string) string {
	rules := make([]string, 0, len(h.how.Chosen))
	for _, x := range h.how.Chosen {
		rules = append(rules, strings.TrimSpace(fmt.Sprintf("%s %s %.2f", x.Rule, x.Intent, x.Score)))
	}
	return strings.Join(rules, ", ") + " | " + reply
}
