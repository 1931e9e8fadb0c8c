package archive

import (
	"slices"
	"strings"

	"github.com/slotway/slotway/config/pattern"
)

// questionKind describes the questions that begin in one way, and the statements that answer them.
type questionKind struct {
	pattern *pattern.Pattern // matches the beginning of a question
	answers *pattern.Pattern // matches statements that answer; nil: no pattern does
	traits  traits
	except  *pattern.Pattern // what only looks like an answer and is ignored; nil: nothing
}

// traits say what else answers a question of a kind.
type traits int

const (
	strict        traits = 1 << iota // only what the pattern finds, what the traits below allow, and the question's own words
	takesFragment                    // a word or two in the reply
	takesName                        // a name
	takesEcho                        // the verb that the question begins with
	takesNod                         // "fine"
	takesSelf                        // what people say about themselves
	takesDoer                        // who does it: "Ann will", "her sister wrote the report"
	aboutMatter                      // what the question asks about its subject, not the subject's name alone
	present                          // nothing in the past, unless the question asks about the past
)

func (k *questionKind) has(w traits) bool { return k.traits&w != 0 }

// Patterns of moments and of amounts.
const (
	numerals    = `(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)`
	inYear      = `(?:january|february|march|april|may|june|july|august|september|october|november|december)`
	inWeek      = `(?:mon|tues|wednes|thurs|fri|satur|sun)days?`
	pastMoments = `\b(?:yesterday|\w+ (?:\w+ )?ago|last (?:night|week|weekend|month|year|spring|summer|autumn|winter|` + inWeek + `)|recently)\b`
	moments     = `\b(?:\d{1,2}(?::\d\d)?\s*[ap]\.?m\b|\d{1,2}:\d\d|\d{4}-\d\d-\d\d|` + inWeek + `|january|february|march|april|may \d|\d+(?:st|nd|rd|th)|\d{1,2} may|june|july|august|september|october|november|december|` +
		`at (?:about |around )?(?:` + numerals + `|\d{1,2})|(?:half|quarter) (?:past|to)|o'clock|` +
		`today|tomorrow|tonight|yesterday|now|immediately|already|recently|ago|noon|midnight|mornings?|evenings?|afternoons?|weekends?|nights?|christmas|easter|` +
		`(?:in|within|after|for|by|until|since|before|last|next|this|every|each|a few|several|couple of|\d+) (?:a |an |the |about |around |\w+ )?(?:seconds?|minutes?|hours?|days?|weeks?|months?|years?|decades?|spring|summer|autumn|winter)|` +
		`(?:days?|weeks?|months?|years?) (?:from|later)|in \d{4}|as soon as|not yet)\b`
	amounts    = `\d|\b(?:` + numerals + `|twenty|thirty|forty|fifty|hundred|thousand|half|dozen|none|nothing|free|unlimited|all of|both|(?:a )?few|several|a lot|lots|many|much|once|twice|never|always|often|sometimes|rarely|daily|weekly|monthly|yearly|any number|no (?:limit|fee|charge|cost)|very|quite|too)\b`
	prices     = `[$€£¥] ?\d|(?:\d|\b` + numerals + `|\bhundred|\bthousand|ty) ?(?:[$€£¥%]|(?:euros?|dollars?|pounds?|cents?|francs?|yen|eur|usd|gbp|chf|percent)\b)|\b(?:free|nothing|no (?:charge|cost|fee)|(?:costs?|for|about|around|totals?) \d[\d.,]*\b)|\d\W*$|\b` + numerals + `\W*$`
	clockTimes = `\b(?:at|until|past|before|after) (?:about |around )?(?:\d{1,2}(?::\d\d)?|` + numerals + `)\b`
)

var (
	clockTime  = pattern.Must(clockTimes)
	when       = pattern.Must(moments)
	pastMoment = pattern.Must(pastMoments)
	calendar   = pattern.Must(`(?i)\b(?:` + inYear + `|` + inWeek + `)\b`)
	// asksPast matches the beginning of a question about the past.
	asksPast = pattern.Must(`^(?:since when|(?:when|what \w+|which \w+) (?:did|was|were|has|have|had)\b)`)
)

// kinds are tried in order. The last one matches every question.
var kinds = []questionKind{
	{pattern: pattern.Must(`^(?:when|since when|until when|by when|what (?:time|date|day|month|year)|which (?:date|day|month|year)|how soon)\b`), answers: when, traits: strict | present},
	{pattern: pattern.Must(`^how (?:long|often|old)\b`), answers: pattern.Must(moments + `|` + amounts), traits: strict | takesSelf, except: clockTime},
	{
		pattern: pattern.Must(`^(?:how much (?:is|are|was|were|do|does|did|will|would|for)|what(?: is|'s| was| are| does| do)? (?:the |your |my )?(?:\w+ )?(?:price|prices|cost|fee|fees|total|amount|balance|rate))\b`),
		answers: pattern.Must(prices), traits: strict | takesSelf, except: clockTime,
	},
	{pattern: pattern.Must(`^how (?:many|much|far|big|tall|large|heavy|high|wide|fast)\b`), answers: pattern.Must(amounts), traits: strict | takesSelf, except: clockTime},
	{pattern: pattern.Must(`^(?:who|whom|whose)\b`), answers: pattern.Must(`\b(?:me|mine|ours|us|his|hers|theirs|nobody|no one|everyone|everybody|someone|somebody|team|(?:i|we|he|she|they) (?:did|do|does|will|have|has|can))\b`), traits: strict | takesFragment | takesName | takesDoer},
	{pattern: pattern.Must(`^(?:where|which (?:city|place|country|street|shop|store))\b`), answers: pattern.Must(`\b(?:(?:in|at|on|near|to|from|behind|under|inside|outside|next to|by|opposite|between|around) [\w'"]+|here|there|nowhere|online|home|everywhere)\b`), traits: strict | takesFragment, except: when},
	{pattern: pattern.Must(`^(?:why|how come|what for|for what reason)\b`), answers: pattern.Must(`\b(?:because|cause|caused|since|as|due to|owing to|so that|in order|reason|therefore|that's why)\b|, so\b`), traits: takesFragment | aboutMatter},
	{pattern: pattern.Must(`^(?:what (?:happened|happens|is wrong|went wrong|is going on|is new|is the (?:problem|matter|issue|trouble|reason))|what's (?:wrong|happening|going on|new|up|the (?:problem|matter|issue|trouble|reason))|how (?:is|are|was|were|did|does|has|have|do you feel|'s|about))\b`), answers: pattern.Must(`\pL`), traits: takesFragment | takesNod},
	{pattern: pattern.Must(`^how\b`), answers: pattern.Must(`\b(?:by \w+ing|you (?:can|could|may|need|have to|should|must)|please|click|tap|press|go to|open|enter|use|using|first|then|just|simply|via|through)\b|^(?:hold|turn|push|pull|switch|choose|select|type|write|send|call|ask|take|put|add|set|log|plug|unplug|restart|download|install|follow)\b`), traits: takesFragment},
	{pattern: pattern.Must(`^(?:any|anything|got any|(?:do|does|did|have|has|is|are|was|were|would|could|can) (?:\w+ ){1,3}?(?:any|anything|some|something|someone|anyone|a particular|an? fav\w*|ever)\b)`), answers: pattern.Must(`^(?:yes|yeah|yep|no|nope|none|nothing|not (?:yet|really|at all)|never|sure|of course)\b`), traits: takesFragment},
	{
		pattern: pattern.Must(`^(?:is|are|was|were|am|do|does|did|can|could|should|shall|will|would|have|has|had|may|might|must|isn't|aren't|wasn't|don't|doesn't|didn't|can't|couldn't|shouldn't|won't|wouldn't|haven't|hasn't)\b`),
		answers: pattern.Must(`^(?:yes|yep|yeah|yup|sure|ok|okay|no|nope|nah|correct|right|exactly|indeed|absolutely|definitely|certainly|probably|totally|for sure|maybe|of course|(?:that |it |\w+ )?(?:sounds|works) |(?:that's|what) a (?:good|great)|(?:i'd|would) (?:love|like) to|i (?:think|guess|hope|believe) |please do|do it|go ahead|gladly|never|not (?:yet|really|at all|any more|now)|that's (?:right|fine|correct)|i(?:'m| am) afraid|unfortunately|don't|rather not)\b`),
		traits:  strict | takesEcho | takesNod | aboutMatter,
	},
	{pattern: pattern.Must(``), traits: takesFragment},
}

const (
	openers = `(?:and|but|so|or|well|oh|ok|okay|hi|hello|hey|also|then|sorry|please|thanks|thank you|by the way|just|now|first|finally|alright|great)`
	frames  = `(?:can|could|would|will) you (?:please )?(?:tell me|let me know|say|explain|check)|do you (?:know|remember|happen to know)|may i (?:ask|know)|i(?:'d like to| want to| would like to)? (?:know|ask|wonder)|any idea|tell me|would you mind telling me`
)

var (
	leadIn = pattern.Must(`^(?:` + openers + `\b[,.!:]*\s+)+`)
	// indirect matches a question inside another one: "do you know when".
	indirect = pattern.Must(`^(?:` + frames + `),? (?:more )?(?:about )?(?:(if|whether)\b)?`)

	tags = pattern.Must(`, (?:right|correct|yes|no|(?:is|are|was|were|do|does|did|have|has|can|will|would)(?:n't)? (?:it|he|she|they|you|we|i))\?$`)

	// pleasantries matches sentences that answer nothing: greetings, thanks, acknowledgements,
	// requests to wait.
	pleasantries = pattern.Must(`^(?:thanks|thank you|thx|cheers|hi|hello|hey|bye|goodbye|good (?:morning|evening|day)|got it|i see|understood|noted|sorry|wow|oh|ah|hm+|one moment|just a (?:moment|second|sec)|hold on|wait|please wait|you're welcome|welcome|my pleasure|ha(?:ha)*|lol)\b[^\pL]*(?:(?:very much|a lot|so much|you|then|for \w+(?: \w+)*|a moment|please|yeah|\pL+)\b)?[^\pL]*$`)
	// acknowledgements matches sentences that answer only a yes-or-no question or one about a mood.
	acknowledgements = pattern.Must(`^(?:ok|okay|great|perfect|fine|cool|nice|good|alright|all right|no problem)\b[^\pL]*(?:thanks|thank you|then|you)?[^\pL]*$`)
	// requests matches sentences that ask for something new and so leave the question.
	requests = pattern.Must(`^(?:please |also |now |then |first |instead |by the way,? |actually,? )*(?:cancel|stop|book|order|show|give|tell|help|send|call|talk|track|find|check|change|refund|return|reset|update|open|close|i (?:want|need|would like|wish)|i'd like|let me (?:first|talk|speak)|let's (?:talk|first|do)|by the way|another (?:thing|question)|one more thing|something else|different)\b`)
	// retractions matches sentences with which the asker takes the question back.
	retractions = pattern.Must(`(?i)\b(?:never ?mind|forget (?:it|about it|that)|(?:i(?:'ve| have)?|i've already) (?:found|figured|solved) it|(?:that|it)(?:'s| is| has been) (?:solved|sorted|settled)|no longer (?:matters|needed|necessary)|not important (?:any ?more|now))\b`)
	// dismissals matches retractions that name the subject.
	dismissals = pattern.Must(`^(?:please |just |let's )?(?:forget|skip|drop|ignore|scratch|leave)\b`)
	// backReference matches the beginning of a sentence that continues the last subject.
	backReference = pattern.Must(`^(?:it|it's|they|they're|that|that's|this|these|those|he|she|he's|she's|the (?:\w+ ){0,2}ones?)\b`)
	// aboutSpeaker matches the beginning of what people say about themselves.
	aboutSpeaker = pattern.Must(`^(?:i|i'm|i've|i'll|i'd|we|we're|we've|we'll|my|our|mine)\b`)
	// addressesOther matches words that address the other side.
	addressesOther = pattern.Must(`\b(?:you|your|yours)\b`)
	// verbs matches signs of a whole sentence.
	verbs       = pattern.Must(`^(?:i|we|you|he|she|they|it)\b|\b(?:is|are|was|were|am|be|been|do|does|did|have|has|had|can|could|will|would|shall|should|may|might|must|i'm|i've|it's|that's|they're|we're|you're)\b`)
	capitalised = pattern.Must(`.\b\p{Lu}\p{Ll}+`)

	// assents matches words of agreement with what was just said.
	assents = pattern.Must(`^(?:sure|ok|okay|of course|right|exactly|certainly|indeed|absolutely|fine)\b\W*$`)
	// elliptic matches a statement that leaves the verb to the question: "Ann will".
	elliptic = pattern.Must(`^(?:\S+ ){1,3}(?:did|does|do|will|can|could|would|has|have|had|is|are|was|were|should|must|may|might)\W*$`)
	// aboutAsker matches the beginning of a statement about the asker, or about what there is.
	aboutAsker = pattern.Must(`^(?:you|you'll|you're|your|there|there's|here)\b`)
	// pronouns matches words that stand for the last subject.
	pronouns = pattern.Must(`\b(?:it|them|one|ones|you|yours)\b`)
	// asksIdentity matches the beginning of a question about what something is.
	asksIdentity = pattern.Must(`^(?:is|are|was|were|am|isn't|aren't|wasn't)\b`)
	// permits matches words that say whether something is allowed or is so.
	permits = pattern.Must(`\b(?:allowed|welcome|accepted|permitted|possible|impossible|included|available|unavailable|forbidden|prohibited|banned|required|optional|supported|not|no|never|cannot)\b|n't\b`)
)

// maxFragment is the most words of an answer that is no sentence: "The red one".
const maxFragment = 5

// lowered returns a sentence as the rules read it: lower case, straight apostrophes, no opening
// marks.
func lowered(text string) string {
	text = strings.ToLower(strings.ReplaceAll(text, "’", "'"))
	return strings.Trim(text, ` "'([¿¡`)
}

// question is a parsed question.
type question struct {
	kind  *questionKind
	text  string
	terms map[string]int
}

// parseQuestion finds out what kind a question is and which terms it has.
func parseQuestion(s *sentence) question {
	text := lowered(s.text)
	text = leadIn.ReplaceAllString(text, "")
	if at := indirect.FindStringSubmatchIndex(text); at != nil {
		text = strings.TrimSpace(text[at[1]:])
		if at[2] >= 0 {
			text = "is it so that " + text
		}
	}
	if tags.MatchString(text) { // "..., right?"
		text = "is it so that " + text
	}
	a := question{text: text, terms: termsOf(text)}
	for i := range kinds {
		if kinds[i].pattern.MatchString(text) {
			a.kind = &kinds[i]
			break
		}
	}
	return a
}

// proximity says how close to a question a statement stands.
type proximity int

const (
	later     proximity = iota // later in the conversation
	postponed                  // after the reply put the question off
	direct                     // in the reply
)

// answeredBy reports whether a statement answers the question. It must contain what the kind asks
// for and relate to the question's subject. In the reply itself, a word or two are enough; later,
// the statement must share words with the question.
func (a *question) answeredBy(s *sentence, near proximity) bool {
	shared, all := sharedTerms(a.terms, termsOf(s.text)), len(a.terms)
	half := shared > 0 && 2*shared >= all
	if near == later && !half { // the usual case; patterns are slow
		return false
	}
	text := lowered(s.text)
	if a.ignores(text, near) {
		return false
	}
	gives := a.gives(s, text)
	switch {
	case a.kind.has(takesEcho):
		return half && a.answersMatter(text) || near != later && (gives || a.echoed(text))
	case a.kind.has(strict):
		return gives && (shared > 0 || near != later && a.concerns(text)) || near == direct && a.follows(text)
	}
	return a.looselyAnsweredBy(text, near, gives, shared)
}

// looselyAnsweredBy is answeredBy for the kinds of questions that more than one pattern answers.
func (a *question) looselyAnsweredBy(text string, near proximity, gives bool, shared int) bool {
	switch {
	case near == later:
		return gives || !a.kind.has(aboutMatter)
	case gives && (shared > 0 || !requests.MatchString(text)):
		return true
	case shared > 0 && 3*shared >= len(a.terms) && !a.kind.has(aboutMatter):
		return true
	}
	return near == direct && a.follows(text)
}

// ignores reports whether a statement answers nothing, whatever its words: it puts the question off,
// is polite, or agrees with something said since.
func (a *question) ignores(text string, near proximity) bool {
	if defers.MatchString(text) || pleasantries.MatchString(text) || near != direct && assents.MatchString(text) {
		return true
	}
	return acknowledgements.MatchString(text) && !(a.kind.has(takesNod) && near == direct)
}

// gives reports whether a statement contains what the question asks for.
func (a *question) gives(s *sentence, text string) bool {
	if a.kind.has(takesName) && capitalised.MatchString(calendar.ReplaceAllString(s.text, "")) || a.kind.has(takesDoer) && a.namesDoer(text) {
		return true
	}
	if a.kind.answers == nil {
		return false
	}
	if a.kind.has(present) && !asksPast.MatchString(a.text) {
		text = pastMoment.ReplaceAllString(text, "")
	}
	if a.kind.except != nil {
		text = a.kind.except.ReplaceAllString(text, "")
	}
	return a.kind.answers.MatchString(text) || a.kind.answers.MatchString(leadIn.ReplaceAllString(text, ""))
}

// concerns reports whether a statement that shares no words with the question still relates to it:
// it is a fragment, refers back, or is about the person who was asked or the asker.
func (a *question) concerns(text string) bool {
	switch {
	case fragment(text), backReference.MatchString(text), aboutAsker.MatchString(text), a.kind.has(takesDoer) && elliptic.MatchString(text):
		return true
	case aboutSpeaker.MatchString(text):
		return a.kind.has(takesSelf) || addressesOther.MatchString(a.text) || pronouns.MatchString(text)
	}
	return false
}

// namesDoer reports whether a statement names who does what was asked for: it ends with the verb,
// or begins with a person that the question does not name.
func (a *question) namesDoer(text string) bool {
	if elliptic.MatchString(text) {
		return true
	}
	for _, w := range strings.Fields(text) {
		if term := stemOf(strings.Trim(w, `.,;:!?"'`)); term != "" {
			return a.terms[term] == 0 && sharedTerms(a.terms, termsOf(text)) > 0
		}
	}
	return false
}

// answersMatter reports whether a statement settles a yes-or-no question about its subject: it has
// the verb of the question, or what the question asks about its subject, or says that something is
// allowed.
func (a *question) answersMatter(text string) bool {
	words := strings.Fields(a.text)
	begin := 2
	if len(words) > 1 && slices.Contains([]string{"the", "my", "your", "our", "this", "that", "a", "an", "his", "her", "their"}, words[1]) {
		begin = 3
	}
	said, known := termsOf(text), false
	for _, w := range words[min(begin, len(words)):] {
		term := stemOf(strings.Trim(w, `.,;:!?"'`))
		if term == "" {
			continue
		}
		if said[term] > 0 {
			return true
		}
		if known = true; !asksIdentity.MatchString(a.text) {
			break // the verb; what follows it is the object
		}
	}
	return !known || permits.MatchString(text)
}

// echoed reports whether a statement has the verb that the question begins with: "you can" answers
// "can I".
func (a *question) echoed(text string) bool {
	verb, _, _ := strings.Cut(a.text, " ")
	verb = strings.TrimSuffix(verb, "n't")
	for _, same := range [...][]string{{"can", "could", "may", "might"}, {"is", "are", "am"}, {"was", "were"}, {"do", "does"}, {"has", "have"}, {"should", "must", "shall"}, {"will", "would"}} {
		if slices.Contains(same, verb) {
			return echo(text, same)
		}
	}
	return false
}

// echo reports whether the second word of a statement is one of some verbs and the first one a
// pronoun.
func echo(text string, verbs []string) bool {
	words := strings.FieldsFunc(strings.ReplaceAll(text, "n't", " not"), func(r rune) bool { return r == ' ' || r == ',' || r == '.' || r == '!' })
	if len(words) < 2 || !slices.Contains([]string{"i", "you", "it", "they", "we", "he", "she", "that", "this"}, words[0]) {
		return false
	}
	return slices.Contains(verbs, words[1]) || words[1] == "cannot" && slices.Contains(verbs, "can")
}

// fragment reports whether a text is a few words without a verb.
func fragment(text string) bool {
	return len(strings.Fields(text)) <= maxFragment && !verbs.MatchString(text)
}

// follows reports whether a statement answers by its position alone: a fragment, a back reference,
// or what the person who was asked says about himself or herself.
func (a *question) follows(text string) bool {
	if requests.MatchString(text) {
		return false
	}
	if a.kind.has(takesFragment) && fragment(text) && !(a.kind.has(aboutMatter) && sharedTerms(a.terms, termsOf(text)) > 0) {
		return true
	}
	return !a.kind.has(strict) && (backReference.MatchString(text) || addressesOther.MatchString(a.text) && aboutSpeaker.MatchString(text))
}

// retracted reports whether the asker takes the question back with this statement.
func (a *question) retracted(s *sentence) bool {
	return retractions.MatchString(s.text) || dismissals.MatchString(leadIn.ReplaceAllString(lowered(s.text), "")) && sharedTerms(a.terms, termsOf(s.text)) > 0
}

// repeats reports whether a later question has all terms of this one and is of the same kind.
func (a *question) repeats(s *sentence) bool {
	b := parseQuestion(s)
	return b.kind == a.kind && a.kind.answers != nil && len(a.terms) > 0 && sharedTerms(a.terms, termsOf(s.text)) == len(a.terms)
}

// sharedTerms counts the terms that two texts have in common.
func sharedTerms(a, b map[string]int) int {
	n := 0
	for term := range a {
		if b[term] > 0 {
			n++
		}
	}
	return n
}

func termsOf(text string) map[string]int {
	terms := map[string]int{}
	countTerms(terms, text)
	return terms
}

func hasTerms(text string) bool { return len(termsOf(text)) > 0 }
