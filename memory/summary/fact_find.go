package summary

import (
	"slices"
	"strings"

	"github.com/slotway/slotway/config/pattern"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/internal/plaintext"
)

// ruleFacts returns what rules find in a message of the user or the agent.
func ruleFacts(m *memory.Message, sensitive func(string) bool) []finding {
	return factsBy(m, sensitive, func(*rule) bool { return true })
}

// tellsFacts reports whether rules find anything in a message with these signs.
func tellsFacts(m *memory.Message, has signs) bool {
	if len(m.Text) > maxRuleText || has == 0 || !slices.ContainsFunc(rules, func(r rule) bool { return r.mayFind(m.Role, has) }) {
		return false
	}
	for sentence := range plaintext.Sentences(m.Text) {
		has := signsOf(sentence)
		for i := range rules {
			r := &rules[i]
			if r.mayFind(m.Role, has) && len(r.find(sentence)) > 0 && (r.unless == nil || !r.unless.MatchString(sentence)) {
				return true
			}
		}
	}
	return false
}

// mayFind reports whether the rule can find a fact in words that have these signs.
func (r *rule) mayFind(role memory.Role, has signs) bool {
	return (r.role == "" || r.role == role) && has&r.needs == r.needs
}

// endingFacts returns the findings that may end other facts.
func endingFacts(m *memory.Message, sensitive func(string) bool) []finding {
	return factsBy(m, sensitive, func(r *rule) bool { return r.single })
}

func factsBy(m *memory.Message, sensitive func(string) bool, use func(*rule) bool) []finding {
	if m.Role != memory.User && m.Role != memory.Agent || len(m.Text) > maxRuleText {
		return nil
	}
	var found []finding
	for sentence := range plaintext.Sentences(m.Text) {
		var taken []extent
		has := signsOf(sentence)
		for i := range rules {
			r := &rules[i]
			if r.role != "" && r.role != m.Role || has&r.needs != r.needs || !use(r) {
				continue
			}
			for _, match := range r.find(sentence) {
				if r.unless != nil && r.unless.MatchString(sentence) {
					break
				}
				at := extent{match[0], match[1], r.category}
				if yields[r.key] && slices.ContainsFunc(taken, at.meets) {
					continue
				}
				if strings.Contains(r.key, "*") || r.key == "my" {
					taken = append(taken, at)
				}
				key, value := r.keyed(sentence, match)
				found = append(found, finding{memory.Fact{
					Key: key, Value: value, Category: r.category, Origin: r.from(m.Role),
					Source: m.Seq, Sensitive: sensitive(key), ValidFrom: m.Timestamp,
				}, r.single})
			}
		}
	}
	return found
}

// maxMatches is the most facts that one rule finds in a sentence.
const maxMatches = 4

// find returns a rule's matches. If a match is not about a known thing and state, the search goes
// on after its first word: a pattern of all known words would be a hundred times slower.
func (r *rule) find(sentence string) (out [][]int) {
	for at := 0; len(out) < maxMatches && at < len(sentence); {
		match := r.re.FindStringSubmatchIndex(sentence[at:])
		if match == nil {
			break
		}
		for i := range match {
			if match[i] >= 0 {
				match[i] += at
			}
		}
		if r.speaksOfKnown(sentence, match) {
			out = append(out, match)
			at = max(match[1], at+1)
			continue
		}
		at = match[0] + 1
		for at < len(sentence) && wordByte(sentence[at-1]) {
			at++
		}
	}
	return out
}

func wordByte(b byte) bool { return b == '_' || b >= '0' && b <= '9' || b|0x20 >= 'a' && b|0x20 <= 'z' }

// speaksOfKnown reports whether the words of a match are known things and states.
func (r *rule) speaksOfKnown(sentence string, match []int) bool {
	if r.needs&noun == 0 {
		return true
	}
	first := strings.ToLower(sentence[match[2]:match[3]])
	if signOf[first]&noun == 0 {
		return false
	}
	if r.role != memory.Agent {
		return true
	}
	if r.key == "*_status" && !known[strings.ToLower(sentence[match[6]:match[7]])] {
		return false
	}
	named := r.key == "*_status" && match[4] >= 0
	return named || begins.MatchString(sentence[:match[2]])
}

// begins matches what may precede a thing without a number whose state is told. Elsewhere in a
// sentence it may be any such thing: "counted from the day on which the order is cancelled".
var begins = pattern.Must(`(?i)^(?:[^,:;]{0,24}[,:;] ?)?(?:(?:and |but )?(?:your|the|this|that) )?(?:\w+ )?$`)

// known holds the states.
var known = func() map[string]bool {
	out := map[string]bool{}
	for _, state := range lists.Phrases("state") {
		out[state] = true
	}
	return out
}()

// extent is the place of a specific fact in a sentence.
type extent struct {
	from, to int
	category memory.Category
}

// meets reports whether the same words gave a fact of the same kind. A state that was reached
// counts as a decision.
func (e extent) meets(o extent) bool {
	return e.from < o.to && o.from < e.to && (e.category == o.category || e.category == memory.Decision && o.category == memory.Status)
}

func (r *rule) from(role memory.Role) memory.Origin {
	switch {
	case r.origin != "":
		return r.origin
	case role == memory.User:
		return memory.FromUser
	}
	return memory.FromRule
}

// keyed returns the key and the value of a match.
func (r *rule) keyed(text string, match []int) (key, value string) {
	groups := make([]string, len(match)/2)
	for i := range groups {
		if match[2*i] >= 0 {
			groups[i] = strings.Trim(plaintext.Line(text[match[2*i]:match[2*i+1]]), ` .,:;"'`)
		}
	}
	switch {
	case r.word != nil:
		return r.word(groups)
	case len(groups) < 3:
		return r.key, groups[1]
	case r.key == "my":
		return keyName(groups[1]), groups[2]
	case strings.Contains(r.key, "*"):
		return strings.Replace(r.key, "*", keyName(groups[1]), 1), groups[2]
	}
	return r.key + "_" + keyName(groups[1]), groups[2]
}

// approved returns the fact of an approval or a refusal: "your refund has been declined".
func approved(groups []string) (key, value string) {
	value = "yes"
	if len(groups) > 2 && refused.MatchString(groups[2]) {
		value = "no"
	}
	return keyName(groups[1]) + "_approved", value
}

var refused = pattern.Must(`(?i)^(?:reject|declin|deni|refus)`)

// stated returns the state of a thing, with its number if it has one.
func stated(groups []string) (key, value string) {
	value = strings.ToLower(strings.ReplaceAll(groups[3], "canceled", "cancelled"))
	if groups[2] == "" {
		return keyName(groups[1]) + "_status", value
	}
	return keyName(groups[1]) + "[" + groups[2] + "].status", value
}
