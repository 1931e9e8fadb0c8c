package planner

import (
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
