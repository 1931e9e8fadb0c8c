package summary

import (
	"bytes"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/slotway/slotway/config/pattern"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/internal/plaintext"
)

// maxRuleText is how much of a message rules read, in bytes; maxMatches is the most facts that one
// rule finds in a sentence.
const (
	maxRuleText = 8 << 10
	maxMatches  = 4
)

// rule finds a fact in a sentence, or makes its message important. The file of words holds the
// rules and describes their columns.
type rule struct {
	key, value string // with $1 and #1 for groups; key "": the rule finds no fact, value "": the last group
	category   memory.Category
	role       memory.Role         // of the message; "": user and agent
	level      int                 // importance of the message
	single     bool                // the key has one value at a time
	yields     bool                // to a fact of the same kind in the same words
	nobodys    bool                // the fact is the rule's, even if the user said it
	needs      signs               // the sentence has words of these classes
	lacks      []plaintext.Phrases // the sentence has none of these
	clause     []plaintext.Phrases // nor the clause up to the match of these
	denies     bool                // a clause that denies a match ends the fact
	thing      bool                // the first group is a known thing
	state      bool                // the last group is a known state
	begins     bool                // matches begin the sentence
	re         *pattern.Pattern
}

// rules are tried in order.
var rules = readRules()

func readRules() (all []rule) {
	var shapes []string
	for line := range strings.Lines(lists["shapes"]) {
		name, shape, _ := strings.Cut(strings.TrimSpace(line), ": ")
		shapes = append(shapes, "{"+name+"}", shape)
	}
	classes := func(names string) (out []plaintext.Phrases) {
		for name := range strings.FieldsSeq(strings.Trim(names, "-")) {
			list := lists.Phrases(name)
			if !strings.Contains(lists[name], ",") { // a list of words
				list = lists.Words(name)
			}
			out = append(out, plaintext.PhrasesOf(list))
		}
		return out
	}
	for line := range strings.Lines(lists["rules"]) {
		columns := strings.SplitN(strings.TrimSpace(line), " | ", 8)
		if len(columns) != 8 {
			panic(fmt.Sprintf("summary.txt: a rule of %d columns: %s", len(columns), line))
		}
		flags, needs, expr := strings.Fields(columns[3]), strings.Fields(columns[4]), columns[7]
		r := rule{
			category: memory.Category(strings.Trim(columns[1], "-")), level: 1, lacks: classes(columns[5]), clause: classes(columns[6]),
			single: slices.Contains(flags, "one"), yields: slices.Contains(flags, "yields"), nobodys: slices.Contains(flags, "rule"),
			thing: slices.Contains(needs, "thing"), state: slices.Contains(needs, "state"), begins: strings.Contains(expr, "{begin}"),
			re: pattern.Must(strings.NewReplacer(shapes...).Replace(expr)),
		}
		if rest, ok := strings.CutPrefix(columns[6], "denied"); ok {
			r.denies, r.clause = true, classes(rest)
		}
		r.key, r.value, _ = strings.Cut(strings.Trim(columns[0], "-"), "=")
		if columns[2] != "any" {
			r.role = memory.Role(columns[2])
		}
		if level, err := strconv.Atoi(flags[0]); err == nil {
			r.level = level
		}
		for _, class := range needs {
			r.needs |= classSign[class]
		}
		all = append(all, r)
	}
	return all
}

// find returns what a rule finds in a sentence. If a match is not about a known thing
// and state, the search goes on after its first word: a pattern of all known words would be a
// hundred times slower.
func (r *rule) find(sentence string, number int) (out []match) {
	for at := 0; len(out) < maxMatches && at < len(sentence); {
		groups := r.re.FindStringSubmatchIndex(sentence[at:])
		if groups == nil {
			break
		}
		for i := range groups {
			if groups[i] >= 0 {
				groups[i] += at
			}
		}
		if r.knows(sentence, groups) {
			value := groups[len(groups)-2] // "allergic to cats" speaks of no cat's allergy
			if value < 0 {
				value = groups[1]
			}
			before := clauseBefore(sentence, value)
			if !slices.ContainsFunc(r.clause, func(p plaintext.Phrases) bool { return p.In(before) }) {
				out = append(out, match{r, sentence, number, groups, r.denies && denied.In(clauseBefore(sentence, groups[1]))})
			}
			at = max(groups[1], at+1)
		} else {
			at = groups[0] + 1
			for at < len(sentence) && wordByte(sentence[at-1]) {
				at++
			}
		}
		if r.begins {
			break
		}
	}
	return out
}

// knows reports whether a match is about a known thing and state, where the rule needs them.
func (r *rule) knows(sentence string, match []int) bool {
	if r.thing && wordSigns[strings.ToLower(sentence[match[2]:match[3]])]&classSign["thing"] == 0 {
		return false
	}
	last := len(match) - 2
	return !r.state || slices.Contains(states, strings.ToLower(sentence[match[last]:match[last+1]]))
}

func wordByte(b byte) bool { return b == '_' || b >= '0' && b <= '9' || b|0x20 >= 'a' && b|0x20 <= 'z' }

// states are those of things.
var states = lists.Phrases("state")

var denied = phrases("denied")

// clauseBefore returns the words of a sentence up to a place, from where their clause begins.
func clauseBefore(sentence string, end int) string {
	clause := sentence[:end]
	clause = clause[strings.LastIndexAny(clause, ",;:–(")+1:]
	for _, join := range [...]string{" but ", " and ", " because "} {
		if at := strings.LastIndex(clause, join); at >= 0 {
			clause = clause[at+len(join):]
		}
	}
	return plaintext.Folded(clause)
}

// match is what a rule found in a sentence.
type match struct {
	*rule
	sentence string
	number   int   // of the sentence
	at       []int // places of the groups
	denied   bool  // by its clause
}

// matches yields what the rules find in a message of the user or the agent.
func matches(m *memory.Message, use func(*rule) bool) iter.Seq[match] {
	return func(yield func(match) bool) {
		if m.Role != memory.User && m.Role != memory.Agent {
			return
		}
		number := 0
		for sentence := range plaintext.Sentences(m.Text[:min(len(m.Text), maxRuleText)]) {
			sentence = strings.TrimSpace(strings.ReplaceAll(sentence, "’", "'"))
			number++
			has, folded := signsOf(sentence), ""
			for i := range rules {
				r := &rules[i]
				if r.role != "" && r.role != m.Role || has&r.needs != r.needs || !use(r) {
					continue
				}
				found := r.find(sentence, number)
				if len(found) > 0 && len(r.lacks) > 0 && folded == "" {
					folded = folding(sentence)
				}
				if slices.ContainsFunc(r.lacks, func(p plaintext.Phrases) bool { return p.In(folded) }) {
					continue
				}
				for _, f := range found {
					if !yield(f) {
						return
					}
				}
			}
		}
	}
}

// folding returns a sentence as phrases are found in it, with ? for its end.
func folding(sentence string) string {
	if strings.HasSuffix(sentence, "?") {
		return plaintext.Folded(sentence) + "? "
	}
	return plaintext.Folded(sentence)
}

// ruleFacts returns the facts that rules find in a message.
func ruleFacts(m *memory.Message, sensitive func(string) bool) []finding {
	return factsBy(m, sensitive, func(r *rule) bool { return r.key != "" })
}

// endingFacts returns the findings that may end other facts.
func endingFacts(m *memory.Message, sensitive func(string) bool) []finding {
	return factsBy(m, sensitive, func(r *rule) bool { return r.single || r.denies })
}

func factsBy(m *memory.Message, sensitive func(string) bool, use func(*rule) bool) []finding {
	var found []finding
	var taken []match
	for f := range matches(m, use) {
		if f.yields && (f.denied || slices.ContainsFunc(taken, f.meets)) {
			continue
		}
		taken = append(taken, f)
		origin := memory.FromRule
		if m.Role == memory.User && !f.nobodys {
			origin = memory.FromUser
		}
		key, value := f.fact()
		found = append(found, finding{Fact: memory.Fact{
			Key: key, Value: value, Category: f.category, Origin: origin, Source: m.Seq, Sensitive: sensitive(key), ValidFrom: m.Timestamp,
		}, single: f.single, denied: f.denied})
	}
	return found
}

// meets reports whether the same words gave a fact of the same kind. A state that was reached
// counts as a decision.
func (f match) meets(o match) bool {
	if f.number != o.number || f.at[0] >= o.at[1] || o.at[0] >= f.at[1] {
		return false
	}
	return f.category == o.category || f.category == memory.Decision && o.category == memory.Status
}

// fact returns the key and the value of a match.
func (f match) fact() (key, value string) {
	var groups []string
	for i := 2; i < len(f.at); i += 2 {
		text := ""
		if f.at[i] >= 0 {
			text = strings.Trim(plaintext.Line(f.sentence[f.at[i]:f.at[i+1]]), ` .,:;"'`)
		}
		n := strconv.Itoa(i / 2)
		groups = append(groups, "$"+n, keyName(text), "#"+n, text)
		value = text
	}
	if f.category == memory.Status {
		value = strings.ToLower(strings.ReplaceAll(value, "canceled", "cancelled"))
	}
	if f.value != "" {
		value = f.value
	}
	return strings.NewReplacer(groups...).Replace(f.key), value
}

// keyName returns words as a key: "Order number" is order_number.
func keyName(words string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(words), func(r rune) bool {
		return r != '_' && r != '.' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && r < 0x80
	}), "_")
}

// Importance returns how important it is to remember a message: 0 by default, 1 if rules find facts
// in it, 2 for decisions, confirmations, limits and corrections, 3 for allergies and the like. A
// higher value set by the sender counts instead.
func Importance(m *memory.Message) int {
	level := m.Importance
	for found := range matches(m, func(r *rule) bool { return r.level > level }) {
		if !found.denied {
			level = max(level, found.level)
		}
	}
	return level
}

// signs says of which classes a sentence has words. It is a fast test before slow patterns.
type signs uint32

const digit signs = 1

// classSign has the signs of the classes that rules need, wordSigns those of words.
var classSign, wordSigns = readSigns()

func readSigns() (map[string]signs, map[string]signs) {
	classes, words := map[string]signs{"digit": digit}, map[string]signs{}
	for line := range strings.Lines(lists["rules"]) {
		for class := range strings.FieldsSeq(strings.Split(line, " | ")[4]) {
			if classes[class] != 0 {
				continue
			}
			classes[class] = digit << len(classes)
			for _, phrase := range lists.Phrases(class) {
				for w := range strings.FieldsSeq(phrase) {
					words[w] |= classes[class]
				}
			}
		}
	}
	return classes, words
}

// signsOf returns the signs of a sentence, also of inflected forms: orders, refunded, booking. It
// does not allocate, since it sees every message.
func signsOf(sentence string) (out signs) {
	var room [20]byte // longer words have no sign
	word := room[:0]
	for i := 0; i <= len(sentence); i++ {
		b := byte(' ')
		if i < len(sentence) {
			b = sentence[i]
		}
		switch {
		case b >= '0' && b <= '9':
			out |= digit
		case b|0x20 >= 'a' && b|0x20 <= 'z':
			if len(word) < len(room) {
				word = append(word, b|0x20)
			}
		default:
			out |= wordSigns[string(word)]
			for _, ending := range [...]string{"s", "ed", "ing"} {
				if stem, ok := bytes.CutSuffix(word, []byte(ending)); ok {
					out |= wordSigns[string(stem)]
				}
			}
			word = room[:0]
		}
	}
	return out
}
