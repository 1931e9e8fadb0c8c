package cues

import (
	"slices"
	"strings"
	"unicode"

	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
)

// group is the params of one intent that share a type, so that a value fits all of them.
type group struct {
	params  []string
	types   []string // stems of the words of its type's name
	kind    kind
	english bool
	stay    bool // the days of a stay
	change  bool // what is and what is to be in its place
	hire    bool // something is fetched and brought back: one may arrive where it begins
	heads   int  // the member that is the only one to start something; -1: none
	tails   int
	tally   map[string][]int // by the words before annotated values: how often of each member
	nudges  map[string]bool  // of these, those that are a bare place or a neutral preposition
	learnt  map[string]int   // words before a value -> the only member they announce
	bare    int              // member of the values that nothing announces; -1: none
	between map[string]int   // words between two values -> the member of the first; -1: the examples differ
	gone    [2]int           // of two members, in how many examples each is what goes
}

// mostMembers is the greatest number of params of one type that words can tell apart.
const mostMembers = 6

// groupsOf finds the params that share a type, intent by intent.
func groupsOf(agent *config.Agent) []*group {
	var out []*group
	for _, in := range agent.Intents {
		byType := map[string][]*config.Param{}
		var order []string
		for _, p := range in.AllParams() {
			key := sharedType(p)
			if key == "" {
				continue
			}
			if byType[key] == nil {
				order = append(order, key)
			}
			byType[key] = append(byType[key], p)
		}
		for _, key := range order {
			list := byType[key]
			if len(list) < 2 || len(list) > mostMembers {
				continue
			}
			g := newGroup(list)
			if !slices.ContainsFunc(out, func(h *group) bool { return slices.Equal(h.params, g.params) }) {
				out = append(out, g)
			}
		}
	}
	return out
}

// sharedType is the key of the type that params must share for one value to fit all of them. It is
// "" for free text: there the words around a text decide between the params.
func sharedType(p *config.Param) string {
	if p.Type == nil {
		return ""
	}
	switch p.Type.Builtin {
	case "text", "boolean":
		if len(p.Type.Patterns) == 0 {
			return ""
		}
	case "number", "integer":
		return "number"
	}
	return p.Type.Name
}

func newGroup(list []*config.Param) *group {
	g := &group{heads: -1, tails: -1, bare: -1, tally: map[string][]int{}, nudges: map[string]bool{}, learnt: map[string]int{}, between: map[string]int{}}
	slices.SortStableFunc(list, func(a, b *config.Param) int { return strings.Compare(a.Name, b.Name) })
	for _, w := range nameWords(list[0].Type.Name) {
		g.types = append(g.types, message.Singular(w))
	}
	switch list[0].Type.Builtin {
	case "date", "time", "datetime":
		g.kind = moment
	case "number", "integer", "money", "percentage", "duration":
		g.kind = figure
	}
	for _, p := range list {
		g.params = append(g.params, p.Name)
	}
	g.stay = g.kind == moment && slices.ContainsFunc(list, func(p *config.Param) bool { return sideOf(p, stayNames) != neither })
	g.hire = slices.ContainsFunc(list, func(p *config.Param) bool { return sideOf(p, hireNames) == tail })
	g.change = slices.ContainsFunc(list, func(p *config.Param) bool { return sideOf(p, changeNames) == head })
	sides := make([]side, len(list))
	for i, p := range list {
		if g.stay {
			sides[i] = sideOf(p, stayNames)
		}
		if g.change {
			sides[i] = sideOf(p, changeNames)
		}
		if sides[i] == neither {
			sides[i] = sideOf(p, namedEnds[g.kind])
		}
	}
	g.heads, g.tails = onlyOne(sides, head), onlyOne(sides, tail)
	return g
}

// stayNames maps the words of param names to the two days of a stay.
var stayNames = ends2("stay name")

// changeNames maps the words of param names to the old and the new side of an exchange.
var changeNames = ends2("change name")

// hireNames maps the words of param names to the ends of a hire.
var hireNames = ends2("hire name")

// sideOf returns the end that a param's name or label names.
func sideOf(p *config.Param, table map[string]side) side {
	for _, text := range []string{p.Name, p.Label} {
		found := neither
		list := nameWords(text)
		for i, w := range list {
			s := table[w]
			if i+1 < len(list) && table[w+list[i+1]] != neither {
				s = table[w+list[i+1]] // check in, drop off
			}
			if s != neither && found != neither && s != found {
				return neither
			}
			if s != neither {
				found = s
			}
		}
		if found != neither {
			return found
		}
	}
	return neither
}

func onlyOne(sides []side, want side) int {
	at := -1
	for i, s := range sides {
		if s == want && at >= 0 {
			return -1
		}
		if s == want {
			at = i
		}
	}
	return at
}

// of returns the member that is an end, or -1.
func (g *group) of(s side) int {
	switch s {
	case head:
		return g.heads
	case tail:
		return g.tails
	}
	return -1
}

// learnRoles counts the words before the annotated values of members of a group.
func (r *Reader) learnRoles(e config.Example) {
	m := &cutMessage{}
	m.cut(e.Text)
	at := m.markSpans(e.Spans)
	params := make([]string, len(e.Spans))
	for k, s := range e.Spans {
		params[k] = s.Param
	}
	for _, g := range r.groups {
		if r.english {
			g.learnPair(m, at, params)
		}
	}
	for k, s := range e.Spans {
		for _, g := range r.groups {
			if slices.Contains(g.params, s.Param) {
				g.learn(m, at[k].from, s.Param)
			}
		}
	}
}

// longestLeft is the greatest number of words before a value that are learned.
const longestLeft = 3

// lefts are the last words before word i, from one to three of them, articles left out; ""
// where nothing of its clause or another value is before it.
func (m *cutMessage) lefts(i int) []string {
	for i > 0 && m.mark(i) == 0 && articles[m.low(i-1)] && m.free(i-1) {
		i--
	}
	var out []string
	key := ""
	for n := 0; n < longestLeft && i > 0 && depth(m.mark(i)) < 2 && m.free(i-1); n++ {
		i--
		if key != "" {
			key = " " + key
		}
		key = m.low(i) + key
		out = append(out, key)
	}
	if len(out) == 0 {
		return []string{""}
	}
	return out
}

var articles = words("articles")

// settle keeps the words that announce one member alone.
func (g *group) settle() {
	g.settleExchange()
	for key, counts := range g.tally {
		only, total := -1, 0
		for i, n := range counts {
			if n > 0 && total > 0 {
				only = -1
			} else if n > 0 {
				only = i
			}
			total += n
		}
		switch {
		case only < 0:
		case key == "":
			g.bare = only
		case g.nudges[key] || !telling(key, total) || total < 2 && g.contradicts(key, only):
		default:
			g.learnt[key] = only
		}
	}
	g.tally, g.nudges = nil, nil
}

// telling reports whether words were seen often enough, or end in a word that takes a value in a
// role. A noun seen once shows little.
func telling(key string, total int) bool {
	last := key[strings.LastIndexByte(key, ' ')+1:]
	if total > 1 {
		return true
	}
	if roleWords[last] {
		return true
	}
	for k := range announced {
		if len(announced[k][last]) > 0 {
			return true
		}
	}
	return neutral[last] && strings.ContainsFunc(key, unicode.IsSpace) && slices.ContainsFunc(strings.Fields(key), func(w string) bool {
		return verbs[place][w] != neither || verbs[moment][w] != neither
	})
}

// contradicts reports whether the tables give the last words of a key to another member.
func (g *group) contradicts(key string, member int) bool {
	m := &cutMessage{}
	m.cut(key)
	said, n := announced[g.kind].before(m, len(m.words))
	return n > 0 && g.of(said) >= 0 && g.of(said) != member
}

// roleWords lists prepositions and verbs that take a value.
var roleWords = words("role words")
