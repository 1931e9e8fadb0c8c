package encoder

import (
	"slices"
	"strings"
	"testing"
)

func TestTextsAreReadAsQuestions(t *testing.T) {
	m := open(t)
	plain, asking := newEncoder(m, fastest, nil), newEncoder(m, fastest, &Options{Question: true})
	if plain.Model() == asking.Model() {
		t.Errorf("both are %s: vectors of one would be taken for the other's", plain.Model())
	}
	for text, want := range map[string]string{
		"where is my parcel":    "where is my parcel?",
		"where is my parcel?":   "where is my parcel?",
		"where is my parcel ? ": "where is my parcel?",
		"Zürich":                "Zürich ?",
		"?":                     "?",
		strings.Repeat("parcel ", longestMessage):   strings.Repeat("parcel ", longestMessage-3) + "?",
		strings.Repeat("parcel ", longestMessage-3): strings.Repeat("parcel ", longestMessage-3) + "?",
	} {
		if !slices.Equal(vectorOf(asking, text), vectorOf(plain, want)) {
			t.Errorf("%.30q is not read as %.30q", text, want)
		}
	}
	for _, text := range []string{"", " \n", "\ue000"} {
		if v := vectorOf(asking, text); slices.Max(v) != 0 || slices.Min(v) != 0 {
			t.Errorf("%q has a vector", text)
		}
	}
	dst := make([]float32, asking.Dimension())
	if n := testing.AllocsPerRun(20, func() { asking.EmbedInto(dst, twelve) }); n != 0 && !raceEnabled {
		t.Errorf("%v allocations", n)
	}
	tiny := newEncoder(m, fastest, &Options{Longest: 1, Question: true})
	if !slices.Equal(vectorOf(tiny, "parcel parcel"), vectorOf(plain, "parcel?")) {
		t.Error("the shortest text has no place for its mark")
	}
}
