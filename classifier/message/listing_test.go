package message

import (
	"strings"
	"testing"
)

func TestListing(t *testing.T) {
	for _, tc := range []struct{ tag, text, items, without string }{
		{"en", "Peru, Chile & Bolivia", "Peru|Chile|Bolivia", ""},
		{"en", "Peru and Chile", "Peru|Chile", ""},
		{"en", "first Peru, then Chile, and finally Cuba.", "Peru|Chile|Cuba", ""},
		{"en", "Trinidad and Tobago and Peru", "Trinidad and Tobago|Peru", ""},
		{"en", "Peru, no Chile", "Peru", "Chile"},
		{"en", "Peru but not Chile", "Peru", "Chile"},
		{"en", "no Chile", "", "Chile"},
		{"en", "Cuba too", "Cuba", ""},
		{"en", "also Cuba and Peru", "Cuba|Peru", ""},
		{"en", "H&M, A.B. Miller; C+A", "H&M|A.B. Miller|C+A", ""},
		{"en", "Smith and Sons, Peru", "Smith and Sons|Peru", ""},
		{"en", "the Netherlands", "the Netherlands", ""},
		{"en", "- milk\n- bread, and\n- eggs", "milk|bread|eggs", ""},
		{"en", "İstanbul, ȺȺ and Ñandú", "İstanbul|ȺȺ|Ñandú", ""},
		{"en", "", "", ""},
		{"en", ", and", "", ""},
		{"de", "Peru, Chile und Kuba", "Peru|Chile|Kuba", ""},
		{"de", "auch Kuba", "Kuba", ""},
		{"es", "Perú, Chile y Cuba también", "Perú|Chile|Cuba", ""},
		{"fr", "d'abord le Pérou, puis le Chili", "le Pérou|le Chili", ""},
	} {
		got := LanguageOf(tc.tag).Listing(tc.text, []string{"Smith and Sons"})
		if items, without := strings.Join(got.Items, "|"), strings.Join(got.Without, "|"); items != tc.items || without != tc.without {
			t.Errorf("%s: %q lists %q without %q, want %q without %q", tc.tag, tc.text, items, without, tc.items, tc.without)
		}
		if adds := strings.Contains(tc.text, "too") || strings.Contains(tc.text, "al") && strings.Contains(tc.text, "also") || strings.Contains(tc.text, "auch") || strings.Contains(tc.text, "también"); adds != got.Adds {
			t.Errorf("%q adds: %v", tc.text, got.Adds)
		}
	}
}

func FuzzListing(f *testing.F) {
	f.Add("Peru, no Chile & too")
	f.Fuzz(func(t *testing.T, text string) {
		got := LanguageOf("en").Listing(text, nil)
		for _, item := range append(got.Items, got.Without...) {
			if item == "" || !strings.Contains(text, item) {
				t.Fatalf("%q lists %q", text, item)
			}
		}
	})
}
