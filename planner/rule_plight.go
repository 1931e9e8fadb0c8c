package planner

import (
	"slices"
	"strings"
)

// plights are phrases that belong to no task and need an answer in any case.
var plights = []string{
	"kill myself", "killing myself", "suicide", "suicidal", "end my life", "want to die", "hurt myself", "harm myself", "self harm",
	"don't want to live", "dont want to live",
}

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
var foreignWords = wordSet(`
	el la los las una uno donde dónde está esta mi pedido quiero por favor hola gracias habla español cuándo como cómo qué necesito puedo mis
	le les une mon ma mes je où est voudrais bonjour merci vous nous avez pour avec commande s'il plaît français suis
	der die das ich ist mein meine wo bitte danke nicht und wie kann möchte haben deutsch guten tag hallo bestellung auf
	il lo gli mio mia dove sono vorrei grazie ciao italiano è
	ik mijn waar bestelling graag dank u nederlands het een
	eu meu minha onde obrigado quero português não`)

// englishWords are words among them that also mean something in English.
var englishWords = wordSet("die das la le los las el ma mes est il lo u tag was es her die an so")

// languageNames are the languages that users ask for: "do you speak Spanish?".
var languageNames = wordSet("spanish french german italian portuguese dutch chinese mandarin russian arabic polish turkish hindi japanese korean")

// asksLanguage reports whether words ask to speak another language.
func asksLanguage(words []string) bool {
	return asksFor(words, func(w string) bool { return languageNames[w] })
}

// asksFor reports whether words ask to speak a language whose name is in named.
func asksFor(words []string, named func(string) bool) bool {
	at := slices.IndexFunc(words, named)
	return at > 0 && slices.ContainsFunc(words[:at], func(v string) bool { return v == "speak" || v == "in" || v == "talk" || v == "understand" })
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
