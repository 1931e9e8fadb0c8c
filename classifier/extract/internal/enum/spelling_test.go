package enum

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
)

// found lists the values that a text spells, as an answer.
func found(e *Enum, text string) string {
	s := message.New(text, "", nil)
	var values []string
	for i := 0; i < len(s.Tokens); {
		v, n, _ := e.At(s, i, true)
		if n > 0 {
			values = append(values, v)
		}
		i += max(n, 1)
	}
	return strings.Join(values, " ")
}

func typeOf(values ...string) *config.Type {
	t := &config.Type{}
	for _, v := range values {
		t.Values = append(t.Values, config.EnumValue{Value: v})
	}
	return t
}

func TestSigns(t *testing.T) {
	for _, tc := range []struct {
		values string
		said   map[string]string
	}{
		{"A,A-,B+,B", map[string]string{"A-": "A-", "A": "A", "b": "B", "B+.": "B+", "a minus": "A-", "B plus please": "B+", "B*": "B", "(A-)": "A-", "A−": "A-", "B-": "", "A/B": "A B", "A, B+": "A B+"}},
		{"C,C++,C#,F#", map[string]string{"c++": "C++", "C": "C", "c sharp": "C#", "C plus plus": "C++", "F": "", "C++, C#": "C++ C#", "C+": ""}},
		{"Basic,Basic+,Pro", map[string]string{"basic+": "Basic+", "basic": "Basic", "basic plus": "Basic+", "pro+": "", "Basic + Pro": "Basic Pro"}},
		{"$,$$,$$$", map[string]string{"$$": "$$", "$": "$", "$$$$": ""}},
		{"7,7½,8", map[string]string{"7½": "7½", "7": "7", "7.5": "", "18": "", "8th": ""}},
		{"18-25,26-35,36+", map[string]string{"18-25": "18-25", "18 to 25": "", "36+": "36+", "36": ""}},
		{"Premium*,10%,wi-fi", map[string]string{"premium": "Premium*", "premium*": "Premium*", "10": "10%", "10%": "10%", "wifi": "", "wi fi": "wi-fi", "Wi-Fi": "wi-fi"}},
		{"straße,café,größe", map[string]string{"STRASSE": "straße", "cafe": "café", "Groesse": "größe", "GRÖSSE": "größe"}},
		{"2 rooms,3 rooms", map[string]string{"two rooms": "2 rooms", "3 rooms": "3 rooms"}},
	} {
		e := New(typeOf(strings.Split(tc.values, ",")...))
		for text, want := range tc.said {
			if got := found(e, text); got != want {
				t.Errorf("%s: %q is %q, want %q", tc.values, text, got, want)
			}
		}
	}
}

// TestEveryValueIsItself draws types whose values differ in signs and case: what check lets pass can be
// chosen by its own text, and read in a sentence as itself or not at all.
func TestEveryValueIsItself(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfNDistinct(rapid.StringMatching(`[A-C]{1,2}[-+#*]{0,2}( [a-c]{2}\+?)?`), 2, 8, strings.ToLower).Draw(t, "values")
		e := New(typeOf(values...))
		for _, v := range values {
			if got, ok := e.Whole(" " + v + " "); !ok || got != v {
				t.Fatalf("%q is %q", v, got)
			}
			if got := found(e, v); got != v && got != "" {
				t.Fatalf("%q in %q is %q", v, values, got)
			}
		}
	})
}
