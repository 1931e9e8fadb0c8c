package planner

import (
	"slices"
	"strings"

	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
)

// brief is up to how many words a clause says little: "my item" may be about anything that has
// items. Then twice as much again must lie between the best two intents.
const (
	brief       = 2
	briefFactor = 3
)

// request is one clause, or the whole message, as a request for a task.
type request struct {
	in      *config.Intent
	second  *config.Intent // nil: none is near
	sure    float64
	exact   bool
	close   bool // the best two are too close to tell
	clauses set
	ranking []message.Score
	asks    bool // it is a question, not a wish
	guess   bool // the evidence does not come from the classifier
	backed  bool // its words or values are evidence, besides the classifier
	if_     bool // it is under a condition
}

// requests returns what each clause asks for, and what the message asks for as a whole, without
// what the state makes impossible or a clause denies.
func (r *interpreter) requests() []request {
	var out []request
	for i := range r.clauses {
		c := &r.clauses[i]
		if c.courteous() || c.filler() || c.is(message.ActRepeat) && c.Stock == "" && r.st.Open != nil && r.st.Active != nil {
			continue // "which day did you say?"
		}
		if q, ok := r.requestOf(c, c.Ranking, c.Stock); ok {
			q.clauses = only(i)
			out = append(out, q)
		}
	}
	if r.readsWhole(out) {
		if q, ok := r.wholeRequest(); ok {
			out = append(out, q)
		}
	}
	return out
}

// readsWhole reports whether the message as a whole may ask for more than its clauses do: it has
// several clauses, or its tasks are likelier than what its only clause asks for.
func (r *interpreter) readsWhole(byClause []request) bool {
	if len(r.clauses) > 1 {
		return true
	}
	best := slices.IndexFunc(r.msg.Ranking, func(s message.Score) bool { return r.isTask(s.Intent) })
	return best >= 0 && (len(byClause) == 0 || r.msg.Ranking[best].Confidence > byClause[0].sure)
}

// wholeRequest returns what the message asks for as a whole.
func (r *interpreter) wholeRequest() (request, bool) {
	stock := ""
	if r.msg.Exact && r.msg.Lead == "" {
		stock = r.msg.Intent
	}
	whole := r.clauses[0]
	whole.Acts = r.wholeActs()
	whole.weigh()
	whole.words = r.words
	whole.Mark = 0
	whole.Join = ""
	q, ok := r.requestOf(&whole, r.tasksOf(r.msg.Ranking), stock)
	if !ok {
		return q, false
	}
	for i := range r.clauses {
		if c := &r.clauses[i]; (!c.any(message.ActNo, message.ActYes, message.ActStop, message.ActHold) || c.courteous()) && !r.answers(c) || q.exact {
			q.clauses |= only(i)
		}
	}
	return q, true
}

// answers reports whether a clause has a value that the task under way needs, and asks nothing.
func (r *interpreter) answers(c *clause) bool {
	return r.st.Active != nil && c.values != 0 && !c.any(message.ActQuestion, message.ActRequest) && slices.ContainsFunc(r.valuesOf(c.values), func(v message.Value) bool {
		return r.in != nil && r.in.Param(v.Param) != nil
	})
}

// wholeActs returns the highest probability of each act over the clauses.
func (r *interpreter) wholeActs() message.Acts {
	var whole message.Acts
	for i := range r.clauses {
		for a, p := range r.clauses[i].Acts {
			whole[a] = max(whole[a], p)
		}
	}
	return whole
}

func (r *interpreter) requestOf(c *clause, ranking []message.Score, stock string) (request, bool) {
	meant := func(s message.Score) bool {
		return r.isTask(s.Intent) && s.Intent != r.def.Classifier.Fallback && !r.denies(c.words, r.def.Intent(s.Intent))
	}
	if slices.ContainsFunc(ranking, func(s message.Score) bool { return !meant(s) }) {
		ranking = slices.DeleteFunc(slices.Clone(ranking), func(s message.Score) bool { return !meant(s) })
	}
	if in := r.def.Intent(stock); r.isTask(stock) {
		return request{in: in, sure: 1, exact: true, ranking: ranking, if_: conditional(c)}, true
	}
	if len(ranking) == 0 {
		return request{}, false
	}
	best := ranking[0]
	q := request{
		in: r.def.Intent(best.Intent), sure: best.Confidence, ranking: ranking, if_: conditional(c),
		exact: r.msg.Exact && len(r.clauses) == 1 && r.msg.Intent == best.Intent,
		asks:  c.p(message.ActQuestion) >= likely && c.p(message.ActQuestion) > c.p(message.ActRequest) && !wishes(c.words),
	}
	if len(ranking) > 1 {
		q.second = r.def.Intent(ranking[1].Intent)
		margin := r.def.Classifier.Ambiguity
		if len(c.words) <= brief {
			margin *= briefFactor
		}
		q.close = !q.exact && best.Confidence-ranking[1].Confidence < margin
		r.makeRoom(c, &q, ranking[1].Confidence)
	}
	return q, true
}

// wishes reports whether a question asks to do something: "can I return it".
func wishes(words []string) bool {
	for len(words) > 0 && wishFillers[words[0]] {
		words = words[1:]
	}
	if len(words) < 2 {
		return false
	}
	if wishOpeners[words[0]] {
		return partners[words[1]]
	}
	return words[0] == "is" && words[1] == "it" && slices.Contains(words, "possible")
}

// Words of a wish that is put as a question: "so can I return it".
var (
	wishFillers = wordSet("wish_fillers")
	wishOpeners = wordSet("wish_openers")
	partners    = wordSet("partners")
)

// conditional reports whether a clause is under a condition.
func conditional(c *clause) bool {
	return c.Join == "if" || c.Join == "unless" || len(c.words) > 0 && (c.words[0] == "if" || c.words[0] == "unless")
}

// denies reports whether words deny the verb of a task: "I do not want to cancel". A word behind an
// article is a thing: "I cannot find my refund" does not deny a refund.
func (r *interpreter) denies(words []string, in *config.Intent) bool {
	var verbs []string
	for i, w := range words {
		if !negators[w] && !strings.HasSuffix(w, "n't") && !refusing[w] {
			continue
		}
		if verbs == nil {
			verbs = r.verbsOf(in)
		}
		for k := i + 1; k < min(len(words), i+4); k++ {
			if slices.Contains(verbs, words[k]) && !articles[words[k-1]] {
				return true
			}
		}
	}
	return false
}

// refusing are negations without an apostrophe.
var refusing = wordSet("refusing")

// articles precede a thing. Behind another word, the name of a thing is a verb.
var articles = wordSet("articles")

// verbsOf returns the first words of a task's id and title, else all words of its id.
func (r *interpreter) verbsOf(in *config.Intent) []string {
	verbs := r.wordsOf(spaced(in.ID))
	if t := r.wordsOf(in.Called()); len(t) > 0 {
		verbs = append(verbs[:min(1, len(verbs))], r.headVerb(t))
	}
	return verbs
}
