package main

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
)

// calls compares the calls of the turn, and checks that every write call follows a yes.
func (p *player) calls(at place, t turn, s scene) {
	for _, c := range p.r.calls {
		if c.write && !(s.pending && said(t)) {
			p.score.Unconfirmed++
			p.score.fail(at, "unconfirmed write", c.tool)
		}
	}
	if p.r.bot.exact {
		return // its actions are replies and forms
	}
	if t.Expect.Action == nil {
		if len(p.r.calls) > 0 {
			p.score.ExtraCalls++
			p.score.fail(at, "call: one that was not recorded", fmt.Sprint(p.r.calls[0].tool, p.r.calls[0].args))
		}
		return
	}
	want, ok := p.r.bot.intentOf[t.Expect.Action.Name]
	if !ok {
		p.score.skip("call of an intent without a bot: " + t.Expect.Action.Name)
		return
	}
	in := p.r.bot.intent(want)
	tool := in.tool
	if t.Expect.Action.Params[requestType] == "Check" && in.look != "" {
		tool = in.look
	}
	class, detail := "call: not made", fmt.Sprintf("want %s%v", tool, t.Expect.Action.Params)
	right := false
	for _, c := range p.r.calls {
		if c.tool != tool {
			if !right && p.byTool(c.tool) != in {
				class, detail = "call: another one", fmt.Sprintf("%s, made %s", detail, c.tool)
			}
			continue
		}
		diff := p.differs(in, maps.Clone(c.args), t.Expect)
		if right = diff == ""; !right {
			class, detail = "call: other arguments", diff
		}
	}
	p.score.count("call", right, at, class, detail)
}

// differs compares the arguments of a call; "": they are the same.
func (p *player) differs(in *intent, args map[string]any, e expect) string {
	want := map[string][]string{}
	for name, v := range e.Action.Params {
		text, ok := argument(v)
		if !ok || name == requestType {
			continue // a condition on results, or which of two calls it is
		}
		ours := p.named(e.Action, name)
		q := p.r.bot.param(ours)
		if q == nil || q.loose && args[ours] != nil {
			delete(args, ours)
			continue // the converted task does not take it, or it was recorded in other words
		}
		if text != "dontcare" && text != "" {
			want[ours] = append([]string{text}, e.Params[name]...)
			if e.Action.Service != "" {
				want[ours] = append(want[ours], e.Params[e.Action.Service+"."+name]...)
			}
		}
	}
	return diffArgs(in, args, want)
}

// named returns the param of a recorded argument.
func (p *player) named(c *call, name string) string {
	scope := c.Service
	if scope == "" {
		scope = p.r.bot.intentOf[c.Name]
	}
	return p.r.bot.ours(scope, name)
}

// diffArgs compares arguments with accepted spellings. An argument at its default may be missing.
func diffArgs(in *intent, args map[string]any, want map[string][]string) string {
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if v := args[name]; v == nil && !agrees(in.defaults[name], want[name]) || v != nil && !agrees(v, want[name]) {
			return fmt.Sprintf("%s: want %q, got %v", name, want[name], v)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(args)) {
		if v := args[name]; v != nil && want[name] == nil && !reflect.DeepEqual(v, in.defaults[name]) {
			return fmt.Sprintf("%s: want none, got %v", name, v)
		}
	}
	return ""
}

// said reports whether the user said yes in a turn: by the recorded acts, else by the words.
func said(t turn) bool {
	if len(t.Expect.Acts) > 0 {
		return slices.Contains(t.Expect.Acts, "AFFIRM")
	}
	return slices.ContainsFunc(wordsOf(t.User), func(w string) bool { return yesWords[w] })
}

var yesWords = map[string]bool{
	"yes": true, "yeah": true, "yep": true, "yup": true, "sure": true, "ok": true, "okay": true, "please": true, "correct": true,
	"right": true, "confirm": true, "perfect": true, "great": true, "fine": true, "good": true, "absolutely": true, "definitely": true, "course": true, "do": true, "go": true, "sounds": true,
}
