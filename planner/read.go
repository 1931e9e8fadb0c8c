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
func Interpret(def *config.Agent, st *Turn, h Understanding) Interpretation {
	r := newHearing(def, st, h)
	under := st.Active
	var others []Reading
	switch {
	case h.Handled && st.IsHandled():
		r.spent()
	case h.Structured:
		r.given()
	case r.length() || r.tooLate():
	default:
		var all []Reading
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
		r.leftOver()
	}
	r.unreadable()
	st.settleAgenda(def)
	r.neverSilent()
	return r.account(under, others)
}

// rule proposes readings of a message. A rule that has nothing to say of it proposes none.
type rule struct {
	name    string
	propose func(*hearing) []Reading
}

// rules are all of them. Their order only decides between readings of the same score.
var rules = []rule{
	{"yes", (*hearing).proposeYes},
	{"objection", (*hearing).proposeObjection},
	{"no", (*hearing).proposeNo},
	{"taken back", (*hearing).proposeTakenBack},
	{"choice", (*hearing).proposeChoice},
	{"values", (*hearing).proposeValues},
	{"denied", (*hearing).proposeDenied},
	{"misfit", (*hearing).proposeMisfit},
	{"named", (*hearing).proposeNamed},
	{"forget", (*hearing).proposeForget},
	{"swap", (*hearing).proposeSwap},
	{"flag", (*hearing).proposeFlag},
	{"more", (*hearing).proposeMore},
	{"text", (*hearing).proposeText},
	{"reword", (*hearing).proposeReword},
	{"unplaced", (*hearing).proposeUnplaced},
	{"same", (*hearing).proposeSame},
	{"several", (*hearing).proposeSeveral},
	{"task", (*hearing).proposeTask},
	{"follow", (*hearing).proposeFollow},
	{"outcome", (*hearing).proposeOutcome},
	{"undo", (*hearing).proposeUndo},
	{"hold", (*hearing).proposeHold},
	{"stop", (*hearing).proposeStop},
	{"question", (*hearing).proposeQuestion},
	{"meta", (*hearing).proposeMeta},
	{"excuse", (*hearing).proposeExcuse},
	{"note", (*hearing).proposeNote},
	{"courtesy", (*hearing).proposeCourtesy},
	{"noted", (*hearing).proposeNoted},
	{"plight", (*hearing).proposePlight},
}

// hearing is one message on its way through the rules.
type hearing struct {
	def      *config.Agent
	st       *Turn
	h        Understanding
	text     []rune
	words    []string        // of the whole message
	gloss    *language.Gloss // of the agent's language; nil: English
	clauses  []clause
	in       *config.Intent  // of the active frame, or nil
	asked    *config.Param   // that the open question is about, or nil
	chosen   []Reading       // in the order in which they are performed
	used     set             // of Understanding.Values
	begun    bool            // the message began the task under way: its values correct nothing
	picked   bool            // one of the offered intents was chosen
	asksOf   *Question       // whose words are asks
	asks     map[string]bool // the words of the open confirmation
	listed   map[string]bool // of the yeses that the agent lists
	filled   bool            // some value was taken
	spoke    bool            // something was answered: the message was not in vain
	told     []string        // params of which it was said that they cannot be changed any more
	left     []Leftover
	lastOpen *Question // the question that the message came to
}

func newHearing(def *config.Agent, st *Turn, h Understanding) *hearing {
	r := &hearing{def: def, st: st, h: h, text: []rune(h.Text), gloss: language.GlossOf(def.Language), lastOpen: st.Open}
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
func (r *hearing) perform() {
	slices.SortStableFunc(r.chosen, func(a, b Reading) int { return cmp.Compare(phases[a.kind], phases[b.kind]) })
	for _, x := range r.chosen {
		r.used |= x.values
		x.perform(r)
	}
	if len(r.chosen) == 0 {
		r.unread()
	}
}

func (r *hearing) askedParam() *config.Param {
	q := r.st.Open
	if q == nil || q.Param == "" || r.in == nil {
		return nil
	}
	return r.in.Param(q.Param)
}

// length answers empty and over-long messages (rule 24); the question stays open.
func (r *hearing) length() bool {
	id := ""
	switch {
	case strings.TrimSpace(r.h.Text) == "":
		id = "empty"
	case utf8.RuneCountInString(r.h.Text) > MaxText:
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
func (r *hearing) tooLate() bool {
	if !r.st.settled && !(r.st.lapsed && r.st.Active != nil) && !r.st.IsHandled() {
		return false
	}
	for i := range r.clauses {
		if c := &r.clauses[i]; !c.courteous() && !c.is(ActYes) && !c.is(ActNo) {
			return false
		}
	}
	if r.st.IsHandled() {
		r.spent()
	}
	r.spoke = true
	return true
}

func (r *hearing) say(id string, extra map[string]any) {
	r.st.later(r.def, id, extra)
	r.spoke = true
}

// again closes the open question so that Next words it anew. Questions that are not the
// plan's own cannot be found again, so they stay open.
func (r *hearing) again() {
	if r.planned() {
		r.st.Open = nil
	}
}

// planned says whether the open question is one that the plan would ask again.
func (r *hearing) planned() bool {
	q := r.st.Open
	return q != nil && r.st.Active != nil && (q.Kind == AskParam || q.Kind == AskChoice && q.Step != "" || q.Kind == AskConfirm)
}

// neverSilent sees to it that every message is answered: where all was taken in and a
// question is still open, it is put again; a task that waits for "try again" says so.
func (r *hearing) neverSilent() {
	q := r.st.Open
	switch {
	case len(r.st.Agenda) > 0:
	case q == nil && r.st.Active == nil && r.st.settled && r.spoke: // the router tells of the lost call
	case q == nil && r.st.Active == nil:
		r.fallback()
	case q == nil && r.st.Active.Failed != "":
		r.say("tool_failed", nil)
	case q == nil: // the plan goes on
	case r.planned() || q.Kind == AskHandoff && r.st.Active != nil:
		r.st.Open = nil // the plan comes to it again
	default:
		r.fallback()
	}
}

// settleAgenda drops questions about a task that the same message ended or put aside:
// their answers would belong to nothing.
func (st *Turn) settleAgenda(def *config.Agent) {
	in := st.intent(def)
	st.Agenda = slices.DeleteFunc(st.Agenda, func(s Step) bool {
		switch s := s.(type) {
		case Choose:
			return s.Param != "" && (in == nil || in.Param(s.Param) == nil)
		case Offer:
			return in == nil && (s.kind == AskChange || s.kind == AskCorrect)
		}
		return false
	})
}

// account is how the message was taken.
func (r *hearing) account(under *Frame, others []Reading) Interpretation {
	a := Interpretation{Chosen: []ScoredReading{}, RunnersUp: []ScoredReading{}, Unheard: append([]Leftover{}, r.left...)}
	for _, x := range r.chosen {
		a.Chosen = append(a.Chosen, r.weighed(x))
		if x.Intent != "" {
			a.Intent = x.Intent
		}
	}
	for _, x := range others[:min(len(others), maxRunnersUp)] {
		a.RunnersUp = append(a.RunnersUp, r.weighed(x))
	}
	switch {
	case r.h.Structured && r.h.Intent != "":
		a.Intent = r.h.Intent
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
func (r *hearing) saidAct() string {
	for i := range r.clauses {
		c := &r.clauses[i]
		if in := r.def.Intent(c.Stock); in != nil && in.System && systemActs[c.Stock] <= ActNo {
			return in.ID
		}
	}
	return ""
}

// told is a figure as an account tells it: with two decimals. More say nothing to anybody, and
// would differ with every training of the models behind them.
func told(x float64) float64 { return math.Round(100*x) / 100 }

func (r *hearing) weighed(x Reading) ScoredReading {
	w := ScoredReading{Rule: x.Rule, Intent: x.Intent, Score: told(x.score), Evidence: told(x.evidence), Share: told(r.share(x.clauses)), Spans: [][2]int{}}
	for _, i := range x.clauses.members() {
		w.Spans = append(w.Spans, [2]int{r.clauses[i].Start, r.clauses[i].End})
	}
	return w
}
