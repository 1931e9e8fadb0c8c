package planner

import (
	"slices"
	"strings"
)

// plights are phrases that belong to no task and need an answer in any case.
var plights = phrases("plight")

// proposePlight answers messages about self-harm, and those in, or about, another language.
func (r *interpreter) proposePlight() []reading {
	said := strings.Join(r.words, " ")
	x := reading{kind: kindMeta, clauses: r.allClauses(), evidence: 1}
	switch {
	case slices.ContainsFunc(plights, func(p string) bool { return strings.Contains(said, p) }):
		x.Rule = "crisis"
		x.perform = func(r *interpreter) { r.say("crisis", nil); r.again() }
	case r.def.English() && foreign(r.words), r.gloss != nil && asksFor(r.words, func(w string) bool { return languageNames[w] || w == "english" }):
		x.Rule, x.evidence = "language", 0.6
		if r.gloss != nil || asksLanguage(r.words) {
			x.evidence = 1
		}
		x.perform = func(r *interpreter) {
			r.take(nil, r.allValues())
			r.say("language", nil)
			r.again()
		}
	default:
		return nil
	}
	return []reading{x}
}

// foreignWords are frequent words of other languages that are not English.
var foreignWords = wordSet("foreign_words")

// englishWords are words among them that also mean something in English.
var englishWords = wordSet("english_words")

// languageNames are the languages that users ask for: "do you speak Spanish?".
var languageNames = wordSet("language_names")

// speaking stands before the name of a language: "do you speak Spanish".
var speaking = wordSet("speaking")

// asksLanguage reports whether words ask to speak another language.
func asksLanguage(words []string) bool {
	return asksFor(words, func(w string) bool { return languageNames[w] })
}

// asksFor reports whether words ask to speak a language whose name is in named.
func asksFor(words []string, named func(string) bool) bool {
	at := slices.IndexFunc(words, named)
	return at > 0 && slices.ContainsFunc(words[:at], func(v string) bool { return speaking[v] })
}

// foreign reports whether words are in another language, or ask for one.
func foreign(words []string) bool {
	if asksLanguage(words) {
		return true
	}
	count, firm := 0, 0
	for _, w := range words {
		if foreignWords[w] {
			count++
			if !englishWords[w] {
				firm++
			}
		}
	}
	return firm >= 1 && count*10 >= len(words)*4 || firm >= 2 && count*3 >= len(words)
}
