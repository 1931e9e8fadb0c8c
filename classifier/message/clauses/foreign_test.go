package clauses

import (
	"strings"
	"testing"

	"github.com/slotway/slotway/classifier/message"
)

// A message in another language is cut where its gloss joins and turns it.
func TestForeign(t *testing.T) {
	for _, tc := range [][3]string{
		{"de", "ja, aber was kostet das?", "ja | but+was kostet das"},
		{"de", "nein danke, vielleicht ein andermal", "nein danke | vielleicht ein andermal"},
		{"de", "Guten Tag! Wo ist mein Paket?", "Guten Tag | Wo ist mein Paket"},
		{"de", "hallo, ich möchte meine Bestellung stornieren", "hallo | ich möchte meine Bestellung stornieren"},
		{"es", "sí, pero ¿cuánto cuesta?", "sí | but+¿cuánto cuesta"},
		{"fr", "oui, mais combien ça coûte ?", "oui | but+combien ça coûte"},
		{"fr", "merci, au revoir", "merci, au revoir"},
	} {
		var out []string
		for _, s := range Append(nil, tc[1], message.Tokenize(tc[1], nil), message.GlossOf(tc[0])) {
			w := s.Text
			if s.Join != "" {
				w = s.Join + "+" + w
			}
			out = append(out, w)
		}
		if got := strings.Join(out, " | "); got != tc[2] {
			t.Errorf("%s: %q is %q, want %q", tc[0], tc[1], got, tc[2])
		}
	}
}
