package cascade

import (
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/acts"
	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/classifier/message/clauses"
	"github.com/slotway/slotway/config"
)

const (
	mostRanked   = 8   // clauses of a message whose tasks are ranked
	courtesySure = 0.8 // from here on a clause is courtesy, a yes or a no, and about no task
	maybeTask    = 0.3 // below, it is no request, question or statement

	// From actLikely on an act counts, and from actSure on without anything that backs it (the
	// planner's likely and surely).
	actLikely, actSure = 0.5, 0.85
	ownSystem          = "system.yaml"
)

// doing maps the system intents to what a clause does.
var doing = map[string]message.Act{
	"affirm": message.ActYes, "deny": message.ActNo, "cancel": message.ActStop, "correct": message.ActCorrect,
	"greet": message.ActGreet, "goodbye": message.ActBye, "thanks": message.ActThanks, "repeat": message.ActRepeat,
	"help": message.ActHelp, "skip": message.ActSkip, "human": message.ActHuman, "resume": message.ActResume,
	"reset": message.ActReset,
}

// aboutTasks are the acts of clauses that may be about a task.
var aboutTasks = []message.Act{
	message.ActRequest, message.ActQuestion, message.ActState, message.ActStop, message.ActCorrect,
	message.ActAdd, message.ActUndo, message.ActOutcome,
}

// aboutTalk are the acts that change or repeat the conversation itself, with their system intents.
var aboutTalk = map[string]message.Act{
	"repeat": message.ActRepeat, "skip": message.ActSkip, "human": message.ActHuman, "resume": message.ActResume,
	"reset": message.ActReset,
}

// ownActs are the phrases that an agent itself gives for system intents, in normal form.
func ownActs(agent *config.Agent) map[string]message.Act {
	out := map[string]message.Act{}
	for _, in := range agent.System {
		act, ok := doing[in.ID]
		for _, e := range in.Examples {
			if ok && e.Pos.File != ownSystem && e.Pos.File != config.SystemFile(agent.Language) && e.Asked == "" {
				out[join(cut(e.Text, message.Tokenize(e.Text, nil), nil))] = act
			}
		}
	}
	return out
}

// say returns the clauses of a message with their acts and the tasks that each may be about.
func (c *Classifier) say(in classifier.Input, pieces []piece, r *message.Result) []message.Clause {
	room := spanPool.Get().(*[]clauses.Span)
	defer spanPool.Put(room)
	spans := clauses.Append((*room)[:0], in.Text, in.Cut(), c.gloss)
	*room = spans
	if _, given := c.own[join(pieces)]; given && len(spans) > 1 { // the agent takes it for one
		spans[0].End, spans[0].To, spans = spans[len(spans)-1].End, spans[len(spans)-1].To, spans[:1]
	}
	out := make([]message.Clause, len(spans))
	for i := range spans {
		s, own := &spans[i], within(pieces, spans[i].From, spans[i].To)
		out[i] = message.Clause{Start: s.Start, End: s.End, Join: s.Join, Mark: s.Mark}
		out[i].Acts = c.acts(s, own)
		c.tasks(in, own, len(spans) == 1, i < mostRanked, r, &out[i])
	}
	return out
}

// wordless makes one clause of a message without a word, such as a thumb.
func (c *Classifier) wordless(text string) []message.Clause {
	if !c.speaks.Trained() || strings.TrimSpace(text) == "" {
		return nil
	}
	return []message.Clause{{End: utf8.RuneCountInString(text), Acts: c.speaks.Of(text, 0)}}
}

// spanPool keeps the room of clauses that are being made.
var spanPool = sync.Pool{New: func() any { s := make([]clauses.Span, 0, mostRanked); return &s }}

// within returns the pieces of a clause.
func within(pieces []piece, from, to int) []piece {
	for len(pieces) > 0 && pieces[0].end <= from {
		pieces = pieces[1:]
	}
	n := len(pieces)
	for n > 0 && pieces[n-1].start >= to {
		n--
	}
	return pieces[:n]
}

// acts returns the acts of a clause. In a language without a model, the agent's own examples of the
// system intents decide.
func (c *Classifier) acts(s *clauses.Span, pieces []piece) message.Acts {
	var a message.Acts
	if c.speaks.Trained() {
		a = c.speaks.Of(s.Whole, s.Mark)
		c.backed(&a, pieces)
	} else {
		a = c.foreign(s, pieces)
	}
	if act, ok := c.own[join(pieces)]; ok {
		a[act] = 1
	} else if act, ok := c.own[join(strip(pieces, courtesyOpens, courtesyCloses))]; ok {
		a[act] = 1
	}
	return a
}

// backed lowers an uncertain act about the conversation itself where the agent's own classes see
// nothing of its system intent. Acts do not know the topic of a clause: "what did we discuss about
// boats" has the form of "what were we talking about".
func (c *Classifier) backed(a *message.Acts, pieces []piece) {
	if c.model == nil || len(pieces) == 0 {
		return
	}
	var scores []message.Score
	for intent, act := range aboutTalk {
		if a[act] < actLikely || a[act] >= actSure || !c.system[intent] {
			continue
		}
		if scores == nil {
			scores = c.model.Glance(join(pieces), make([]message.Score, 0, maxRanking))
		}
		at := slices.IndexFunc(scores, func(s message.Score) bool { return s.Intent == intent })
		if at < 0 || scores[at].Confidence < c.reject {
			a[act] = 0
		}
	}
}

// foreign returns the acts of a clause by the tables, its mark and the agent's own classes.
func (c *Classifier) foreign(s *clauses.Span, pieces []piece) message.Acts {
	a, _ := acts.Known(s.Text)
	if s.Mark == '?' {
		a[message.ActQuestion] = max(a[message.ActQuestion], courtesySure)
	}
	if c.model == nil || len(pieces) == 0 {
		return a
	}
	var scores [maxRanking]message.Score
	for _, score := range c.model.Glance(join(pieces), scores[:0]) {
		act, ok := doing[score.Intent]
		if !ok || !c.system[score.Intent] {
			continue
		}
		if brief[score.Intent] && spoken(pieces) > longSystem {
			score.Confidence = min(score.Confidence, longSystemCap)
		}
		a[act] = max(a[act], float32(score.Confidence))
	}
	return a
}

// tasks finds the stock phrase that a clause is, and ranks the tasks that it may be about.
// The ranking of a message of one clause is there already.
func (c *Classifier) tasks(in classifier.Input, pieces []piece, whole, ranked bool, r *message.Result, out *message.Clause) {
	if len(pieces) == 0 {
		return
	}
	var alone message.Result
	if c.exact(in, pieces, &alone) {
		out.Stock = alone.Intent
		if !c.system[alone.Intent] && c.stock[join(pieces)].system != "" {
			out.Acts = message.Acts{message.ActRequest: 1} // it is no greeting or yes here
		}
	}
	if out.Stock == "affirm" && asksBack(out, pieces) {
		out.Stock = ""
	}
	switch {
	case !ranked || courtesy(&out.Acts):
	case out.Stock != "" && !c.system[out.Stock]:
		out.Ranking = alone.Ranking
	case whole && !r.Exact && r.Lead.End == 0:
		out.Ranking = c.onlyTasks(slices.Clone(r.Ranking))
	default:
		alone.Params, alone.Ranking = r.Params, nil
		c.rank(in, c.trimmed(in.Text, pieces), &alone)
		out.Ranking = c.onlyTasks(alone.Ranking)
	}
}

// asksBack reports whether a yes is put as a question or under a condition, so that it is none:
// "ok?", "can you confirm", "if yes".
func asksBack(out *message.Clause, pieces []piece) bool {
	return out.Mark == '?' || conditions[out.Join] || len(pieces) > 1 && pieces[1].key == "you" && polite[pieces[0].key]
}

var (
	conditions = phrases("condition")
	polite     = phrases("polite")
)

// courtesy reports whether a clause is nothing but a yes, a no, thanks or the like.
func courtesy(a *message.Acts) bool {
	for _, act := range aboutTasks {
		if a[act] >= maybeTask {
			return false
		}
	}
	_, sure := a.Best()
	return sure >= courtesySure
}

// onlyTasks drops the system intents of a ranking.
func (c *Classifier) onlyTasks(ranking []message.Score) []message.Score {
	return slices.DeleteFunc(ranking, func(s message.Score) bool { return c.system[s.Intent] })
}
