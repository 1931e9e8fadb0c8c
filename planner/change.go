package planner

import (
	"crypto/sha256"
	"encoding/hex"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/phrase"
)

func same(a, b any) bool { return reflect.DeepEqual(a, b) }

func union(old, more any) any {
	list, _ := old.([]any)
	list = append([]any(nil), list...)
next:
	for _, v := range listOf(more) {
		for _, have := range list {
			if same(have, v) {
				continue next
			}
		}
		list = append(list, v)
	}
	return list
}

// corrected drops what was derived from a changed value and reports the change (rule 12). A pending
// yes is void by itself: its hash no longer matches.
func (r *interpreter) corrected(in *config.Intent, p *config.Param, v message.Value) {
	r.st.undo(in, p.Name)
	if p.Policy.Correction == config.CorrectionSilent {
		return
	}
	if p.Validation.Tool == "" { // else it is reported once the value is accepted
		r.st.tellCorrection(p, v.Value)
	}
	r.spoke = true
}

// mayCorrect asks before a known value is replaced (policy.correction: confirm).
func (r *interpreter) mayCorrect(p *config.Param, value any) {
	r.st.Open, r.spoke = nil, true
	r.st.Agenda = append(r.st.Agenda, Offer{
		position: position{agenda: true},
		Prompt:   render(r.st, "correct_confirm", map[string]any{"name": p.Label, "value": r.def.Show(p, value)}),
		Options:  []Option{{Value: value, Label: phrase.Display(value)}}, kind: askCorrect, correct: p.Name,
	})
}

// replace carries out a correction that the user has confirmed.
func (r *interpreter) replace(q *openQuestion) {
	r.st.Open = nil
	p := r.in.Param(q.Correct)
	if p == nil || len(q.Options) == 0 || r.fixed(p) {
		return
	}
	c := &paramCell{Value: q.Options[0].Value, Turn: r.st.Number, At: r.st.Now, Source: "context"}
	if old := r.st.cell(p); old != nil {
		c.Prior = old.Value
	}
	r.st.setCell(p, c)
	r.st.undo(r.in, p.Name)
}

// tellCorrection reports the new value of a param.
func (st *Turn) tellCorrection(p *config.Param, value any) {
	if p.Policy.Correction == config.CorrectionAnnounce {
		st.later("corrected", map[string]any{"name": p.Label, "value": st.def.Show(p, value)})
	}
}

// undo drops what was derived from a param: the marks of the steps that read it, their results, and
// what was derived from those. A write that was made stays made.
func (st *Turn) undo(in *config.Intent, name string) { st.Active.undo(in, name) }

// undo is State.undo for any frame.
func (f *frame) undo(in *config.Intent, name string) {
	changed := map[string]bool{name: true}
	var visit func([]*config.Step)
	visit = func(list []*config.Step) {
		for _, s := range list {
			if touches(s.Reads, changed) && f.Done[s.ID] != "" && f.Done[s.ID] != markWrote {
				delete(f.Done, s.ID)
				for _, w := range s.Writes {
					changed[w] = true
					delete(f.Results, w)
				}
			}
			visit(s.Then)
			visit(s.Else)
		}
	}
	visit(in.Plan)
}

// fixed reports whether a write that the task has made used a param. Such a param cannot change any
// more, and fixed says so: the plan would report the write with other values.
func (r *interpreter) fixed(p *config.Param) bool {
	f := r.st.Active
	if f == nil || r.in == nil || r.in.Param(p.Name) == nil || !f.sources(r.in)[p.Name] {
		return false
	}
	if !slices.Contains(r.told, p.Name) {
		r.told = append(r.told, p.Name)
		r.say("unchangeable", map[string]any{"name": p.Label})
	}
	r.spoke = true
	return true
}

// sources returns the names that the task's writes depend on: their arguments, their conditions,
// and the sources of the steps that saved those.
func (f *frame) sources(in *config.Intent) map[string]bool {
	names := map[string]bool{}
	var visit func(list []*config.Step, under []string)
	visit = func(list []*config.Step, under []string) {
		for _, s := range list {
			if s.Kind == config.StepWhen {
				inner := append(under[:len(under):len(under)], s.When.Names()...)
				visit(s.Then, inner)
				visit(s.Else, inner)
				continue
			}
			if f.Done[s.ID] != markWrote && !(f.Done[s.ID] == markDone && touches(s.Writes, names)) {
				continue
			}
			for _, n := range slices.Concat(s.Reads, under) {
				names[n] = true
			}
		}
	}
	for before := -1; before < len(names); {
		before = len(names)
		visit(in.Plan, nil)
	}
	return names
}

func touches(names []string, changed map[string]bool) bool {
	for _, n := range names {
		if changed[n] {
			return true
		}
	}
	return false
}

// accepts checks a value against the rules of its param that need no tool. The returned text says
// what is wrong, in the words of the definition.
func accepts(p *config.Param, value any, env map[string]any) (ok bool, wrong string) {
	if fits(p, value, env) {
		return true, ""
	}
	env[p.Name] = value
	return false, p.Validation.Invalid.Render(env)
}

func fits(p *config.Param, value any, env map[string]any) bool {
	v := p.Validation
	value = p.Cleaned(value)
	text, isText := value.(string)
	number, isNumber := value.(float64)
	n := utf8.RuneCountInString(text)
	switch {
	case isText && n < v.MinLength, isText && v.MaxLength > 0 && n > v.MaxLength:
		return false
	case isText && v.Pattern != nil && !v.Pattern.MatchString(text):
		return false
	case isText && strings.HasPrefix(text, "-") && p.Type.Builtin == "money" && v.Expr == nil:
		return false // an amount below 0 makes no sense
	case isNumber && v.Min != nil && number < *v.Min, isNumber && v.Max != nil && number > *v.Max:
		return false
	}
	if v.Expr == nil {
		return true
	}
	holds, err := v.Expr.True(with(env, "value", value))
	return err == nil && holds
}

// frameID names a frame by the message that begins it, its intent, and the number of frames of that
// intent that the message has begun before. A crashed turn may run again later in another state of
// the session, and its calls must have the same keys. A message is committed once, so no name is
// used twice.
func (st *Turn) frameID(intent string) string {
	by := strconv.FormatInt(st.Number, 10)
	if st.Message != "" {
		sum := sha256.Sum256([]byte(st.Message))
		by = hex.EncodeToString(sum[:8])
	}
	if st.begun == nil {
		st.begun = map[string]int{}
	}
	st.begun[intent]++
	return by + "." + intent + "." + strconv.Itoa(st.begun[intent])
}
