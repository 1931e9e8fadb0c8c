package extract

import (
	"fmt"
	"strings"
	"testing"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/config"
)

// kitchen is an agent of enumerations, a count, a day and an address.
func kitchen() *config.Agent {
	a := inn()
	list := func(values ...string) *config.Type {
		t := &config.Type{Name: values[0] + "_kind", Fuzzy: 1}
		for _, v := range values {
			t.Values = append(t.Values, config.EnumValue{Value: v})
		}
		return t
	}
	a.Params["kind"] = &config.Param{Name: "kind", Label: "pizza", Type: list("margherita", "salami", "ham", "four cheese")}
	a.Params["size"] = &config.Param{Name: "size", Type: list("small", "large")}
	a.Params["drink"] = &config.Param{Name: "drink", Type: list("cola", "water"), Else: config.ElseKeep}
	a.Params["return_reason"] = &config.Param{Name: "return_reason", Type: list("broken", "late")}
	a.Params["spicy"] = &config.Param{Name: "spicy", Type: list("yes", "no")}
	a.Params["day"] = &config.Param{Name: "day", Type: &config.Type{Name: "date", Builtin: "date"}}
	a.Intents = []*config.Intent{{ID: "order", Title: "order a pizza"}, {ID: "track", Title: "track a delivery"}}
	return a
}

// named renders the values of a param and, in brackets, the words that are none.
func named(x *Extractor, in *classifier.Input, param string) string {
	values, wrong := x.ExtractAll(*in, nil)
	var out []string
	for _, v := range values {
		if v.Param == param {
			out = append(out, fmt.Sprint(v.Value))
		}
	}
	for _, v := range wrong {
		if v.Param == param {
			out = append(out, fmt.Sprintf("[%s %s]", v.Wrong, v.Text))
		}
	}
	return strings.Join(out, " ")
}

// TestUnlistedValues: what stands in the place of a value and is none is named; what people
// say besides is not.
func TestUnlistedValues(t *testing.T) {
	x := New(kitchen(), nil)
	for _, tc := range []struct{ asked, text, param, want string }{
		{"", "salami and pineapple", "kind", "salami [unknown pineapple]"},
		{"", "I want salami and pineapple please", "kind", "salami [unknown pineapple]"},
		{"", "a salami, a ham and a pineapple pizza", "kind", "salami ham [unknown pineapple pizza]"},
		{"", "pineapple and salami", "kind", "salami [unknown pineapple]"},
		{"", "I want pineapple plus ham", "kind", "ham [unknown pineapple]"},
		{"", "salami, anchovies, ham and capers", "kind", "salami ham [unknown anchovies] [unknown capers]"},
		{"kind", "salami, pineapple", "kind", "salami [unknown pineapple]"},
		{"kind", "salami & tuna", "kind", "salami [unknown tuna]"},
		{"kind", "pineapple", "kind", "[unknown pineapple]"},
		{"kind", "a pineapple pizza", "kind", "[unknown pineapple pizza]"},
		{"kind", "a pineapple pizza please", "kind", "[unknown pineapple pizza]"},
		{"kind", "Pineapple", "kind", "[unknown Pineapple]"},
		{"size", "gigantic", "size", "[unknown gigantic]"},

		{"", "a salami, Elm Street", "kind", "salami"},
		{"", "salami, spicy", "kind", "salami"},
		{"", "salami and my address is 12 Elm Street", "kind", "salami"},
		{"", "salami and large", "kind", "salami"},
		{"", "salami and tomorrow", "kind", "salami"},
		{"", "salami and thanks", "kind", "salami"},
		{"", "salami and hurry", "kind", "salami"},
		{"", "salami and quickly please", "kind", "salami"},
		{"", "salami and delivery", "kind", "salami"},
		{"", "salami and Anna wants ham", "kind", "salami ham"},
		{"", "salami and bob wants ham", "kind", "salami ham"},
		{"", "salami or pineapple", "kind", "salami"},
		{"", "no salami and pineapple", "kind", "salami"},
		{"", "salami, thanks", "kind", "salami"},
		{"", "salami and margerita", "kind", "salami margherita"},
		{"", "salami and cheese", "kind", "salami"},
		{"", "pineapple", "kind", ""},
		{"kind", "whatever you like", "kind", ""},
		{"kind", "surprise me", "kind", ""},
		{"kind", "anything", "kind", ""},
		{"kind", "hmm", "kind", ""},
		{"kind", "cancel", "kind", ""},
		{"kind", "the usual", "kind", ""},
		{"kind", "which ones?", "kind", ""},
		{"kind", "pineapple?", "kind", ""},
		{"kind", "never mind", "kind", ""},
		{"kind", "tomorrow", "kind", ""},
		{"kind", "large", "kind", ""},
		{"kind", "track my delivery", "kind", ""},
		{"kind", "my wife hates pineapple", "kind", ""},
		{"kind", "margherta", "kind", "margherita"},
		{"kind", "cheese", "kind", ""},
		{"drink", "beer", "drink", ""},
		{"drink", "lemonade", "drink", ""},
		{"spicy", "chili", "spicy", ""},
		{"return_reason", "buzzes", "return_reason", ""},
		{"address", "the house with salami and pineapple", "kind", "salami"},
		{"day", "salami and pineapple", "kind", "salami [unknown pineapple]"},
	} {
		in := classifier.Input{Text: tc.text, Now: now}
		if tc.asked != "" {
			in.Asked = &classifier.Asked{Param: tc.asked}
		}
		if got := named(x, &in, tc.param); got != tc.want {
			t.Errorf("%q asked for %q: %s is %q, want %q", tc.text, tc.asked, tc.param, got, tc.want)
		}
	}
	a := kitchen()
	a.Language = "de"
	in := classifier.Input{Text: "pineapple", Now: now, Asked: &classifier.Asked{Param: "kind"}}
	if got := named(New(a, nil), &in, "kind"); got != "" {
		t.Errorf("an agent of another language says %q", got)
	}
}
