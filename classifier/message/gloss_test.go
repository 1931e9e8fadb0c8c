package message

import (
	"slices"
	"strings"
	"testing"

	"github.com/slotway/slotway/config/language"
)

// Every gloss that is built in can be read, and says each of its words in English.
func TestGlosses(t *testing.T) {
	for _, tag := range language.Tags() {
		data, ok := language.Read(tag, glossFile)
		if !ok {
			continue
		}
		if _, err := parseGloss(tag, string(data)); err != nil {
			t.Errorf("%s/%s: %v", tag, glossFile, err)
		}
	}
}

func TestParseGlossBroken(t *testing.T) {
	for text, want := range map[string]string{
		"nicht\n":               "line 1",
		"not: nicht\nno: nicht": "line 1 already",
		"not: Für\nno: fuer":    "already",
	} {
		if _, err := parseGloss("de", text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("ParseGloss(%q): %v, want %q in it", text, err, want)
		}
	}
}

// The longest entry counts, letters may be drawn out, and what a gloss does not have stays.
func TestGlossWords(t *testing.T) {
	for _, tc := range [][2]string{
		{"Jaaa, aber nicht die Bestellung O-1!", "yes but not the <bestellung> <o> <1>"},
		{"Auf gar keinen Fall", "on <gar> no <fall>"},
		{"auf keinen Fall", "never"},
		{"neeein", "no"},
		{"fur fuer FÜR", "for for for"},
		{"schon schön", "already nice"},
		{"Ich hätte gerne", "i want"},
		{"was gibt's", "what is"},
		{"warum eigentlich nicht?", "why not"},
		{"Machen Sie das bitte", "do that please"},
	} {
		got := strings.Join(GlossOf("de-CH").Words(tc[0], func(w string) string { return "<" + w + ">" }), " ")
		if got != tc[1] {
			t.Errorf("%q is %q, want %q", tc[0], got, tc[1])
		}
	}
	if GlossOf("") != nil || GlossOf("en") != nil || GlossOf("tlh") != nil {
		t.Error("a language without a gloss has one")
	}
}

func TestGlossParts(t *testing.T) {
	g, err := parseGloss("fr", "it: c', l'\nis: est\nnot: n', pas\nok: d'accord\n")
	if err != nil {
		t.Fatal(err)
	}
	got := g.Words("C'est l'annuler, d’accord, ce n'est pas aujourd'hui", strings.ToUpper)
	if want := []string{"it", "is", "it", "ANNULER", "ok", "CE", "not", "is", "not", "AUJOURD'HUI"}; !slices.Equal(got, want) {
		t.Errorf("words are %q, want %q", got, want)
	}
}
