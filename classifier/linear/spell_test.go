package linear

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/slotway/slotway/classifier/internal/hashing"
	"github.com/slotway/slotway/classifier/message"
)

// list is a dictionary of some words, the most frequent first.
type list []string

func words(text string) list { return strings.Fields(text) }

func (l list) Rank(word []byte) (int, bool) {
	at := slices.Index(l, string(word))
	return at, at >= 0
}

// TestMisspelt ranks messages in which a word or two is misspelt as if it were not.
func TestMisspelt(t *testing.T) {
	common := words("please tune whether weather card chat now the temple")
	m := train(t, lights(), &Options{Dictionary: common, Words: []string{"veranda"}})
	for text, meant := range map[string]string{
		"rasie the tempreature":         "raise the temperature", // swapped letters, and two slips in a long word
		"swich the kitchn lights of":    "switch the kitchen lights of",
		"swithc, THE kitcheen Lihgts!":  "switch, THE kitchen lights!",
		"mkae it brighr":                "make it bright",
		"lights in the vernda":          "lights in the veranda", // a name of the agent's
		"plesse heat 21 bathrom":        "please heat 21 bathroom",
		"\ue000 lgihts \ue001":          "\ue000 lights \ue001",
		"the card":                      "the card",         // a common word, although "hard" is near
		"tune the lamp":                 "tune the lamp",    // likewise, and frequent
		"lmp":                           "lamp",             // three letters
		"lp":                            "lp",               // two
		"xqzvw":                         "xqzvw",            // nothing is near
		"lights7 lam7":                  "lights7 lam7",     // codes
		"turn on the lämp":              "turn on the lamp", // letters of other alphabets are letters
		strings.Repeat("lampe", 10):     strings.Repeat("lampe", 10),
		"temperature of the bathroooom": "temperature of the bathroom",
	} {
		var s scratch
		m.vocabulary.vectorise(text, &s)
		if got := s.meant(text); got != meant {
			t.Errorf("%q is taken for %q, want %q", text, got, meant)
		}
		got, want := m.Rank(text, nil), m.Rank(meant, nil)
		if len(want) > 0 && got[0].Intent != want[0].Intent {
			t.Errorf("Rank(%q) = %v, want %v as of %q", text, got[0], want[0], meant)
		}
	}
}

// TestMisspeltSure holds a misspelt request to little less confidence than the request.
func TestMisspeltSure(t *testing.T) {
	m := train(t, lights(), &Options{Dictionary: words("please")})
	for _, text := range []string{"swich the kitchn lights on", "raise teh temprature", "tunr off the lmap"} {
		if got := m.Rank(text, nil); got[0].Confidence < 0.6 {
			t.Errorf("Rank(%q) = %v", text, got)
		}
	}
}

// Where no dictionary tells a new word from a misspelt one, short words stay as they are.
func TestMisspeltBlind(t *testing.T) {
	m := train(t, lights(), nil)
	for text, meant := range map[string]string{"lmp": "lmp", "head of the hall": "head of the hall", "bathrom": "bathroom"} {
		var s scratch
		m.vocabulary.vectorise(text, &s)
		if got := s.meant(text); got != meant {
			t.Errorf("%q is taken for %q, want %q", text, got, meant)
		}
	}
}

// A rare common word gives way only where the agent's own word follows the one before.
func TestMisspeltRare(t *testing.T) {
	var common list
	for range rareRank {
		common = append(common, "")
	}
	m := train(t, lights(), &Options{Dictionary: append(common, "hal", "lam")})
	for text, meant := range map[string]string{"light up the hal": "light up the hall", "hal 21": "hal 21", "my lam": "my lam"} {
		var s scratch
		m.vocabulary.vectorise(text, &s)
		if got := s.meant(text); got != meant {
			t.Errorf("%q is taken for %q, want %q", text, got, meant)
		}
	}
}

// The one that is more frequent, among the examples and in the language.
func TestNearest(t *testing.T) {
	s := newSpeller(map[string]int32{"card": 3, "cart": 5, "care": 3}, words("the then than"))
	for text, want := range map[string]string{"carx": "cart", "thn": "the", "txen": "then"} {
		var m misspelt
		if !m.read([]byte(text)) {
			t.Fatalf("%q is not read", text)
		}
		if got, _ := s.repair([]byte(text), &m, hashing.NewTable(0), nil); string(got) != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}

// A model that was read repairs as the one that was written; without its dictionary it is
// refused.
func TestSpellerIsStored(t *testing.T) {
	common := words("please card")
	m := train(t, lights(), &Options{Dictionary: common})
	data := encode(t, m)
	again, err := decode(data, Parts{Dictionary: common})
	if err != nil {
		t.Fatal(err)
	}
	var s scratch
	again.vocabulary.vectorise("plaese swich the lgihts", &s)
	if got := s.meant(""); got != "please switch the lights" {
		t.Errorf("read back: %q", got)
	}
	if _, err := decode(data, Parts{}); err == nil {
		t.Error("decoded without the dictionary")
	}
}

// A misspelt message costs the string that the embedder reads, nothing else.
func TestMisspeltAllocates(t *testing.T) {
	m := train(t, lights(), &Options{Dictionary: words("please"), Embedder: letters{"a"}})
	into := make([]message.Score, 0, 8)
	const text = "plase swich the kitchn lights on"
	m.Rank(text, into)
	if n := testing.AllocsPerRun(100, func() { m.Rank(text, into) }); n > 1 && !raceEnabled {
		t.Errorf("Rank allocates %v times", n)
	}
}

// TestWithin compares with the plain recursion.
func TestWithin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		letters := rapid.SliceOfN(rapid.RuneFrom([]rune("abcä")), 0, 8)
		a, b := letters.Draw(t, "a"), letters.Draw(t, "b")
		for _, distance := range []int{1, 2} {
			if got, want := message.Within(a, b, distance), slipsApart(a, b) <= distance; got != want {
				t.Fatalf("within(%q, %q, %d) = %t", string(a), string(b), distance, got)
			}
		}
	})
}

func slipsApart(a, b []rune) int {
	if len(a) == 0 || len(b) == 0 {
		return len(a) + len(b)
	}
	cost := 1
	if a[len(a)-1] == b[len(b)-1] {
		cost = 0
	}
	n := min(slipsApart(a[:len(a)-1], b)+1, slipsApart(a, b[:len(b)-1])+1, slipsApart(a[:len(a)-1], b[:len(b)-1])+cost)
	if len(a) > 1 && len(b) > 1 && a[len(a)-1] == b[len(b)-2] && a[len(a)-2] == b[len(b)-1] {
		n = min(n, slipsApart(a[:len(a)-2], b[:len(b)-2])+1)
	}
	return n
}

// FuzzRepair holds the repair to bounds on any text.
func FuzzRepair(f *testing.F) {
	m := train(f, lights(), &Options{Dictionary: words("please")})
	f.Add("pleaes \xff lgihts \ue000 ääää")
	f.Fuzz(func(t *testing.T, text string) {
		var s scratch
		m.vocabulary.vectorise(text, &s)
		if got := s.meant(text); len(got) > len(text)+2*4*mostRepairs {
			t.Fatalf("%d bytes become %d", len(text), len(got))
		}
	})
}

func BenchmarkRepair(b *testing.B) {
	docs := map[string]int32{}
	for _, e := range synthetic(150, 20) {
		for w := range strings.FieldsSeq(e.Text) {
			docs[w]++
		}
	}
	s := newSpeller(docs, words("please"))
	b.ReportAllocs()
	var m misspelt
	into := make([]byte, 0, 64)
	for b.Loop() {
		m.read([]byte("tempretuare"))
		into, _ = s.repair([]byte("tempretuare"), &m, hashing.NewTable(0), into[:0])
	}
	b.ReportMetric(float64(len(s.words)), "words")
}
