package clauses

import (
	"strings"

	"github.com/slotway/slotway/config/language"
)

// class is a set of the roles that a word may have in a clause, as far as cutting needs them.
type class uint32

const (
	isWh      class = 1 << iota // opens a question: what, where
	isAux                       // opens a question or an order before any word: is, do, don't
	isModal                     // the same, but is a noun or a name too: can, will, may
	isPronoun                   // a subject: i, it, they
	isPoint                     // this, that, there: a subject before a verb
	isShort                     // a subject with its verb: i'm, that's
	isOrder                     // a verb that hardly is a noun: cancel, tell
	isOrderOf                   // a verb that is as often a noun: book, order, return
	isObject                    // begins what a verb is done to: my, the, me, them, all
	isOwner                     // opens a subject: my, the, your
	isPlace                     // a preposition
	isJoin                      // cuts before the beginning of a clause: and, or, then
	isTurn                      // cuts before any word: but, because, unless
	isSay                       // a word that is said for itself: yes, no, thanks, hello, sorry, wait
	isSoft                      // may stand beside such a word: very, much, there, a lot
	isFiller                    // um, well, oh: no clause by itself
	isAsk                       // before it "if" means whether: know, check, me
	isShorten                   // an abbreviation with a full stop: dr, st, etc
)

// classNames are the lists of the classes, in their order.
var classNames = [...]string{
	"wh", "auxiliary", "modal", "pronoun", "point", "short", "order", "order or noun", "object",
	"owner", "place", "join", "turn", "say", "soft", "filler", "ask", "shortened",
}

// lists are the words of English by class, without apostrophes.
var lists = language.Lists(language.English, "clauses.txt")

// classes are the classes of each word.
var classes = func() map[string]class {
	all := map[string]class{}
	for i, name := range classNames {
		for w := range lists.Set(name) {
			all[w] |= 1 << i
		}
	}
	return all
}()

// joinNames spells the joining words that have several spellings in one way.
var joinNames = func() map[string]string {
	all := map[string]string{}
	for name, spellings := range setsOf("spelt %s") {
		for w := range spellings {
			all[w] = name
		}
	}
	return all
}()

// notAfter are words behind which a joining word joins no clause, "nothing but", "as if", and notBefore
// those before which it joins none: "or not", "because of".
var (
	notAfter  = setsOf("%s not behind")
	notBefore = setsOf("%s not before")
)

// setsOf returns the sets whose names have a form, by the word in it.
func setsOf(form string) map[string]map[string]bool {
	sets := map[string]map[string]bool{}
	before, behind, _ := strings.Cut(form, "%s")
	for _, name := range lists.Names() {
		word, begins := strings.CutPrefix(name, before)
		if word, ends := strings.CutSuffix(word, behind); begins && ends {
			sets[word] = lists.Set(name)
		}
	}
	return sets
}
