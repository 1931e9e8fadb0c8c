package planner

import (
	"math/bits"
	"slices"
	"strings"

	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
)

// set is a set of clauses or values of one message, by position. It holds the first 64; rules
// ignore the others, which are rare.
type set uint64

const mostMembers = 64

func only(i int) set         { return 1 << min(i, mostMembers-1) }
func (s set) has(i int) bool { return i < mostMembers && s&(1<<i) != 0 }

// meets reports whether the clause and the value overlap.
func (s set) meets(t set) bool  { return s&t != 0 }
func (s set) count() int        { return bits.OnesCount64(uint64(s)) }
func (s set) without(t set) set { return s &^ t }
func (s set) members() (at []int) {
	for ; s != 0; s &= s - 1 {
		at = append(at, bits.TrailingZeros64(uint64(s)))
	}
	return at
}

// clause is a clause of the message with what the rules need to know about it.
type clause struct {
	message.Clause
	text   string
	words  []string
	does   actSet // the likely acts
	values set    // of Understanding.Values, those within the clause
}

// actSet is a set of acts. Every rule asks each clause what it does, most of them several times.
type actSet uint64

func acts(list ...message.Act) (s actSet) {
	for _, a := range list {
		s |= 1 << a
	}
	return s
}

// weigh stores the likely acts of the clause. Call it after a change of the acts.
func (c *clause) weigh() {
	c.does = 0
	for a, p := range c.Acts {
		if p >= likely {
			c.does |= 1 << a
		}
	}
}

// An act counts from likely on. From surely on it outweighs other parts of the message.
const (
	likely = 0.5
	surely = 0.85
)

// meets reports whether a value lies in the clause, whole or in part.
func (c *clause) meets(v message.Value) bool {
	return v.Start < c.End && c.Start < max(v.End, v.Start+1)
}

// at returns the position of a clause.
func (r *interpreter) at(c *clause) int {
	return max(0, slices.IndexFunc(r.clauses, func(o clause) bool { return o.Start == c.Start }))
}

func (c *clause) p(a message.Act) float64    { return float64(c.Acts[a]) }
func (c *clause) is(a message.Act) bool      { return c.does&(1<<a) != 0 }
func (c *clause) any(as ...message.Act) bool { return c.does&acts(as...) != 0 }

// hasAny reports whether the clause contains one of the words.
func (c *clause) hasAny(words map[string]bool) bool {
	return slices.ContainsFunc(c.words, func(w string) bool { return words[w] })
}

// courtesies are the acts that accompany a request without changing it.
var courtesies = acts(message.ActGreet, message.ActThanks, message.ActBye, message.ActPraise, message.ActSmalltalk, message.ActAnger)

// substantial are the acts that want an effect.
var substantial = acts(
	message.ActNo, message.ActHold, message.ActQuestion, message.ActUnknown, message.ActRefuse, message.ActCorrect, message.ActAdd, message.ActChoose, message.ActSame, message.ActTold, message.ActStop,
	message.ActRequest, message.ActRepeat, message.ActHelp, message.ActAbout, message.ActSkip, message.ActHuman, message.ActResume, message.ActReset, message.ActOutcome, message.ActUndo,
)

// courteous reports whether the clause is only courtesy.
func (c *clause) courteous() bool {
	return c.values == 0 && c.does&courtesies != 0 && c.does&substantial == 0 && c.p(message.ActYes) < surely
}

// filler reports whether the clause is a word that people begin with: "ok", "well", "so".
func (c *clause) filler() bool {
	if c.values == 0 && c.Mark != '?' && len(c.words) == 1 && c.words[0] == "sorry" {
		return true
	}
	return c.values == 0 && len(c.words) <= 2 && c.is(message.ActYes) && c.p(message.ActYes) < surely && c.does&substantial == 0
}

// tells reports whether the clause only states something.
func (c *clause) tells() bool { return c.does&substantial == 0 && !c.is(message.ActYes) }

// weight returns the weight of the clause in the message.
func (c *clause) weight() float64 {
	if c.courteous() || c.filler() {
		return lightly
	}
	return float64(max(1, len(c.words)))
}

// lightly is the weight of a courteous clause; a word of any other clause weighs 1.
const lightly = 0.2

// systemActs maps the system intents of an agent to acts.
var systemActs = map[string]message.Act{
	"affirm": message.ActYes, "deny": message.ActNo, "cancel": message.ActStop, "correct": message.ActCorrect, "greet": message.ActGreet, "goodbye": message.ActBye,
	"thanks": message.ActThanks, "repeat": message.ActRepeat, "help": message.ActHelp, "skip": message.ActSkip, "human": message.ActHuman, "resume": message.ActResume,
	"reset": message.ActReset,
}

// clausesOf prepares the clauses. If the classifier found none, its results for the message and for
// its head become clauses.
func (r *interpreter) clausesOf() []clause {
	given := r.msg.Clauses
	if len(given) == 0 {
		given = r.wholes()
	}
	if len(given) > mostMembers {
		given = given[:mostMembers]
	}
	out := make([]clause, len(given))
	for i, c := range given {
		out[i] = clause{Clause: c, text: r.between(c.Start, c.End)}
		if out[i].text == r.msg.Text { // one clause, as in most messages
			out[i].words = slices.Clone(r.words)
		} else {
			out[i].words = r.wordsOf(out[i].text)
		}
		out[i].weigh()
		for j, v := range r.msg.Values {
			if v.Source != sourceText && out[i].meets(v) && j < mostMembers {
				out[i].values |= only(j)
			}
		}
	}
	r.hearRanked(out)
	r.strike(out)
	return out
}

// hearRanked gives a message of one clause the act that its ranking is sure of, if the clause is not
// known to do anything else: "what a question" asks for help.
func (r *interpreter) hearRanked(clauses []clause) {
	act, system := systemActs[r.msg.Intent]
	if !system || rankable&acts(act) == 0 || r.msg.Confidence < surelyRanked || len(clauses) != 1 {
		return
	}
	if r.freeText() && (properName(r.msg.Text) || act != message.ActHelp) {
		return // an answer may be made of any words: "Skip Miller", "Never stop dreaming"
	}
	if c := &clauses[0]; c.does == 0 && c.values == 0 && !r.namesParam(c.words) {
		c.Acts[act] = float32(r.msg.Confidence)
		c.weigh()
	}
}

// namesParam reports whether words name a param of the task under way.
func (r *interpreter) namesParam(words []string) bool {
	return r.in != nil && slices.ContainsFunc(r.in.AllParams(), func(p *config.Param) bool { return names(p, words) })
}

// rankable are the acts that a ranking alone can show. A yes, a no and a reset need more.
var rankable = acts(message.ActHelp, message.ActRepeat, message.ActHuman, message.ActSkip, message.ActStop, message.ActResume)

// surelyRanked is the confidence from which a system intent is heard although no act shows it.
const surelyRanked = 0.9

// marked is the probability that a clause asks if only its question mark says so.
const marked = 0.55

// strike removes acts that the state makes impossible: a yes and a no if no question takes them,
// and a weak yes in a clause with a value.
func (r *interpreter) strike(clauses []clause) {
	q := r.st.Open
	open := q != nil && q.Kind != askParam || r.asked != nil && r.asked.Type.Builtin == "boolean" ||
		r.st.Active != nil && r.st.Active.Failed != "" || r.st.Declined != nil || r.st.recovered || r.st.questionExpired
	for i := range clauses {
		c := &clauses[i]
		if c.Mark == '?' && len(c.words) > 2 && !c.any(message.ActQuestion, message.ActRequest, message.ActYes) {
			c.Acts[message.ActQuestion] = marked
		}
		if (c.values != 0 && c.p(message.ActYes) < surely || !open && len(c.words) > 2) && c.Stock != "affirm" {
			c.Acts[message.ActYes] = 0
		}
		c.weigh()
	}
}

// wholes makes clauses of the results for the whole message: its lead and the rest.
func (r *interpreter) wholes() []message.Clause {
	h := &r.msg
	end := r.size
	var out []message.Clause
	if h.Lead != "" {
		head := message.Clause{End: min(max(h.LeadEnd, 1), max(end, 1)), Stock: h.Lead}
		head.Acts[systemActs[h.Lead]] = 1
		out = append(out, head)
	}
	rest := message.Clause{End: max(end, 1)}
	if len(out) > 0 {
		rest.Start = min(out[0].End, rest.End)
	}
	if act, ok := systemActs[h.Intent]; ok {
		rest.Acts[act] = float32(h.Confidence)
	}
	if h.Exact {
		rest.Stock = h.Intent
	}
	if strings.HasSuffix(strings.TrimSpace(message.Normal(h.Text)), "?") {
		rest.Mark = '?'
	}
	rest.Ranking = r.tasksOf(h.Ranking)
	if rest.Start >= rest.End && len(out) > 0 && h.Intent == "" {
		return out
	}
	return append(out, rest)
}

// tasksOf removes all but the agent's own intents from a ranking.
func (r *interpreter) tasksOf(ranking []message.Score) []message.Score {
	var out []message.Score
	for _, s := range ranking {
		if r.isTask(s.Intent) {
			out = append(out, s)
		}
	}
	return out
}

// isTask reports whether a message can mean an intent of the agent's own now.
func (r *interpreter) isTask(id string) bool {
	in := r.def.Intent(id)
	return in != nil && !in.System && in.Follows(r.st.JustEnded)
}

// between returns a span of the message.
func (r *interpreter) between(from, to int) string {
	from, to = min(max(from, 0), r.size), min(max(to, 0), r.size)
	switch {
	case from >= to:
		return ""
	case r.text == nil:
		return r.msg.Text[from:to]
	}
	return string(r.text[from:to])
}

// wordsOf returns the words of a text in the form in which the rules compare them.
func wordsOf(text string) []string { return message.WordsOf(text) }
