package archive

import (
	"regexp"
	"slices"
	"strings"
)

// kind is what a question asks for, and by which words a statement shows that it gives that.
type kind struct {
	asks    *regexp.Regexp // at the beginning of a question
	answers *regexp.Regexp // nil: no words show it
	also    ways
}

// ways are what else makes an answer.
type ways int

const (
	strict ways = 1 << iota // nothing but what is asked for, what follows here, and the question's own words
	byFew                   // a word or two in the reply
	byName                  // a name
	byEcho                  // the verb that the question begins with
	byNod                   // "fine"
)

func (k *kind) takes(w ways) bool { return k.also&w != 0 }

// The words of moments and of amounts.
const (
	moments = `\b(?:\d{1,2}(?::\d\d)?\s*[ap]\.?m\b|\d{1,2}:\d\d|\d{4}-\d\d-\d\d|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|march|april|may \d|\d+(?:st|nd|rd|th)|june|july|august|september|october|november|december|` +
		`today|tomorrow|tonight|yesterday|now|immediately|already|recently|ago|noon|midnight|mornings?|evenings?|afternoons?|weekends?|nights?|christmas|easter|` +
		`(?:in|within|after|for|by|until|since|before|last|next|this|every|each|a few|several|couple of|\d+) (?:a |an |the |about |around |\w+ )?(?:seconds?|minutes?|hours?|days?|weeks?|months?|years?|decades?|spring|summer|autumn|winter)|` +
		`(?:days?|weeks?|months?|years?) (?:from|later)|in \d{4}|as soon as|not yet)\b`
	amounts = `\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|hundred|thousand|half|dozen|none|nothing|free|unlimited|all of|both|(?:a )?few|several|a lot|lots|many|much|once|twice|never|always|often|sometimes|rarely|daily|weekly|monthly|yearly|any number|no (?:limit|fee|charge|cost)|very|quite|too)\b`
)

// kinds are tried in order; the last one takes every question.
var kinds = []kind{
	{regexp.MustCompile(`^(?:when|since when|until when|by when|what (?:time|date|day|month|year)|which (?:date|day|month|year)|how soon)\b`), regexp.MustCompile(moments), strict},
	{regexp.MustCompile(`^how (?:long|often|old)\b`), regexp.MustCompile(moments + `|` + amounts), strict},
	{regexp.MustCompile(`^(?:how (?:many|much|far|big|tall|large|heavy|high|wide|fast)|what(?: is|'s| was| are| does| do)? (?:the |your |my )?(?:\w+ )?(?:price|prices|cost|fee|fees|total|amount|balance|rate))\b`), regexp.MustCompile(amounts), strict},
	{regexp.MustCompile(`^(?:who|whom|whose)\b`), regexp.MustCompile(`\b(?:me|mine|ours|us|his|hers|theirs|nobody|no one|everyone|everybody|someone|somebody|team|(?:i|we|he|she|they) (?:did|do|does|will|have|has|can))\b`), strict | byFew | byName},
	{regexp.MustCompile(`^(?:where|which (?:city|place|country|street|shop|store))\b`), regexp.MustCompile(`\b(?:(?:in|at|on|near|to|from|behind|under|inside|outside|next to|by|opposite|between|around) [\w'"]+|here|there|nowhere|online|home|everywhere)\b`), strict | byFew},
	{regexp.MustCompile(`^(?:why|how come|what for|for what reason)\b`), regexp.MustCompile(`\b(?:because|cause|caused|since|as|due to|owing to|so that|in order|reason|therefore|that's why)\b`), byFew},
	{regexp.MustCompile(`^(?:what (?:happened|happens|is wrong|went wrong|is going on|is new|is the (?:problem|matter|issue|trouble|reason))|what's (?:wrong|happening|going on|new|up|the (?:problem|matter|issue|trouble|reason))|how (?:is|are|was|were|did|does|has|have|do you feel|'s|about))\b`), regexp.MustCompile(`\pL`), byFew | byNod},
	{regexp.MustCompile(`^how\b`), regexp.MustCompile(`\b(?:by \w+ing|you (?:can|could|may|need|have to|should|must)|please|click|tap|press|go to|open|enter|use|using|first|then|just|simply|via|through)\b`), byFew},
	{regexp.MustCompile(`^(?:any|anything|got any|(?:do|does|did|have|has|is|are|was|were|would|could|can) (?:\w+ ){1,3}?(?:any|anything|some|something|someone|anyone|a particular|an? fav\w*|ever)\b)`), regexp.MustCompile(`^(?:yes|yeah|yep|no|nope|none|nothing|not (?:yet|really|at all)|never|sure|of course)\b`), byFew},
	{
		regexp.MustCompile(`^(?:is|are|was|were|am|do|does|did|can|could|should|shall|will|would|have|has|had|may|might|must|isn't|aren't|wasn't|don't|doesn't|didn't|can't|couldn't|shouldn't|won't|wouldn't|haven't|hasn't)\b`),
		regexp.MustCompile(`^(?:yes|yep|yeah|yup|sure|ok|okay|no|nope|nah|correct|right|exactly|indeed|absolutely|definitely|certainly|probably|totally|for sure|maybe|of course|(?:that |it |\w+ )?(?:sounds|works) |(?:that's|what) a (?:good|great)|(?:i'd|would) (?:love|like) to|i (?:think|guess|hope|believe) |please do|do it|go ahead|gladly|never|not (?:yet|really|at all|any more|now)|that's (?:right|fine|correct)|i(?:'m| am) afraid|unfortunately|don't|rather not)\b`), strict | byEcho | byNod,
	},
	{regexp.MustCompile(``), nil, byFew},
}

const (
	openers = `(?:and|but|so|or|well|oh|ok|okay|hi|hello|hey|also|then|sorry|please|thanks|thank you|by the way|just|now|first|finally|alright|great)`
	frames  = `(?:can|could|would|will) you (?:please )?(?:tell me|let me know|say|explain|check)|do you (?:know|remember|happen to know)|may i (?:ask|know)|i(?:'d like to| want to| would like to)? (?:know|ask|wonder)|any idea|tell me|would you mind telling me`
)

var (
	lead = regexp.MustCompile(`^(?:` + openers + `\b[,.!:]*\s+)+`)
	// framed is a question put into another one: "do you know when".
	framed = regexp.MustCompile(`^(?:` + frames + `),? (?:more )?(?:about )?(?:(if|whether)\b)?`)

	tags = regexp.MustCompile(`, (?:right|correct|yes|no|(?:is|are|was|were|do|does|did|have|has|can|will|would)(?:n't)? (?:it|he|she|they|you|we|i))\?$`)

	// polite are sentences that answer nothing: they greet, thank, receive or ask to wait.
	polite = regexp.MustCompile(`^(?:thanks|thank you|thx|cheers|hi|hello|hey|bye|goodbye|good (?:morning|evening|day)|got it|i see|understood|noted|sorry|wow|oh|ah|hm+|one moment|just a (?:moment|second|sec)|hold on|wait|please wait|you're welcome|welcome|my pleasure|ha(?:ha)*|lol)\b[^\pL]*(?:(?:very much|a lot|so much|you|then|for \w+(?: \w+)*|a moment|please|yeah|\pL+)\b)?[^\pL]*$`)
	// nods are those that answer only what a yes or a mood answers.
	nods = regexp.MustCompile(`^(?:ok|okay|great|perfect|fine|cool|nice|good|alright|all right|no problem)\b[^\pL]*(?:thanks|thank you|then|you)?[^\pL]*$`)
	// requests ask for something new, and so turn from what was asked.
	requests = regexp.MustCompile(`^(?:please |also |now |then |first |instead |by the way,? |actually,? )*(?:cancel|stop|book|order|show|give|tell|help|send|call|talk|track|find|check|change|refund|return|reset|update|open|close|i (?:want|need|would like|wish)|i'd like|let me (?:first|talk|speak)|let's (?:talk|first|do)|by the way|another (?:thing|question)|one more thing|something else|different)\b`)
	// withdrawals are by which whoever asked takes the question back.
	withdrawals = regexp.MustCompile(`(?i)\b(?:never ?mind|forget (?:it|about it|that)|(?:i(?:'ve| have)?|i've already) (?:found|figured|solved) it|(?:that|it)(?:'s| is| has been) (?:solved|sorted|settled)|no longer (?:matters|needed|necessary)|not important (?:any ?more|now))\b`)
	// refers begins a sentence that goes on about what was just spoken of.
	refers = regexp.MustCompile(`^(?:it|it's|they|they're|that|that's|this|these|those|he|she|he's|she's|the (?:\w+ ){0,2}ones?)\b`)
	// oneself begins what a person says of himself or herself.
	oneself = regexp.MustCompile(`^(?:i|i'm|i've|i'll|i'd|we|we're|we've|we'll|my|our|mine)\b`)
	// addressed asks the other about himself or herself.
	addressed = regexp.MustCompile(`\b(?:you|your|yours)\b`)
	// verbs are signs of a whole sentence.
	verbs = regexp.MustCompile(`^(?:i|we|you|he|she|they|it)\b|\b(?:is|are|was|were|am|be|been|do|does|did|have|has|had|can|could|will|would|shall|should|may|might|must|i'm|i've|it's|that's|they're|we're|you're)\b`)
	named = regexp.MustCompile(`.\b\p{Lu}\p{Ll}+`)
)

// maxFragment is how many words an answer has at most that is no sentence: "The red one".
const maxFragment = 5

// lowered is a sentence as rules read it: in lower case, straight apostrophes, no opener.
func lowered(text string) string {
	text = strings.ToLower(strings.ReplaceAll(text, "’", "'"))
	return strings.Trim(text, ` "'([¿¡`)
}

// asked is a question, read.
type asked struct {
	kind  *kind
	text  string
	terms map[string]int
}

// ask reads a question: what it asks for, and its words.
func ask(s *sentence) asked {
	text := lowered(s.text)
	text = lead.ReplaceAllString(text, "")
	if at := framed.FindStringSubmatchIndex(text); at != nil {
		text = strings.TrimSpace(text[at[1]:])
		if at[2] >= 0 {
			text = "is it so that " + text
		}
	}
	if tags.MatchString(text) { // "..., right?"
		text = "is it so that " + text
	}
	a := asked{text: text, terms: termsOf(text)}
	for i := range kinds {
		if kinds[i].asks.MatchString(text) {
			a.kind = &kinds[i]
			break
		}
	}
	return a
}

// closeness is how near to a question a statement stands.
type closeness int

const (
	later   closeness = iota // later in the conversation
	awaited                  // after it was put off
	direct                   // in the reply
)

// answeredBy reports whether a statement answers the question. In the reply itself less is
// needed: what goes on about it, or a word or two. Later a statement must have the
// question's own words.
func (a *asked) answeredBy(s *sentence, near closeness) bool {
	shared, all := common(a.terms, termsOf(s.text)), len(a.terms)
	half := shared > 0 && 2*shared >= all
	if near == later && !half { // the usual case, and patterns are slow
		return false
	}
	text := lowered(s.text)
	if defers.MatchString(text) || polite.MatchString(text) || nods.MatchString(text) && !a.kind.takes(byNod) {
		return false
	}
	gives := a.kind.answers != nil && (a.kind.answers.MatchString(text) || a.kind.answers.MatchString(lead.ReplaceAllString(text, ""))) ||
		a.kind.takes(byName) && named.MatchString(s.text)
	switch {
	case near == later:
		return gives || !a.kind.takes(strict) || a.kind.takes(byEcho)
	case gives && (a.kind.takes(strict) || shared > 0 || !requests.MatchString(text)), half:
		return true
	case a.kind.takes(byEcho):
		return a.echoed(text)
	case !a.kind.takes(strict) && shared > 0 && 3*shared >= all:
		return true
	}
	return near == direct && a.follows(text)
}

// echoed reports a statement with the verb that the question begins with: "can I" is
// answered by "you can".
func (a *asked) echoed(text string) bool {
	verb, _, _ := strings.Cut(a.text, " ")
	verb = strings.TrimSuffix(verb, "n't")
	for _, same := range [...][]string{{"can", "could", "may", "might"}, {"is", "are", "am"}, {"was", "were"}, {"do", "does"}, {"has", "have"}, {"should", "must", "shall"}, {"will", "would"}} {
		if slices.Contains(same, verb) {
			return echo(text, same)
		}
	}
	return false
}

// echo reports a statement whose second word is one of some verbs, after a word that stands
// for what was spoken of.
func echo(text string, verbs []string) bool {
	words := strings.FieldsFunc(strings.ReplaceAll(text, "n't", " not"), func(r rune) bool { return r == ' ' || r == ',' || r == '.' || r == '!' })
	if len(words) < 2 || !slices.Contains([]string{"i", "you", "it", "they", "we", "he", "she", "that", "this"}, words[0]) {
		return false
	}
	return slices.Contains(verbs, words[1]) || words[1] == "cannot" && slices.Contains(verbs, "can")
}

// follows reports a statement that answers by where it stands: a word or two, what refers to
// the question's matter, or what someone says of himself or herself who was asked about it.
func (a *asked) follows(text string) bool {
	if requests.MatchString(text) {
		return false
	}
	if a.kind.takes(byFew) && len(strings.Fields(text)) <= maxFragment && !verbs.MatchString(text) {
		return true
	}
	return !a.kind.takes(strict) && (refers.MatchString(text) || addressed.MatchString(a.text) && oneself.MatchString(text))
}

// again reports a later question that has all words of this one, and asks for the same.
func (a *asked) again(s *sentence) bool {
	b := ask(s)
	return b.kind == a.kind && a.kind.answers != nil && len(a.terms) > 0 && common(a.terms, termsOf(s.text)) == len(a.terms)
}

// common is how many terms two texts share.
func common(a, b map[string]int) int {
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
	wordsOf(terms, text)
	return terms
}

func hasTerms(text string) bool { return len(termsOf(text)) > 0 }
