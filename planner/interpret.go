package planner

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
)

// MaxText is the longest message that is read, in code points.
const MaxText = 4000

// Interpret reads a message into the state and returns how it was understood. Every rule proposes
// readings of the message (RULES.md). The arbiter compares them and performs the best one, with
// those that explain the rest. What no reading explains is said back.
func (st *Turn) Interpret(h Understanding) Interpretation {
	r := newInterpreter(st.def, st, h)
	under := st.Active
	var others []reading
	switch {
	case h.Handled && st.IsHandled():
		r.repeatHandled()
	case h.Structured:
		r.structured()
	case r.length() || r.tooLate():
	default:
		var all []reading
		for _, rule := range rules {
			for _, x := range rule.propose(r) {
				x.Rule = cmp.Or(x.Rule, rule.name)
				all = append(all, x)
			}
		}
		r.chosen, others = r.arbitrate(all)
		r.chosen = r.read(r.chosen, others)
		r.perform()
		r.findLeftovers(others)
	}
	r.unreadable()
	st.pruneAgenda()
	r.ensureReply()
	return r.interpretation(under, others)
}

// rule proposes readings of a message, or none.
type rule struct {
	name    string
	propose func(*interpreter) []reading
}

// rules lists all rules. The order only decides between readings with the same score.
var rules = []rule{
	{"yes", (*interpreter).proposeYes},
	{"objection", (*interpreter).proposeObjection},
	{"no", (*interpreter).proposeNo},
	{"decline", (*interpreter).proposeDecline},
	{"taken back", (*interpreter).proposeTakenBack},
	{"choice", (*interpreter).proposeChoice},
	{"elements", (*interpreter).proposeElements},
	{"values", (*interpreter).proposeValues},
	{"denied", (*interpreter).proposeDenied},
	{"misfit", (*interpreter).proposeMisfit},
	{"named", (*interpreter).proposeNamed},
	{"forget", (*interpreter).proposeForget},
	{"swap", (*interpreter).proposeSwap},
	{"more", (*interpreter).proposeMore},
	{"listing", (*interpreter).proposeListing},
	{"text", (*interpreter).proposeText},
	{"reword", (*interpreter).proposeReword},
	{"unplaced", (*interpreter).proposeUnplaced},
	{"same", (*interpreter).proposeSame},
	{"several", (*interpreter).proposeSeveral},
	{"task", (*interpreter).proposeTask},
	{"follow", (*interpreter).proposeFollow},
	{"outcome", (*interpreter).proposeOutcome},
	{"undo", (*interpreter).proposeUndo},
	{"hold", (*interpreter).proposeHold},
	{"stop", (*interpreter).proposeStop},
	{"question", (*interpreter).proposeQuestion},
	{"meta", (*interpreter).proposeMeta},
	{"excuse", (*interpreter).proposeExcuse},
	{"note", (*interpreter).proposeNote},
	{"courtesy", (*interpreter).proposeCourtesy},
	{"noted", (*interpreter).proposeNoted},
	{"plight", (*interpreter).proposePlight},
}

// interpreter reads one message.
type interpreter struct {
	def       *config.Agent
	st        *Turn
	msg       Understanding
	text      []rune         // of the message; nil: each code point is a byte of Understanding.Text
	size      int            // of the message, in code points
	words     []string       // of the whole message
	gloss     *message.Gloss // the agent's language; nil: English
	clauses   []clause
	in        *config.Intent    // of the active frame, or nil
	asked     *config.Param     // of the open question, or nil
	chosen    []reading         // in the order in which they are performed
	used      set               // of Understanding.Values
	weighed   []message.Command // what the reader has found, once it was asked
	ruledOut  bool              // a rule has found what no yes stands beside
	byText    reading           // the text that is asked for, as a rule reads it; no perform: there is none
	begun     bool              // the message began the task under way, so its values correct nothing
	picked    bool              // an offered intent was chosen
	asksOf    *openQuestion     // that asks belongs to
	asks      map[string]bool   // the words of the open confirmation
	listed    map[string]bool   // of the yeses that the agent lists
	filled    bool              // some value was taken
	spoke     bool              // the reply says something
	told      []string          // params whose change was refused in this turn
	leftovers []Leftover
	lastOpen  *openQuestion // open when the message came
}

func newInterpreter(def *config.Agent, st *Turn, h Understanding) *interpreter {
	r := &interpreter{def: def, st: st, msg: h, size: len(h.Text), gloss: message.GlossOf(def.Language), lastOpen: st.Open}
	if strings.ContainsFunc(h.Text, func(c rune) bool { return c >= utf8.RuneSelf }) {
		r.text = []rune(h.Text)
		r.size = len(r.text)
	}
	r.words = r.wordsOf(h.Text)
	r.in = st.intent(def)
	r.asked = r.askedParam()
	r.msg.Values = r.wholeAnswers(h.Values)
	r.clauses = r.clausesOf()
	r.describe()
	return r
}

// wholeAnswers returns the values without those of the asked param that are only a part of what was
// answered: the classifier gives the whole answer too, and its span leaves out more than a lead-in.
func (r *interpreter) wholeAnswers(values []message.Value) []message.Value {
	return slices.DeleteFunc(slices.Clone(values), func(v message.Value) bool {
		return r.asked != nil && v.Param == r.asked.Name && v.Source == "tagger" && slices.ContainsFunc(values, func(w message.Value) bool {
			return w.Param == v.Param && w.Source != v.Source && w.Start <= v.Start && v.End <= w.End
		})
	})
}

// phases orders the readings of one message: first those about the task under way, then asides,
// then new tasks.
var phases = map[kind]int{kindMore: 1, kindAside: 2, kindTask: 3}

// perform carries out the chosen readings. A question that none of them closed is asked again.
func (r *interpreter) perform() {
	slices.SortStableFunc(r.chosen, func(a, b reading) int { return cmp.Compare(phases[a.kind], phases[b.kind]) })
	for _, x := range r.chosen {
		r.used |= x.values
		x.perform(r)
	}
	if len(r.chosen) == 0 {
		r.unread()
	}
}

func (r *interpreter) askedParam() *config.Param {
	q := r.st.Open
	if q == nil || q.Param == "" || r.in == nil {
		return nil
	}
	return r.in.Param(q.Param)
}

// length answers empty and too long messages (rule 24). The question stays open.
func (r *interpreter) length() bool {
	id := ""
	switch {
	case strings.TrimSpace(r.msg.Text) == "":
		id = "empty"
	case utf8.RuneCountInString(r.msg.Text) > MaxText:
		id = "too_long"
	default:
		return false
	}
	r.say(id, nil)
	r.again()
	return true
}

// tooLate handles a yes or a no to a question that is void because it expired, or because a crash
// interrupted its call and this turn or an earlier one has recovered it.
func (r *interpreter) tooLate() bool {
	if !r.st.recovered && !(r.st.questionExpired && r.st.Active != nil) && !r.st.IsHandled() {
		return false
	}
	for i := range r.clauses {
		if c := &r.clauses[i]; !c.courteous() && !c.is(message.ActYes) && !c.is(message.ActNo) {
			return false
		}
	}
	if r.st.IsHandled() {
		r.repeatHandled()
	}
	r.spoke = true
	return true
}

func (r *interpreter) say(id string, extra map[string]any) {
	r.st.later(id, extra)
	r.spoke = true
}

// again closes the open question so that Next words it anew. The plan does not come back to
// questions of the dialogue itself, so those stay open.
func (r *interpreter) again() {
	if r.planned() {
		r.st.Open = nil
	}
}

// planned reports whether the plan would ask the open question again.
func (r *interpreter) planned() bool { return r.st.planned() }

// ensureReply makes sure that every message gets an answer: if nothing was said, it repeats the
// open question, or says that the task waits for "try again".
func (r *interpreter) ensureReply() {
	q := r.st.Open
	switch {
	case len(r.st.Agenda) > 0:
	case q == nil && r.st.Active == nil && r.st.recovered && r.spoke: // the router reports the interrupted call
	case q == nil && r.st.Active == nil:
		r.fallback()
	case q == nil && r.st.Active.Failed != "":
		r.say("tool_failed", nil)
	case q == nil: // the plan goes on
	case r.planned() || q.Kind == askHandoff && r.st.Active != nil:
		r.st.Open = nil // the plan comes to it again
	default:
		r.fallback()
	}
}

// pruneAgenda drops questions about a task that the same message ended or suspended.
func (st *Turn) pruneAgenda() {
	in := st.intent(st.def)
	st.Agenda = slices.DeleteFunc(st.Agenda, func(s Step) bool {
		switch s := s.(type) {
		case Choose:
			return s.Param != "" && (in == nil || in.Param(s.Param) == nil)
		case Offer:
			return in == nil && (s.kind == askChange || s.kind == askCorrect)
		}
		return false
	})
}

// interpretation says how the message was understood.
func (r *interpreter) interpretation(under *frame, others []reading) Interpretation {
	a := Interpretation{Chosen: make([]ScoredReading, 0, len(r.chosen)), RunnersUp: []ScoredReading{}, Unheard: append([]Leftover{}, r.leftovers...)}
	for _, x := range r.chosen {
		a.Chosen = append(a.Chosen, r.scored(x))
		if x.Intent != "" {
			a.Intent = x.Intent
		}
	}
	for _, x := range others[:min(len(others), maxRunnersUp)] {
		a.RunnersUp = append(a.RunnersUp, r.scored(x))
	}
	switch {
	case r.msg.Structured && r.msg.Intent != "":
		a.Intent = r.msg.Intent
	case r.picked && r.st.Active != nil:
		a.Intent = r.st.Active.Intent
	case a.Intent != "":
	case len(r.chosen) == 0 && r.saidAct() != "":
		a.Intent = r.saidAct()
	case under != nil:
		a.Intent = under.Intent
	case r.st.Active != nil:
		a.Intent = r.st.Active.Intent
	}
	return a
}

// saidAct returns the system intent of a message that changed nothing, such as a yes without a
// question.
func (r *interpreter) saidAct() string {
	for i := range r.clauses {
		c := &r.clauses[i]
		if in := r.def.Intent(c.Stock); in != nil && in.System && systemActs[c.Stock] <= message.ActNo {
			return in.ID
		}
	}
	return ""
}

// roundScore rounds a figure of an interpretation to two decimals. More would differ with every
// training of the models.
func roundScore(x float64) float64 { return math.Round(100*x) / 100 }

func (r *interpreter) scored(x reading) ScoredReading {
	w := ScoredReading{Rule: x.Rule, Intent: x.Intent, Score: roundScore(x.score), Evidence: roundScore(x.evidence), Share: roundScore(r.share(x.clauses)), Spans: [][2]int{}}
	for _, i := range x.clauses.members() {
		w.Spans = append(w.Spans, [2]int{r.clauses[i].Start, r.clauses[i].End})
	}
	return w
}
