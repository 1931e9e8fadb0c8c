package summary

import (
	"strings"

	"github.com/slotway/slotway/config/pattern"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/internal/plaintext"
)

// maxRuleText is the longest message, in bytes, that rules read.
const maxRuleText = 8 << 10

// rule finds a fact in a text. The first group is the value. With two groups the first becomes part
// of the key: in place of the * or after it.
type rule struct {
	key      string
	category memory.Category
	origin   memory.Origin // "": the user's if the user said it, else the rule's
	single   bool
	role     memory.Role // role of the message; "": user and agent
	re       *pattern.Finder
	unless   *pattern.Finder                           // a sentence that matches has no such fact
	word     func(groups []string) (key, value string) // makes key and value instead of the groups; nil: the groups do
	needs    signs                                     // a sentence must have these: patterns are slow
}

// yields holds keys that only name a kind of value. They yield to a fact found in the same words.
var yields = map[string]bool{"*_id": true, "id": true, "amount": true, "condition": true, "decision": true}

// ids matches numbers of things.
const ids = `#[A-Za-z]{0,5}-?\d[\w-]*|[A-Z]{1,5}-?\d{3,}[A-Z0-9-]*`

// clause matches the rest of a clause.
const clause = `([^.!?,;\n]{2,70})`

// money matches amounts of money.
const money = `[$€£¥] ?\d[\d,.]*\d(?: ?(?:k|million|billion)\b)?|[$€£¥] ?\d|\b\d[\d,.]* ?(?:dollars?|euros?|pounds|usd|eur|gbp|chf|yen)\b`

var (
	negated  = pattern.MustFinder(`(?i)\b(?:don'?t|do not|didn'?t|did not|won'?t|never|not|no need to|shouldn'?t|how (?:do|can|to)|can i|could i|should i|if)\b`)
	asking   = pattern.MustFinder(`(?i)\?\s*$|\b(?:as|see|know|ask|wonder|wondering|wondered|check|sure|even|what) (?:if|whether)\b`)
	question = pattern.MustFinder(`\?\s*$`)
	// refusing matches words about what did not happen, or only may.
	refusing = pattern.MustFinder(`(?i)\?\s*$|\b(?:not|never|if|whether|once|when|unless|until|could|would|might|can|should|may|must|before|after|soon as)\b|n'?t\b`)
	// unconditional matches words about how long something takes.
	unconditional = pattern.MustFinder(`(?i)\?\s*$|\b(?:takes?|arrives?|reach(?:es)?|receives?|get|see|process(?:ed|es)?|deliver(?:ed|s)?|ships?|shipped|try|asked?|wait(?:ed)?)\b`)
)

// rules are tried in order on every sentence.
var rules = []rule{
	{"name", memory.Entity, memory.FromUser, true, memory.User, pattern.MustFinder(`(?:^|[^\w])(?i:my (?:full |first )?name(?:'s| is)|call me) (\p{Lu}[\p{L}'’-]+(?: \p{Lu}[\p{L}'’-]+){0,2})`), question, nil, self | telling},
	{"allergy", memory.Condition, memory.FromUser, false, memory.User, pattern.MustFinder(`(?i)\b(?:allergic to|allergy to) ` + clause), question, nil, health},
	{"home", memory.Entity, memory.FromUser, true, memory.User, pattern.MustFinder(`\b(?i:i live in|i(?:'ve| have)? moved to) ((?i:the )?\p{Lu}[\p{L}'’-]+(?: \p{Lu}[\p{L}'’-]+){0,3})`), question, nil, self | telling},
	{"work", memory.Entity, memory.FromUser, true, memory.User, pattern.MustFinder(`(?i)\bi(?:'m| am)? work(?:ing)? (?:at|for|as) ` + clause), question, nil, self | telling},
	{"my", memory.Entity, memory.FromUser, true, memory.User, pattern.MustFinder(`(?i)\bmy (?:new )?(email|e-mail|address|phone|phone number|mobile number|account number|customer number|birthday|post ?code|zip code)(?:'s| is|:) +([^!?;\n]{2,60})`), question, nil, self | telling},
	{"favourite", memory.General, memory.FromUser, true, memory.User, pattern.MustFinder(`(?i)\bmy favou?rite (\w+(?: \w+)?) is ` + clause), question, nil, self | telling},
	{"*_id", memory.Entity, "", false, "", pattern.MustFinder(`(?i)\b([a-z]+?)s?(?: (?:number|no\.?|nr\.?|id|code|ref(?:erence)?(?: number)?))?(?: is|:)? ?(#[a-z]{0,5}-?\d[\w-]*|\b[a-z]{1,5}-?\d{3,}[a-z0-9-]*)`), nil, nil, digit | noun},
	{"*_id", memory.Entity, "", false, "", pattern.MustFinder(`(?i)\b([a-z]+?) (?:number|no\.?|nr\.?|id|code|reference)(?: is|:)? ?(\d[\d-]{2,}\d)\b`), nil, nil, digit | noun},
	{"*_id", memory.Entity, "", false, "", pattern.MustFinder(`(?i)\b(?:my|the|your|this|that|for|of|about|cancel|return|track|check|refund) ([a-z]+?) (\d{4,})\b`), nil, nil, digit | noun},
	{"*_approved", memory.Decision, "", true, "", pattern.MustFinder(`(?i)\b(?:approved?|accept(?:ed)?|agreed?(?: to)?|granted) (?:the|your|my|this|that|a) ([a-z]+?)\b`), refusing, approved, noun | standing},
	{"*_approved", memory.Decision, memory.FromRule, true, memory.Agent, pattern.MustFinder(`(?i)\b([a-z]+?)(?: (?:` + ids + `))? (?:has been|have been|was|were|is|are|got)(?: now)? (approved|accepted|granted|rejected|declined|denied|refused)\b`), refusing, approved, noun | standing},
	{"*_status", memory.Status, memory.FromRule, true, memory.Agent, pattern.MustFinder(`(?i)\b([a-z]+?)(?: (` + ids + `))?(?:,[^.!?,;]{1,40},)? (?:has been|have been|was|were|is|are|got)(?: now| already)? ([a-z]+(?: (?:hold|its way|transit))?)\b`), refusing, stated, noun | standing},
	{"*_condition", memory.Condition, "", true, "", pattern.MustFinder(`(?i)\b([a-z]+?)(?:s|ed|ing)?\b[^.!?;\n]*?\b((?:only )?(?:as long as|provided(?: that)?|on condition that|only if|only after|unless) [^.!?,;\n]{3,60})`), question, nil, noun | term},
	{"*_condition", memory.Condition, "", true, "", pattern.MustFinder(`(?i)\b([a-z]+?)(?:s|ed|ing)?\b[^.!?;\n]*?\b((?:only )?(?:within|no later than|until|up to) [^.!?,;\n]{3,60})`), unconditional, nil, noun | term},
	{"*_amount", memory.Numeric, "", true, "", pattern.MustFinder(`(?i)\b([a-z]+?)s?(?: (?:` + ids + `))? ?(?:of|is|was|comes to|amounts to|will be|totals?|costs?|:) ?(` + money + `)`), question, nil, noun | digit},
	{"decision", memory.Decision, memory.FromUser, false, memory.User, pattern.MustFinder(`(?i)\b(i(?:'ll| will) (?:take|go with|have) [^.!?,;\n]{2,60})`), asking, nil, self | telling},
	{"decision", memory.Decision, memory.FromUser, false, memory.User, pattern.MustFinder(`(?i)\b((?:i|we)(?:'ve| have)? (?:decided|agreed|chosen|chose|approved?) [^.!?;\n]{2,80})`), asking, nil, self | telling},
	{"decision", memory.Decision, memory.FromUser, false, memory.User, pattern.MustFinder(`(?i)\b(cancel (?:it|the|my|that|this|our|[a-z]+)\b[^.!?,;\n]{0,50})`), negated, nil, giving},
	{"decision", memory.Decision, memory.FromRule, false, memory.Agent, pattern.MustFinder(`(?i)(?:^|[:;,] )((?:your|the|it|this|that)\b[^.!?,;\n]{0,50} (?:has|have|was|were|is|are) (?:been )?(?:approved|cancelled|canceled|confirmed|booked|refunded|rejected|declined|placed)\b)`), asking, nil, standing},
	{"condition", memory.Condition, memory.FromUser, false, memory.User, pattern.MustFinder(`(?i)\b((?:only |but )?(?:if|unless|as long as|provided that|on condition that) [^.!?;\n]{4,80})`), asking, nil, bound},
	{"condition", memory.Condition, memory.FromUser, false, memory.User, pattern.MustFinder(`(?i)\b((?:never|always|do not ever|don't ever) (?:call|send|use|ship|deliver|charge|contact|share|book|put|give|ask|pay|ring|leave)\b[^.!?;\n]{0,70})`), question, nil, bound},
	{"id", memory.Entity, memory.FromRule, false, "", pattern.MustFinder(`\b([A-Z]{1,5}-?\d{3,}[A-Z0-9-]*)\b`), nil, nil, digit},
	{"amount", memory.Numeric, memory.FromRule, false, "", pattern.MustFinder(`(?i)(` + money + `)`), nil, nil, digit},
	{"date", memory.General, memory.FromRule, false, "", pattern.MustFinder(`(?i)\b(\d{4}-\d\d-\d\d|\d{1,2}(?:st|nd|rd|th)?(?: of)? (?:january|february|march|april|may|june|july|august|september|october|november|december)(?:,? \d{4})?|(?:january|february|march|april|may|june|july|august|september|october|november|december) \d{1,2}(?:st|nd|rd|th)?(?:,? \d{4})?)\b`), nil, nil, digit},
	{"quantity", memory.Numeric, memory.FromRule, false, "", pattern.MustFinder(`(?i)\b(\d[\d,.]* ?(?:kg|kilos?|grams?|km|kilometers?|kilometres?|miles|metres|meters|litres|liters|percent|%|nights|people|persons|guests|tickets|items|pieces|boxes|hours|minutes)(?:\b|$))`), nil, nil, digit},
}

// keyName returns words as a key: "Order number" is order_number.
func keyName(words string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(words), func(r rune) bool {
		return r != '_' && r != '.' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && r < 0x80
	}), "_")
}

// yes and no match the beginning of an answer to a yes-or-no question.
var (
	yes = pattern.MustFinder(`(?i)^(?:yes|yep|yeah|yup|sure|please do|do it|go ahead|correct|of course|absolutely|definitely|i (?:confirm|agree|accept))\b`)
	no  = pattern.MustFinder(`(?i)^(?:no|nope|nah|please don'?t|don'?t|do not|rather not)\b`)
)

// answerFact returns the fact that a yes or no makes of the previous question.
func answerFact(question string, m *memory.Message) []finding {
	if question == "" || m.Role != memory.User {
		return nil
	}
	value := ""
	switch said := strings.TrimSpace(m.Text); {
	case yes.MatchString(said):
		value = question + " yes"
	case no.MatchString(said):
		value = question + " no"
	default:
		return nil
	}
	return []finding{{memory.Fact{Key: "decision", Value: value, Category: memory.Decision, Origin: memory.FromUser, Source: m.Seq, ValidFrom: m.Timestamp}, false}}
}

// maxQuestion is the longest question, in bytes, that is kept for its answer.
const maxQuestion = maxValue - len(" yes")

// lastQuestion returns the last yes-or-no question of the agent's message, or "".
func lastQuestion(m *memory.Message) string {
	last := ""
	for s := range plaintext.Sentences(m.Text) {
		if s = plaintext.Line(s); strings.HasSuffix(s, "?") && len(s) <= maxQuestion && !openQuestion.MatchString(s) {
			last = s
		}
	}
	return last
}

// openQuestion matches the beginning of a question that yes does not answer.
var openQuestion = pattern.MustFinder(`(?i)^(?:what|which|when|where|who|whom|whose|why|how)\b|\banything else\b`)
