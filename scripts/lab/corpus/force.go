package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/slotway/slotway/planner"
	"github.com/slotway/slotway/router"
)

// player plays the conversations of one bot and scores them.
type player struct {
	r     *runtime
	start time.Time // the clock of every turn
	free  bool
	score *score
}

// scene is the state when a turn begins.
type scene struct {
	given   *planner.Preset
	known   map[string]any    // what was set
	task    string            // current task in the recording, or ""
	pending bool              // a confirmation is open
	context bool              // the recording says what was known
	later   map[string]string // else: the values of the next call
}

// play plays one conversation.
func (p *player) play(ctx context.Context, c conversation) error {
	p.score.Conversations++
	stateful := slices.ContainsFunc(c.Turns, func(t turn) bool { return t.Expect.New != nil })
	before := scene{known: map[string]any{}}
	for i, t := range c.Turns {
		why := p.foreign(t)
		if strings.HasPrefix(t.User, "/") {
			why = "message of the platform, not of a user"
		}
		if why != "" {
			p.score.skip(why)
			continue
		}
		var s scene
		session := c.ID
		switch {
		case p.free:
			s = scene{known: before.known, task: p.task(c, i), pending: before.pending, context: stateful, later: later(c.Turns[i:])}
			p.r.clock = p.start.Add(time.Duration(i) * time.Minute)
		case stateful:
			s = p.scene(c, i)
			session = fmt.Sprintf("%s#%d", c.ID, i)
			p.r.clock = p.start
		default:
			s = p.follow(c, i, before)
			p.r.clock = p.start.Add(time.Duration(i) * time.Minute)
		}
		reply, err := p.r.say(ctx, session, t.User, s.given, t.Result)
		if errors.Is(err, router.ErrBadInteraction) && s.given != nil {
			p.score.skip("state cannot be set: " + cause(err))
			s.given, s.pending = nil, before.pending
			reply, err = p.r.say(ctx, session, t.User, nil, t.Result)
		}
		if err != nil {
			return fmt.Errorf("%s, turn %d: %w", c.ID, i+1, err)
		}
		p.judge(c, i, s, reply)
		before = scene{known: reply.Params, pending: reply.Confirming != nil}
	}
	return nil
}

// cause returns the text of the innermost error.
func cause(err error) string {
	text := err.Error()
	if i := strings.LastIndex(text, "given"); i >= 0 {
		return text[i:]
	}
	return text
}

// foreign returns why a turn cannot be played: its task has no bot.
func (p *player) foreign(t turn) string {
	id := t.Expect.Intent
	if _, ok := p.r.bot.intentOf[id]; ok || id == "" || id == noTask {
		return ""
	}
	return "turn of an intent without a bot: " + id
}

// task returns the current task before a turn, or "".
func (p *player) task(c conversation, i int) string {
	if i == 0 {
		return ""
	}
	return p.r.bot.intentOf[c.Turns[i-1].Expect.Intent]
}

// unfinished returns the last task of turns that do not all name one, or "" after its last call.
func (p *player) unfinished(turns []turn) string {
	task := ""
	for _, t := range turns {
		if id := p.r.bot.intentOf[t.Expect.Intent]; id != "" {
			task = id
		}
		if a := t.Expect.Action; a != nil && a.Params[requestType] != "Check" && len(t.Expect.Ask) == 0 {
			task = ""
		}
	}
	return task
}

// later returns the values of the next recorded call.
func later(turns []turn) map[string]string {
	out := map[string]string{}
	for _, t := range turns {
		if t.Expect.Action == nil {
			continue
		}
		for name, v := range t.Expect.Action.Params {
			if text, ok := argument(v); ok {
				out[name] = text
			}
		}
		break
	}
	return out
}

// follow sets up a turn of a conversation without recorded values: the session goes on, and the
// recorded bot's question becomes the open one.
func (p *player) follow(c conversation, i int, before scene) scene {
	s := scene{known: before.known, task: p.task(c, i), pending: before.pending, later: later(c.Turns[i:])}
	if s.task == "" {
		s.task = p.unfinished(c.Turns[:i])
	}
	in := p.r.bot.intent(s.task)
	t := c.Turns[i]
	if in == nil || len(t.Given.Asked) == 0 && !t.Given.Confirming.Open {
		return s
	}
	g := &planner.Preset{Intent: in.id}
	p.waiting(g, in, t.Given)
	if t.Given.Confirming.Open && in.write && !before.pending {
		if missing := p.missing(in, before.known); missing != "" {
			p.score.skip("confirmation cannot be set: a required value is not known")
		} else {
			g.Confirming, g.ConfirmTool, s.pending = true, in.tool, true
		}
	}
	if g.Waiting != "" || g.Confirming {
		s.given, s.pending = g, g.Confirming
	}
	return s
}

// scene sets up a turn as the recording left it.
func (p *player) scene(c conversation, i int) scene {
	s := scene{known: map[string]any{}, context: true, task: p.task(c, i)}
	in := p.r.bot.intent(s.task)
	g := &planner.Preset{Params: s.known}
	s.given = g
	t := c.Turns[i]
	if in != nil {
		g.Intent = in.id
		if done := carriedOut(c.Turns[:i]); done && in.write {
			g.Intent, in = "", nil
		} else {
			g.Done = done
		}
	}
	if i > 0 {
		p.know(in, c.Turns[i-1].Expect.Params, nil, s.known)
		p.know(in, t.Expect.Params, t.Expect.New, s.known)
	}
	if in == nil {
		return s
	}
	p.waiting(g, in, t.Given)
	if t.Given.Confirming.Open && in.write {
		g.Done, g.Waiting = false, ""
		for name, v := range t.Given.Confirming.Values {
			p.set(in, name, []string{v}, s.known)
		}
		if missing := p.missing(in, s.known); missing == "" {
			g.Confirming, g.ConfirmTool, s.pending = true, in.tool, true
		} else {
			p.score.skip("confirmation cannot be set: " + missing + " is not known")
		}
	}
	return s
}

// carriedOut reports whether the current task has made its call and nothing was said since that
// changes it.
func carriedOut(turns []turn) bool {
	done, task := false, ""
	for _, t := range turns {
		if t.Expect.Intent != task {
			done, task = false, t.Expect.Intent
		}
		switch {
		case t.Expect.Action != nil:
			done = true
		case len(t.Expect.New) > 0 && len(t.Expect.Ask)+len(t.Given.Asked) > 0:
			done = false
		}
	}
	return done
}

// waiting opens the question for the first param that was asked for and that the task has.
func (p *player) waiting(g *planner.Preset, in *intent, before given) {
	for _, name := range before.Asked {
		if ours := p.r.bot.ours(in.id, name); in.has(ours) {
			g.Waiting, g.Done = ours, false
			delete(g.Params, ours)
			return
		}
	}
	if len(before.Asked) > 0 {
		p.score.skip("question cannot be set: the task has no such param")
	}
}

// know enters the values of a recorded state. If changes are given, it enters only those taken from
// context.
func (p *player) know(in *intent, state map[string]accepted, changes map[string]string, known map[string]any) {
	for _, name := range slices.Sorted(maps.Keys(state)) {
		if changes == nil || changes[name] == "context" {
			p.set(in, name, state[name], known)
		}
	}
}

// set enters one value in the agent's form, if the agent can hold it now.
func (p *player) set(in *intent, recorded string, accepted []string, known map[string]any) {
	q := p.r.bot.param(p.r.bot.paramOf[recorded])
	if in != nil {
		q = p.r.bot.param(p.r.bot.ours(in.id, recorded))
	}
	if q == nil || !q.session && (in == nil || !in.has(q.name)) {
		return
	}
	if v, ok := q.normal(accepted, p.start); ok {
		known[q.name] = v
	}
}

// missing returns the first required param without a value.
func (p *player) missing(in *intent, known map[string]any) string {
	for _, name := range in.required {
		if _, ok := known[name]; !ok {
			return name
		}
	}
	return ""
}

// judge compares a turn with its recording.
func (p *player) judge(c conversation, i int, s scene, reply router.Reply) {
	t := c.Turns[i]
	at := place{bot: p.r.bot.name, id: c.ID, turn: i + 1, text: t.User, given: t.Given, task: s.task}
	p.score.Turns++
	p.intent(at, t, s, reply)
	p.params(at, t, s, reply)
	p.calls(at, t, s)
	p.ask(at, t, reply)
}
