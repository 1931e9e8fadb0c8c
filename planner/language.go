package planner

import (
	"strings"
	"unicode"

	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config/pattern"
)

// The rules look at small words such as "not", "it" and "please", and know the English ones. A gloss
// translates those of other languages, so that one set of rules serves all. The tables of a language
// say what its words mean, never what follows from them.

// foreignMark precedes a word of another language that looks like an English word of the tables but
// is not: the French "on" is not "on".
const foreignMark = "~"

// ruleWords holds the words of all tables of the rules, and those that rules name themselves.
var ruleWords = map[string]bool{}

// wordsOf returns the words of a text, with small words in English.
func (r *interpreter) wordsOf(text string) []string { return wordsIn(r.gloss, text) }

// wordsIn returns the words of a text in a language. gloss is nil for English.
func wordsIn(gloss *message.Gloss, text string) []string {
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

// foreignVerb returns the word of a question in another language that names the action. In
// languages with the verb at the end it is the last word in lower case; a question without one
// begins with it: "Bestellung stornieren?", "Stornieren wir Bestellung O-1?".
func (r *interpreter) foreignVerb(question string) string {
	question, _, _ = strings.Cut(filledIn.ReplaceAllString(question, " "), "?")
	question = before.ReplaceAllString(question, "")
	if r.gloss.VerbLast {
		fields := strings.FieldsFunc(question, func(c rune) bool { return !message.InWord(c) && c != '\'' })
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
	filledIn = pattern.Must(`\{[^}]*\}|\([^)]*\)`) // what a template puts in, and remarks
	before   = pattern.Must(`^.*[.!:]\s`)          // the sentences before the one that asks
)

func doesSomething(w string) bool { return !echoWords[w] && !verbFillers[w] && !aroundVerbs[w] }

// aroundVerbs are words of questions that are not verbs, besides those of English questions.
var aroundVerbs = wordSet("around_verbs")

// headVerb returns the word of a title that names the action.
func (r *interpreter) headVerb(title []string) string {
	if r.gloss != nil && r.gloss.VerbLast {
		return title[len(title)-1]
	}
	return title[0]
}
