package summary

import (
	"regexp"
	"strings"

	"github.com/slotway/slotway/memory"
)

// maxRuleText is the longest message, in bytes, that rules look through.
const maxRuleText = 8 << 10

// rule finds a fact in a text. The first group is the value; the second, if there is one,
// ends the key.
type rule struct {
	key      string
	category memory.Category
	origin   memory.Origin
	single   bool
	role     memory.Role // whose messages; "" both
	re       *regexp.Regexp
	unless   *regexp.Regexp // in the sentence: then it is none
}

// clause is the rest of a clause, up to what ends it.
const clause = `([^.!?,;\n]{2,70})`

var (
	negated  = regexp.MustCompile(`(?i)\b(?:don'?t|do not|didn'?t|did not|won'?t|never|not|no need to|shouldn'?t|how (?:do|can|to)|can i|could i|should i|if)\b`)
	asking   = regexp.MustCompile(`(?i)\?\s*$|\b(?:as|see|know|ask|wonder|wondering|wondered|check|sure|even|what) (?:if|whether)\b`)
	question = regexp.MustCompile(`\?\s*$`)
)

// rules are tried on every sentence, in order.
var rules = []rule{
	{"name", memory.Entity, memory.FromUser, true, memory.User, regexp.MustCompile(`(?:^|[^\w])(?i:my (?:full |first )?name(?:'s| is)|call me) (\p{Lu}[\p{L}'’-]+(?: \p{Lu}[\p{L}'’-]+){0,2})`), question},
	{"allergy", memory.Condition, memory.FromUser, false, memory.User, regexp.MustCompile(`(?i)\b(?:allergic to|allergy to) ` + clause), question},
	{"home", memory.Entity, memory.FromUser, true, memory.User, regexp.MustCompile(`\b(?i:i live in|i(?:'ve| have)? moved to) ((?i:the )?\p{Lu}[\p{L}'’-]+(?: \p{Lu}[\p{L}'’-]+){0,3})`), question},
	{"work", memory.Entity, memory.FromUser, true, memory.User, regexp.MustCompile(`(?i)\bi(?:'m| am)? work(?:ing)? (?:at|for|as) ` + clause), question},
	{"my", memory.Entity, memory.FromUser, true, memory.User, regexp.MustCompile(`(?i)\bmy (?:new )?(email|e-mail|address|phone|phone number|mobile number|order number|order id|account number|customer number|birthday|post ?code|zip code)(?:'s| is|:) +([^!?;\n]{2,60})`), question},
	{"favourite", memory.General, memory.FromUser, true, memory.User, regexp.MustCompile(`(?i)\bmy favou?rite (\w+(?: \w+)?) is ` + clause), question},
	{"decision", memory.Decision, memory.FromUser, false, memory.User, regexp.MustCompile(`(?i)\b(i(?:'ll| will) (?:take|go with|have) [^.!?,;\n]{2,60})`), asking},
	{"decision", memory.Decision, memory.FromUser, false, memory.User, regexp.MustCompile(`(?i)\b((?:i|we)(?:'ve| have)? (?:decided|agreed|chosen|chose|approved?) [^.!?;\n]{2,80})`), asking},
	{"decision", memory.Decision, memory.FromUser, false, memory.User, regexp.MustCompile(`(?i)\b(cancel (?:it|the|my|that|this|our)\b[^.!?,;\n]{0,50})`), negated},
	{"decision", memory.Decision, memory.FromRule, false, memory.Agent, regexp.MustCompile(`(?i)\b((?:your|the|it|this|that)\b[^.!?,;\n]{0,50} (?:has|have|was|were|is|are) (?:been )?(?:approved|cancelled|canceled|confirmed|booked|refunded|rejected|declined|placed)\b)`), asking},
	{"condition", memory.Condition, memory.FromUser, false, memory.User, regexp.MustCompile(`(?i)\b((?:only |but )?(?:if|unless|as long as|provided that|on condition that) [^.!?;\n]{4,80})`), asking},
	{"condition", memory.Condition, memory.FromUser, false, memory.User, regexp.MustCompile(`(?i)\b((?:never|always|do not ever|don't ever) (?:call|send|use|ship|deliver|charge|contact|share|book|put|give|ask|pay|ring|leave)\b[^.!?;\n]{0,70})`), question},
	{"id", memory.Entity, memory.FromRule, false, "", regexp.MustCompile(`\b([A-Z]{1,5}-?\d{3,}[A-Z0-9-]*)\b`), nil},
	{"amount", memory.Numeric, memory.FromRule, false, "", regexp.MustCompile(`(?i)([$€£¥] ?\d[\d,.]*\d(?: ?(?:k|million|billion)\b)?|[$€£¥] ?\d|\b\d[\d,.]* ?(?:dollars?|euros?|pounds|usd|eur|gbp|chf|yen)\b)`), nil},
	{"date", memory.General, memory.FromRule, false, "", regexp.MustCompile(`(?i)\b(\d{4}-\d\d-\d\d|\d{1,2}(?:st|nd|rd|th)?(?: of)? (?:january|february|march|april|may|june|july|august|september|october|november|december)(?:,? \d{4})?|(?:january|february|march|april|may|june|july|august|september|october|november|december) \d{1,2}(?:st|nd|rd|th)?(?:,? \d{4})?)\b`), nil},
	{"quantity", memory.Numeric, memory.FromRule, false, "", regexp.MustCompile(`(?i)\b(\d[\d,.]* ?(?:kg|kilos?|grams?|km|kilometers?|kilometres?|miles|metres|meters|litres|liters|percent|%|nights|people|persons|guests|tickets|items|pieces|boxes|hours|minutes)(?:\b|$))`), nil},
}

// ruleFacts are what rules find in what a person or the agent said.
func ruleFacts(m *memory.Message, sensitive func(string) bool) []finding {
	if m.Role != memory.User && m.Role != memory.Agent || len(m.Text) > maxRuleText {
		return nil
	}
	var found []finding
	for _, sentence := range sentences(m.Text) {
		for i := range rules {
			r := &rules[i]
			if r.role != "" && r.role != m.Role {
				continue
			}
			for _, match := range r.re.FindAllStringSubmatchIndex(sentence, 4) {
				if r.unless != nil && r.unless.MatchString(sentence) {
					break
				}
				key, value := r.keyed(sentence, match)
				found = append(found, finding{memory.Fact{
					Key: key, Value: value, Category: r.category, Origin: r.origin,
					Source: m.Seq, Sensitive: sensitive(key), ValidFrom: m.Timestamp,
				}, r.single})
			}
		}
	}
	return found
}

// keyed is the key and the value of a match. With two groups the first names the key.
func (r *rule) keyed(text string, match []int) (key, value string) {
	group := func(i int) string { return strings.Trim(flat(text[match[2*i]:match[2*i+1]]), ` .,:;"'`) }
	if len(match) < 6 {
		return r.key, group(1)
	}
	key = keyName(group(1))
	if r.key != "my" {
		key = r.key + "_" + key
	}
	return key, group(2)
}

// keyName makes a key of words: "Order number" is order_number.
func keyName(words string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(words), func(r rune) bool {
		return r != '_' && r != '.' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && r < 0x80
	}), "_")
}
