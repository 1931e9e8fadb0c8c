package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/slotway/slotway/router"
)

// longestGoal is the most turns of a conversation in a closed loop.
const longestGoal = 12

// goal holds one conversation: the opener, the recorded reply to each question, a yes to the
// confirmation. It succeeds if the right call is made.
func (p *player) goal(ctx context.Context, g goal) error {
	p.score.Conversations++
	want, ok := p.r.bot.intentOf[g.Name]
	if !ok {
		p.score.skip("goal of an intent without a bot: " + g.Name)
		return nil
	}
	p.r.clock = p.start
	text, confirming, asked := g.Opener, false, map[string]int{}
	class := "goal: too many turns"
	for turn := 1; turn <= longestGoal; turn++ {
		at := place{bot: p.r.bot.name, id: g.ID, turn: turn, text: text}
		reply, err := p.r.say(ctx, g.ID, text, nil, nil)
		if err != nil {
			return fmt.Errorf("%s, turn %d: %w", g.ID, turn, err)
		}
		p.score.Turns++
		p.heldToYes(at, confirming && text == affirm(g))
		if done, right, detail := p.reached(want, g); done {
			p.score.count("goal", right, at, "goal: other arguments or another call", detail)
			return nil
		}
		confirming = reply.Confirming != nil
		if text, class = p.next(want, g, reply, asked); text == "" {
			p.score.count("goal", false, at, class, fmt.Sprintf("said %q, knows %v", reply.Reply, reply.Params))
			return nil
		}
	}
	p.score.count("goal", false, place{bot: p.r.bot.name, id: g.ID, turn: longestGoal, text: text}, class, "")
	return nil
}

// affirm returns the recorded yes of a goal.
func affirm(g goal) string {
	if g.Affirm == "" {
		return "yes"
	}
	return g.Affirm
}

// heldToYes counts write calls without a yes.
func (p *player) heldToYes(at place, yes bool) {
	for _, c := range p.r.calls {
		if c.write && !yes {
			p.score.Unconfirmed++
			p.score.fail(at, "unconfirmed write", c.tool)
		}
	}
}

// reached reports whether the turn made a call that ends the conversation, and whether it is the
// right one. A read before a confirmation ends nothing.
func (p *player) reached(want string, g goal) (done, right bool, detail string) {
	for _, c := range p.r.calls {
		in := p.byTool(c.tool)
		if in == nil || in.look == c.tool && in.tool != c.tool {
			continue
		}
		if in.id != want {
			return true, false, fmt.Sprintf("want %s, made %s", want, c.tool)
		}
		expected := map[string][]string{}
		for name, accepted := range g.Params {
			if ours := p.r.bot.ours(want, name); ours != "" && !p.r.bot.param(ours).loose && !slices.Equal(accepted, []string{"dontcare"}) {
				expected[ours] = accepted
			}
		}
		diff := diffArgs(in, c.args, expected)
		return true, diff == "", diff
	}
	return false, false, ""
}

// next returns what the user says to a reply; "" if the recording has no answer.
func (p *player) next(want string, g goal, reply router.Reply, asked map[string]int) (text, class string) {
	switch {
	case reply.Confirming != nil:
		asked["confirm"]++
		if asked["confirm"] > 3 {
			return "", "goal: the yes is not understood"
		}
		return affirm(g), "goal: too many turns"
	case reply.Asked == nil:
		return "", "goal: neither asked nor called"
	}
	param := *reply.Asked
	asked[param]++
	if asked[param] > 2 {
		return "", "goal: asked for the same three times"
	}
	for name, r := range g.Replies {
		if p.r.bot.ours(want, name) == param {
			return r, "goal: too many turns"
		}
	}
	return "", "goal: asked for what the opener said or nobody needs"
}
