package planner

import (
	"regexp"
	"strings"
	"unicode"

	"github.com/slotway/slotway/config/language"
)

// The rules are about small words, "not", "it", "please", and know the English ones. What is said
// in another language comes to them through its gloss, so that there is one set of rules: the
// tables of a language say what its words are, never what follows from them.

// foreignMark stands before a word of another language that is written as one of the English
// tables is, and is not it: the French "on" is no "on".
const foreignMark = "~"

// ruleWords are the words of all tables of the rules, and those that rules name by themselves.
var ruleWords = map[string]bool{}

// wordsOf are the words of a text, the small ones in English.
func (r *interpreter) wordsOf(text string) []string { return wordsIn(r.gloss, text) }

// wordsIn are the words of a text in a language; its gloss is nil for English.
func wordsIn(gloss *language.Gloss, text string) []string {
	if gloss == nil {
		return wordsOf(text)
	}
	return gloss.Words(text, func(w string) string {
		if ruleWords[w] {
			return foreignMark + w
		}
		return w
	})
}

// foreignVerb is the word of a question in another language that says what would be done. Where
// verbs stand at the end it is the last word in small letters; a question without one begins
// with it: "Bestellung stornieren?", "Stornieren wir Bestellung O-1?".
func (r *interpreter) foreignVerb(question string) string {
	question, _, _ = strings.Cut(filledIn.ReplaceAllString(question, " "), "?")
	question = before.ReplaceAllString(question, "")
	if r.gloss.VerbLast {
		fields := strings.FieldsFunc(question, func(c rune) bool { return !inWord(c) })
		for i := len(fields) - 1; i >= 0; i-- {
			if w := fields[i]; unicode.IsLower([]rune(w)[0]) {
				if said := r.wordsOf(w); len(said) == 1 && doesSomething(said[0]) {
					return said[0]
				}
			}
		}
	}
	for _, w := range r.wordsOf(question) {
		if doesSomething(w) {
			return w
		}
	}
	return ""
}

var (
	filledIn = regexp.MustCompile(`\{[^}]*\}|\([^)]*\)`) // what a template puts in, and remarks
	before   = regexp.MustCompile(`^.*[.!:]\s`)          // the sentences before the one that asks
)

func doesSomething(w string) bool { return !echoWords[w] && !verbFillers[w] && !aroundVerbs[w] }

// aroundVerbs stand in a question and are no verb, besides those of English questions.
var aroundVerbs = wordSet("really with for to from on in at your us if sure are is be must need")

// headVerb is the word of a title that says what is done.
func (r *interpreter) headVerb(title []string) string {
	if r.gloss != nil && r.gloss.VerbLast {
		return title[len(title)-1]
	}
	return title[0]
}
