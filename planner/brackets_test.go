package planner

import (
	"strings"
	"testing"
)

func TestBracketed(t *testing.T) {
	for text, want := range map[string]string{ // <> is the stretch
		`{<"a": 1>}`:          `{"a": 1}`,
		`{ <"a": 1> }`:        `{ "a": 1 }`,
		`[<1,2>]`:             `[1,2]`,
		`{{<x>}}`:             `{{x}}`,
		`it is <{ok>}?`:       `{ok}`,
		`(see <note) 4>`:      `note) 4`,
		`(<see (a) and (b>)`:  `see (a) and (b)`,
		`(<x>]`:               `x`,
		`<plain>`:             `plain`,
		`<a (b>`:              `a (b`,
		`well, (<call me>) x`: `(call me)`,
	} {
		runes := []rune(strings.NewReplacer("<", "", ">", "").Replace(text))
		from := len([]rune(text[:strings.Index(text, "<")]))
		to := len([]rune(text[:strings.Index(text, ">")])) - 1
		a, b := bracketed(runes, from, to)
		if got := string(runes[a:b]); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
