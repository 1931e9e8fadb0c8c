package main

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/slotway/slotway/router"
)

// place identifies a turn in the list of failures.
type place struct {
	bot, id string
	turn    int
	text    string
	given   given
	task    string // current task
}

// noTask labels turns without a task in recordings.
const noTask = "NONE"

// intent compares the task that the turn was assigned to.
func (p *player) intent(at place, t turn, s scene, reply router.Reply) {
	if t.Expect.Intent == "" {
		return
	}
	got := reply.Intent
	if !s.context && s.task == "" && got == "greet" {
		p.score.skip("intent of a greeting, which the recording takes from what comes later")
		return
	}
	if t.Expect.Intent == noTask {
		p.score.count("intent", !p.r.task(got) || got == s.task && p.rested(reply), at, "intent: a task where there is none", got)
		return
	}
	want, ok := p.r.bot.intentOf[t.Expect.Intent]
	if !ok {
		p.score.skip("turn of an intent without a bot: " + t.Expect.Intent)
		return
	}
	if p.r.bot.exact {
		p.score.count("intent", got == want, at, "intent: another one", fmt.Sprintf("want %s, got %s (%.2f)", want, got, reply.Confidence))
		return
	}
	class := "intent: another task"
	if !p.r.task(got) {
		class, got = "intent: not recognised, nothing under way", s.task
		if s.task != "" {
			class = "intent: a new task taken for the one under way"
		}
	} else if got == s.task {
		class = "intent: a new task taken for the one under way"
	} else if want == s.task {
		class = "intent: another task in place of the one under way"
	}
	if at.given.Offered != "" && want != s.task {
		class = "intent: an offered task accepted"
	}
	p.score.count("intent", got == want, at, class, fmt.Sprintf("want %s, got %s (reply %s %.2f)", want, got, reply.Intent, reply.Confidence))
}

// rested reports whether the turn did nothing for a task: no call, no question, no confirmation.
func (p *player) rested(reply router.Reply) bool {
	return len(p.r.calls) == 0 && reply.Asked == nil && reply.Confirming == nil
}

// observed returns the values known after the turn: the params and, if the task ended with its
// call, the arguments of the call.
func (p *player) observed(reply router.Reply) map[string]any {
	got := maps.Clone(reply.Params)
	if got == nil {
		got = map[string]any{}
	}
	for _, c := range p.r.calls {
		in := p.byTool(c.tool)
		for name, v := range c.args {
			if _, ok := got[name]; !ok && v != nil && (in == nil || !reflect.DeepEqual(in.defaults[name], v)) {
				got[name] = v
			}
		}
	}
	return got
}

func (p *player) byTool(tool string) *intent {
	for _, in := range p.r.bot.intents {
		if in.tool == tool || in.look == tool {
			return in
		}
	}
	return nil
}

// params compares the values that the user gave in this turn.
func (p *player) params(at place, t turn, s scene, reply router.Reply) {
	if p.r.bot.exact {
		p.entities(at, t, s, reply)
		return
	}
	if !s.context {
		p.replied(at, s, reply)
		return
	}
	got := p.observed(reply)
	want := map[string][]string{}
	for name, source := range t.Expect.New {
		ours := p.r.bot.paramOf[name]
		if ours == "" {
			p.score.skip("value of a param that no intent takes")
			continue
		}
		want[ours] = t.Expect.Params[name]
		if source != "user" {
			continue
		}
		v, ok := got[ours]
		class := "param: missed"
		if ok && !reflect.DeepEqual(v, s.known[ours]) {
			class = "param: wrong value"
		}
		p.score.count("recall", ok && agrees(v, want[ours]), at, p.class(class, ours, at), fmt.Sprintf("%s: want %q, got %v", ours, want[ours], v))
	}
	for name, v := range got {
		if old, ok := s.known[name]; ok && reflect.DeepEqual(old, v) {
			continue
		}
		if _, ok := want[name]; !ok {
			for recorded, accepted := range t.Expect.Params {
				if p.r.bot.paramOf[recorded] == name {
					want[name] = accepted
				}
			}
		}
		class := "extra: a value that was not given"
		if t.Expect.New != nil && want[name] != nil {
			class = "extra: a wrong value"
		}
		p.score.count("precision", agrees(v, want[name]), at, p.class(class, name, at), fmt.Sprintf("%s: got %v, want %q", name, v, want[name]))
	}
}

// entities compares the found values with the recorded entities of the message, or with the values
// that the recording has for this turn alone.
func (p *player) entities(at place, t turn, s scene, reply router.Reply) {
	got := p.observed(reply)
	want := map[string][]string{}
	for name, list := range t.Expect.Params {
		if ours := p.r.bot.paramOf[name]; ours != "" && len(t.Expect.Entities) == 0 && len(list) > 0 && p.r.bot.param(ours).session {
			want[ours] = list
			p.score.count("recall", agrees(got[ours], list), at, p.class("param: missed", ours, at), fmt.Sprintf("%s: want %q, got %v", ours, list, got[ours]))
		}
	}
	for _, e := range t.Expect.Entities {
		ours := p.r.bot.paramOf[e.Entity]
		if ours == "" {
			p.score.skip("entity without training examples: " + e.Entity)
			continue
		}
		want[ours] = append(want[ours], e.Value)
		p.score.count("recall", agrees(got[ours], []string{e.Value}), at, p.class("param: missed", ours, at), fmt.Sprintf("%s: want %q, got %v", ours, e.Value, got[ours]))
	}
	for name, v := range got {
		if reflect.DeepEqual(v, s.known[name]) {
			continue
		}
		p.score.count("precision", agrees(v, want[name]), at, p.class("extra: a value that was not given", name, at), fmt.Sprintf("%s: got %v, want %q", name, v, want[name]))
	}
}

// replied compares the value of the asked param if the recording has values only with the calls:
// the reply must spell the value of the next call.
func (p *player) replied(at place, s scene, reply router.Reply) {
	got := p.observed(reply)
	for _, name := range at.given.Asked {
		value, ours := s.later[name], p.r.bot.ours(at.task, name)
		if q := p.r.bot.param(ours); q == nil || q.loose {
			continue
		}
		if _, _, spelled := locate(at.text, []string{value}); value == "" || ours == "" || !spelled {
			continue
		}
		v, ok := got[ours]
		class := "param: missed"
		if ok {
			class = "param: wrong value"
		}
		p.score.count("recall", ok && agrees(v, []string{value}), at, p.class(class, ours, at), fmt.Sprintf("%s: want %q, got %v", ours, value, v))
	}
}

// class adds the type of the param, and whether it was asked for.
func (p *player) class(class, name string, at place) string {
	asked := "unasked"
	for _, a := range at.given.Asked {
		if p.r.bot.ours(at.task, a) == name {
			asked = "asked"
		}
	}
	if at.given.Confirming.Open {
		asked = "confirming"
	}
	q := p.r.bot.param(name)
	if q == nil {
		return class
	}
	kind := q.kind
	if kind == "enum" && len(q.values) == 2 && truth(q) {
		kind = "yes/no enum"
	}
	return class + " (" + kind + ", " + asked + ")"
}

// truth reports whether an enumeration is a yes-no one.
func truth(q *param) bool {
	return slices.ContainsFunc(q.values, func(v enumValue) bool { return strings.EqualFold(v.value, "true") })
}

// ask compares the question at the end of the turn: it must be one of the recorded ones.
func (p *player) ask(at place, t turn, reply router.Reply) {
	if len(t.Expect.Ask) == 0 || p.r.bot.exact {
		return
	}
	got := ""
	if reply.Asked != nil {
		got = *reply.Asked
	}
	ok := slices.ContainsFunc(t.Expect.Ask, func(name string) bool { return p.r.bot.ours(p.r.bot.intentOf[t.Expect.Intent], name) == got })
	p.score.count("ask", ok, at, "ask: another question", fmt.Sprintf("want %v, got %q", t.Expect.Ask, got))
}
