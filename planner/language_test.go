package planner

import (
	"slices"
	"strings"
	"testing"

	"github.com/slotway/slotway/classifier/message"
)

// The rules hear another language by its gloss; what is written as one of their words and is
// none of them is marked.
func TestWordsIn(t *testing.T) {
	for _, tc := range [][3]string{
		{"de", "Ja, aber nicht die Lampe!", "yes but not the lampe"},
		{"de", "Kann ich das all inclusive buchen", "can i that ~all inclusive buchen"},
		{"fr", "Je ne veux pas l'annuler", "i not want not it cancel"},
		{"fr", "on garde tout", "we keep everything"},
		{"es", "sí, pero no me lo quedo", "yes but no keep it"},
		{"en", "Don’t do it", "don't do it"},
		{"it", "All right", "all right"},
	} {
		if got := strings.Join(wordsIn(message.GlossOf(tc[0]), tc[1]), " "); got != tc[2] {
			t.Errorf("%s: %q is %q, want %q", tc[0], tc[1], got, tc[2])
		}
	}
}

// What makes no yes of a message in English does so in every language with a gloss: no gloss may
// lack one of these words, or give one of them to a word of a yes.
func TestGlossBars(t *testing.T) {
	for tag, said := range map[string][]string{
		"de": {"nicht", "kein", "nie", "aber", "wenn", "falls", "bis", "warte", "vielleicht", "ohne", "außer", "oder", "jedoch", "stattdessen", "lieber", "vorausgesetzt", "sobald", "obwohl"},
		"es": {"no", "nunca", "pero", "si no", "si es", "hasta", "espera", "quizás", "sin", "excepto", "o", "en lugar", "mejor", "una vez que", "aunque", "a menos que", "cuando"},
		"fr": {"ne", "pas", "non", "jamais", "mais", "si", "s'", "jusqu'à", "attendez", "peut-être", "sans", "sauf", "ou", "cependant", "plutôt", "à moins que", "dès que", "quand"},
	} {
		for _, w := range said {
			if words := wordsIn(message.GlossOf(tag), w); !barred(words) && !yesBars[words[0]] {
				t.Errorf("%s: %q is %q, which bars no yes", tag, w, words)
			}
		}
	}
}

// What a question would do is the verb in it, wherever the language puts it.
func TestForeignVerb(t *testing.T) {
	for _, tc := range [][3]string{
		{"de", "Soll ich die Bestellung {order_id} ({order.item}) stornieren? Das lässt sich nicht rückgängig machen.", "cancel"},
		{"de", "Bestellung {order_id} wirklich stornieren?", "cancel"},
		{"de", "Stornieren wir die Bestellung {order_id}?", "cancel"},
		{"es", "¿Cancelo el pedido {order_id}?", "cancel"},
		{"fr", "Voulez-vous annuler la commande {order_id} ?", "cancel"},
		{"fr", "Dois-je supprimer le compte ?", "delete"},
	} {
		r := &interpreter{gloss: message.GlossOf(tc[0])}
		if got := r.foreignVerb(tc[1]); got != tc[2] {
			t.Errorf("%s: the verb of %q is %q, want %q", tc[0], tc[1], got, tc[2])
		}
	}
}

// Words of a yes are what a gloss makes of a yes, and nothing else is.
func TestGlossYes(t *testing.T) {
	for tag, said := range map[string][]string{
		"de": {"ja bitte", "jaaa", "ja, machen Sie das bitte", "genau", "einverstanden", "na klar"},
		"es": {"sí, por favor", "siiii", "si, hágalo por favor", "claro que sí", "de acuerdo"},
		"fr": {"oui, s'il vous plaît", "ouiiii", "oui, faites-le", "d'accord", "tout à fait"},
	} {
		for _, text := range said {
			words := wordsIn(message.GlossOf(tag), text)
			if wholeYes[strings.Join(words, " ")] {
				continue
			}
			if barred(words) || slices.ContainsFunc(words, func(w string) bool { return !yesWords[w] }) {
				t.Errorf("%s: %q is %q, which is no clean yes", tag, text, words)
			}
		}
	}
}
