package planner

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/language"
)

// MaxText is the longest message that is read, in code points.
const MaxText = 4000

// Interpret takes a message into the state and returns how it was taken. Every rule proposes what
// the message may be (RULES.md); the arbiter compares the readings; the best is performed, with
// those that explain what it leaves; the rest is told. State.Turn and State.Now must be those
// of the message.
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
			all = append(all, rule.propose(r)...)
		}
		for i := range all {
			if all[i].Rule == "" {
				all[i].Rule = "?"
			}
		}
		r.chosen, others = r.arbitrate(all)
		r.perform()
		r.findLeftovers()
	}
	r.unreadable()
	st.pruneAgenda()
	r.ensureReply()
	return r.interpretation(under, others)
}

// rule proposes readings of a message. A rule that has nothing to say of it proposes none.
type rule struct {
	name    string
	propose func(*interpreter) []reading
}

// rules are all of them. Their order only decides between readings of the same score.
var rules = []rule{
	{"yes", (*interpreter).proposeYes},
	{"objection", (*interpreter).proposeObjection},
	{"no", (*interpreter).proposeNo},
	{"taken back", (*interpreter).proposeTakenBack},
	{"choice", (*interpreter).proposeChoice},
	{"values", (*interpreter).proposeValues},
	{"denied", (*interpreter).proposeDenied},
	{"misfit", (*interpreter).proposeMisfit},
	{"named", (*interpreter).proposeNamed},
	{"forget", (*interpreter).proposeForget},
	{"swap", (*interpreter).proposeSwap},
	{"flag", (*interpreter).proposeFlag},
	{"more", (*interpreter).proposeMore},
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

// hearing is one message on its way through the rules.
type interpreter struct {
	def       *config.Agent
	st        *Turn
	msg       Understanding
	text      []rune
	words     []string        // of the whole message
	gloss     *language.Gloss // of the agent's language; nil: English
	clauses   []clause
	in        *config.Intent  // of the active frame, or nil
	asked     *config.Param   // that the open question is about, or nil
	chosen    []reading       // in the order in which they are performed
	used      set             // of Understanding.Values
	begun     bool            // the message began the task under way: its values correct nothing
	picked    bool            // one of the offered intents was chosen
	asksOf    *openQuestion   // whose words are asks
	asks      map[string]bool // the words of the open confirmation
	listed    map[string]bool // of the yeses that the agent lists
	filled    bool            // some value was taken
	spoke     bool            // something was answered: the message was not in vain
	told      []string        // params of which it was said that they cannot be changed any more
	leftovers []Leftover
	lastOpen  *openQuestion // the question that the message came to
}

func newInterpreter(def *config.Agent, st *Turn, h Understanding) *interpreter {
	r := &interpreter{def: def, st: st, msg: h, text: []rune(h.Text), gloss: language.GlossOf(def.Language), lastOpen: st.Open}
	r.words = r.wordsOf(h.Text)
	r.in = st.intent(def)
	r.asked = r.askedParam()
	r.clauses = r.clausesOf()
	return r
}

// phases is the order in which the readings of one message are performed: first what it says
// of what is under way, then what it asks besides, then what it begins.
var phases = map[kind]int{kindMore: 1, kindAside: 2, kindTask: 3}

// perform carries out the chosen readings. A question that none of them closed is put again.
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

// length answers empty and over-long messages (rule 24); the question stays open.
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

// tooLate deals with a yes or a no to a question that is void: it grew old, or a crash left its
// call open and this turn has concluded it, or one before that.
func (r *interpreter) tooLate() bool {
	if !r.st.recovered && !(r.st.questionExpired && r.st.Active != nil) && !r.st.IsHandled() {
		return false
	}
	for i := range r.clauses {
		if c := &r.clauses[i]; !c.courteous() && !c.is(actYes) && !c.is(actNo) {
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

// again closes the open question so that Next words it anew. Questions that are not the
// plan's own cannot be found again, so they stay open.
func (r *interpreter) again() {
	if r.planned() {
		r.st.Open = nil
	}
}

// planned says whether the open question is one that the plan would ask again.
func (r *interpreter) planned() bool {
	q := r.st.Open
	return q != nil && r.st.Active != nil && (q.Kind == askParam || q.Kind == askChoice && q.Step != "" || q.Kind == AskConfirm)
}

// neverSilent sees to it that every message is answered: where all was taken in and a
// question is still open, it is put again; a task that waits for "try again" says so.
func (r *interpreter) ensureReply() {
	q := r.st.Open
	switch {
	case len(r.st.Agenda) > 0:
	case q == nil && r.st.Active == nil && r.st.recovered && r.spoke: // the router tells of the lost call
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

// settleAgenda drops questions about a task that the same message ended or put aside:
// their answers would belong to nothing.
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

// account is how the message was taken.
func (r *interpreter) interpretation(under *frame, others []reading) Interpretation {
	a := Interpretation{Chosen: []ScoredReading{}, RunnersUp: []ScoredReading{}, Unheard: append([]Leftover{}, r.leftovers...)}
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

// saidAct is the system intent that a message which changed nothing stands for: a yes to nothing.
func (r *interpreter) saidAct() string {
	for i := range r.clauses {
		c := &r.clauses[i]
		if in := r.def.Intent(c.Stock); in != nil && in.System && systemActs[c.Stock] <= actNo {
			return in.ID
		}
	}
	return ""
}

// told is a figure as an account tells it: with two decimals. More say nothing to anybody, and
// would differ with every training of the models behind them.
func roundScore(x float64) float64 { return math.Round(100*x) / 100 }

func (r *interpreter) scored(x reading) ScoredReading {
	w := ScoredReading{Rule: x.Rule, Intent: x.Intent, Score: roundScore(x.score), Evidence: roundScore(x.evidence), Share: roundScore(r.share(x.clauses)), Spans: [][2]int{}}
	for _, i := range x.clauses.members() {
		w.Spans = append(w.Spans, [2]int{r.clauses[i].Start, r.clauses[i].End})
	}
	return w
}
