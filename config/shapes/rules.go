package shapes

import (
	"slices"
	"strings"
	"unicode"
)

func wordSet(list string) map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		out[w] = true
	}
	return out
}

// Words that distinguish a value from the rest of a conversation.
var (
	streetWords = wordSet(`street st avenue ave av road rd lane ln drive dr boulevard blvd way court ct place pl square sq terrace crescent cres close alley highway hwy
		parkway pkwy circle cir trail row walk gate hill gardens grove mews quay pike plaza path loop park broadway esplanade wharf yard green rue calle via avenida viale piazza strasse platz weg`)
	streetEnds   = []string{"strasse", "straße", "straat", "weg", "gasse", "allee", "platz", "laan", "gatan", "vej", "str"}
	shapePronoun = wordSet("i im ive id ill you youre your u he hes she shes we weve theyre they it its me us them this that thats theres my mine ours yours")
	shapeWh      = wordSet("what which who whom whose where when why how whats wheres hows whos whens")
	shapeAux     = wordSet("is are was were do does did can could will would should shall may might has have had am isnt arent dont doesnt didnt wont cant couldnt wouldnt shouldnt hasnt much many long come about")
	// shapeTalk are words about a text rather than in one: alone they are no value.
	shapeTalk = wordSet(`a an the and or but so if then of to for in on at by with from as about into out up off over
		i im ive id ill you youre your u he she we they it its me us them this that thats theres there my mine what which who where when why how
		is are was were be been do does did dont doesnt didnt can cant could couldnt will wont would wouldnt should may might has have had am not no nope nah yes yeah yep yup y n k ok okay sure
		please pls thanks thank thx hi hello hey bye well oh um uh hmm hm ah sorry wait hold hang sec second seconds moment minute minutes one just let think thinking know idea clue
		maybe perhaps later now never mind nevermind forget skip pass cancel stop nothing none anything something whatever lot much same before again another other day time
		tell telling say said asked need want like get give already told right wrong correct fine good great cool really actually too also only very
		help agent human person restart repeat dunno idk lol`)
	nameNot = wordSet(`want need cancel order orders track change send ship deliver book call pay put show give make take buy get tell move return refund wrong right broken because but sorry
		actually instead different else where here there home work away being getting having doing going early late later maybe private secret unknown anonymous someone anybody everyone nobody address email phone number street road today tomorrow tonight yesterday
		monday tuesday wednesday thursday friday saturday sunday`)
)

// holds are the openings of messages that answer nothing yet, with the number of words that may
// follow.
var holds = []struct {
	words string
	more  int
}{
	{"one sec", 4},
	{"one second", 4},
	{"one moment", 4},
	{"one minute", 4},
	{"a sec", 3},
	{"a second", 3},
	{"a moment", 3},
	{"a minute", 3},
	{"just a", 4},
	{"hold on", 5},
	{"hang on", 5},
	{"give me a", 4},
	{"let me", 4},
	{"not sure", 4},
	{"im not sure", 4},
	{"no idea", 4},
	{"i have no idea", 4},
	{"no clue", 4},
	{"i dont know", 6},
	{"dont know", 4},
	{"i do not know", 6},
	{"dunno", 3},
	{"idk", 3},
	{"i forgot", 1},
	{"i lost", 1},
	{"i forget", 1},
	{"i cant remember", 4},
	{"cant remember", 4},
	{"i dont remember", 4},
	{"dont remember", 4},
	{"im not telling", 4},
	{"none of your", 3},
	{"thats private", 3},
	{"thats personal", 3},
	{"id rather not", 6},
	{"i rather not", 6},
	{"rather not", 5},
	{"i would rather not", 6},
	{"i prefer not", 5},
	{"prefer not", 5},
	{"i wont", 5},
	{"i dont want to", 6},
	{"i do not want to", 6},
	{"never mind", 4},
	{"nevermind", 4},
	{"forget it", 3},
	{"forget about it", 3},
	{"same as", 5},
	{"the same", 4},
	{"as before", 2},
	{"like before", 2},
	{"like last time", 2},
	{"i already", 4},
	{"i just told", 4},
	{"i told you", 4},
	{"you already", 4},
	{"no thank", 6},
	{"no thanks", 6},
	{"not now", 4},
	{"not yet", 3},
	{"not today", 3},
	{"maybe", 3},
	{"another day", 2},
	{"some other time", 2},
	{"ask me", 4},
	{"cancel", 2},
	{"stop", 1},
	{"start over", 2},
	{"talk to", 3},
	{"speak to", 3},
	{"skip", 2},
	{"pass", 1},
	{"help", 1},
	{"wait", 3},
	{"say that again", 1},
	{"come again", 0},
	{"go back", 2},
	{"what do you", 6},
	{"none", 1},
	{"nothing", 1},
}

// content reports whether at least n words are not in shapeTalk.
func (t *shaped) content(n int) bool {
	for _, w := range t.words {
		if !shapeTalk[w.low] {
			n--
		}
	}
	return n <= 0
}

// proper reports whether every word has a capital, as in a title: "Stop & Shop". A lone word may
// just start a sentence.
func (t *shaped) proper() bool {
	return len(t.words) > 1 && !slices.ContainsFunc(t.words, func(w shapeWord) bool { return !w.upper })
}

// talk reports whether the text is a question, a hold or a refusal.
func (t *shaped) talk() bool {
	if strings.HasSuffix(t.text, "?") || t.question() {
		return true
	}
	return slices.ContainsFunc(holdsBy[t.words[0].low], t.holds) && !(t.proper() && t.content(1))
}

// holds reports whether the text is this hold, with no more words after it than allowed.
func (t *shaped) holds(h hold) bool {
	if len(h.words) > len(t.words) || len(t.words)-len(h.words) > h.more {
		return false
	}
	for i, w := range h.words {
		if t.words[i].low != w {
			return false
		}
	}
	return true
}

// hold is an opening, and the number of words that may follow.
type hold struct {
	words []string
	more  int
}

// holdsBy are the openings by their first word.
var holdsBy = func() map[string][]hold {
	out := map[string][]hold{}
	for _, h := range holds {
		words := strings.Fields(h.words)
		out[words[0]] = append(out[words[0]], hold{words, h.more})
	}
	return out
}()

// question reports whether the text starts like a question: "why do", "is it"; not "When I open
// it".
func (t *shaped) question() bool {
	if len(t.words) < 2 {
		return shapeWh[t.words[0].low]
	}
	first, next := t.words[0].low, t.words[1].low
	if shapeWh[first] {
		return shapeAux[next] || len(first) > 4 && strings.HasSuffix(first, "s") && first != "whose" // what's
	}
	return shapeAux[first] && (shapePronoun[next] || next == "the" || next == "there") && first != "much" && first != "many" && first != "long" && first != "about" && first != "have"
}

// clause reports whether the text has a pronoun or a negation, as a sentence does.
func (t *shaped) clause() bool {
	return slices.ContainsFunc(t.words, func(w shapeWord) bool {
		return shapePronoun[w.low] || w.low == "not" || w.low == "dont" || w.low == "because" || w.low == "maybe" || w.low == "but" || w.low == "is" || w.low == "was" || w.low == "are"
	})
}

// address reports whether there is a house number with a street, a ZIP code or a place after a
// comma.
func (t *shaped) address() bool {
	if len(t.words) < 2 || strings.HasSuffix(t.text, "?") || t.question() || t.clause() {
		return false
	}
	found := t.findAddressParts()
	words := t.wordsBeside(found.house)
	return found.house >= 0 && words > 0 && (found.street || found.box || found.place && words > 1 || found.house == 0 && t.capitals(1))
}

// addressParts says which parts of an address a text has.
type addressParts struct {
	house  int  // index of the house number, -1 for none
	street bool // a word for a street
	place  bool // a postal code, or a place after a comma
	box    bool // "box", as in "PO box 12"
}

// findAddressParts looks at each word for the part of an address that it may be.
func (t *shaped) findAddressParts() addressParts {
	found := addressParts{house: -1}
	for i, w := range t.words {
		number := t.houseNumber(i)
		switch {
		case number && found.house < 0:
			found.house = i
		case t.streetWord(i, found.house):
			found.street = true
		case w.comma && i > 1 && !shapeTalk[w.low] && !number:
			found.place = true
		case (isZip(w.low) || number && len(w.low) > 4) && i > 1:
			found.place = true
		case w.low == "box" && i > 0:
			found.box = true
		}
	}
	return found
}

// houseNumber reports whether the word at i is a house number, and not an amount of something.
func (t *shaped) houseNumber(i int) bool {
	return isHouse(t.words[i].low) && !(i+1 < len(t.words) && measured[t.words[i+1].low])
}

// streetWord reports whether the word at i names a street: "Lane", soon after the house number if
// there is one before it (house is its index, or -1), or a word like "Bahnhofstrasse".
func (t *shaped) streetWord(i, house int) bool {
	w := t.words[i].low
	if streetWords[w] && i > 0 && (house < 0 || i-house < 6) {
		return true
	}
	return slices.ContainsFunc(streetEnds, func(end string) bool { return len(w) > len(end)+2 && strings.HasSuffix(w, end) })
}

// wordsBeside counts the words with letters that may be part of an address, without the one at
// house.
func (t *shaped) wordsBeside(house int) int {
	n := 0
	for i, w := range t.words {
		if i != house && strings.ContainsFunc(w.low, unicode.IsLetter) && !shapeTalk[w.low] {
			n++
		}
	}
	return n
}

// capitals reports whether all words from index from on start with a capital.
func (t *shaped) capitals(from int) bool {
	return len(t.words) > from && len(t.words) <= from+4 && !slices.ContainsFunc(t.words[from:], func(w shapeWord) bool { return !w.upper })
}

// AddressIn returns the address in a text that leads to it: "3 Tar Lane" in "please come to 3 Tar
// Lane". It returns a text without such a lead unchanged.
func AddressIn(text string) string {
	words := strings.Fields(text)
	at := 0
	for i, w := range words[:max(0, len(words)-1)] {
		if addressLeads[strings.ToLower(w)] && isHouse(strings.ToLower(strings.Trim(words[i+1], ","))) {
			at = strings.Index(text, w+" ") + len(w)
		}
	}
	cut := strings.TrimSpace(text[at:])
	if at == 0 || !LooksLike(Address, cut) {
		return text
	}
	return cut
}

// addressLeads precede a house number.
var addressLeads = wordSet("at to is in from address")

// measured are units: a number before one is no house number.
var measured = wordSet("dollar dollars euro euros pound pounds buck bucks usd eur cent cents percent kg kilo kilos gram grams km mile miles hour hours minute minutes day days week weeks month months year years people persons guests adults kids children tickets pieces items rooms nights times")

// isHouse reports whether a word is a house number: 12, 12b, 12-14, 5/2.
func isHouse(w string) bool {
	digits, letters := 0, 0
	for _, r := range w {
		switch {
		case unicode.IsDigit(r):
			digits++
		case unicode.IsLetter(r):
			letters++
		case r != '-' && r != '/' && r != '–':
			return false
		}
	}
	return digits > 0 && digits <= 6 && letters <= 1 && unicode.IsDigit(rune(w[0]))
}

// isZip reports whether a word may be a postal code that is no plain number: SW1A.
func isZip(w string) bool {
	return len(w) > 2 && len(w) < 9 && strings.ContainsFunc(w, unicode.IsDigit) && strings.ContainsFunc(w, unicode.IsLetter)
}

// name reports whether there are one to five words without shapeTalk and numbers. A word of
// shapeTalk with a capital may be part of a name: "Will Smith".
func (t *shaped) name() bool {
	if len(t.words) > 5 || strings.ContainsFunc(t.text, func(r rune) bool { return unicode.IsDigit(r) || strings.ContainsRune("?!:;@/\n", r) }) {
		return false
	}
	bad := 0
	for _, w := range t.words {
		if (shapeTalk[w.low] || nameNot[w.low]) && !particles[w.low] {
			bad++
		}
	}
	if t.proper() {
		return bad < len(t.words)
	}
	return bad == 0 && t.content(1)
}

// particles may be part of a name.
var particles = wordSet("de la le van von der den da di del do dos bin al st of the and")
