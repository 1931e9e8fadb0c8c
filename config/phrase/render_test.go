package phrase

import (
	"slices"
	"strings"
	"testing"
)

var testEnv = map[string]any{
	"n": 3.0, "half": 2.5, "yes": true, "name": "Ann", "empty": "",
	"order":  map[string]any{"id": "O-1", "status": "pending", "total": 20.0, "tags": []any{"a", "b"}},
	"orders": []any{map[string]any{"id": "O-1", "open": true}, map[string]any{"id": "O-2"}},
	"list":   []any{"x", "y", "z"},
}

func TestTextRender(t *testing.T) {
	for _, c := range []struct{ source, want string }{
		{"", ""},
		{"plain", "plain"},
		{"{name} has {n} of {half}", "Ann has 3 of 2.5"},
		{"{orders.1.id} {orders.9.id}{nobody}", "O-2"},
		{"{{name}} {{{name}}}", "{name} {Ann}"},
		{"{list}", "x, y and z"},
		{"{order.tags}", "a and b"},
		{"{yes}", "yes"},
		{"a}}b{{", "a}b{"},
		{"[if n > 2: Many.] Done.[if half > 9: Late.]", "Many. Done."},
		{"Order[if order.tags[0] == \"a\": {order.id}] is [if yes:here][if not yes:late].", "Order O-1 is here."},
		{"[if name in [\"Ann\", \"Bo: b\"]:Hi {nobody}, {name}]", "Hi, Ann"},
		{"It [if you like] is [if you are {name}].", "It [if you like] is if you are Ann."},
		{"{n|count:night,nights}, {orders.0|count:a,b}, {list|count:thing,things}{nobody|count:x,y}", `3 nights, {"id":"O-1","open":true} b, 3 things`},
	} {
		text, err := ParseText(c.source)
		if err != nil {
			t.Errorf("ParseText(%q): %v", c.source, err)
			continue
		}
		if got := text.Render(testEnv); got != c.want {
			t.Errorf("%q renders %q, want %q", c.source, got, c.want)
		}
	}
}

func TestTextErrors(t *testing.T) {
	for _, source := range []string{"{", "}", "{}", "{a", "a}", "{a b}", "{.a}", "{a.}", "{0}", "{a..b}"} {
		if _, err := ParseText(source); err == nil {
			t.Errorf("ParseText(%q) is no error", source)
		}
	}
}

// Conditions and counted nouns that cannot be read are reported with what to write.
func TestTextConditionErrors(t *testing.T) {
	for source, want := range map[string]string{
		"[if n >: x]":            "[if n >: ...]",
		"[if n > 1: open":        "has no ] at its end",
		"[if n == 1 one]":        "has no colon; write [if CONDITION: text]",
		"{n|count}":              "write {n|count:night,nights}",
		"{n|count:night}":        "write {n|count:night,nights}",
		"[if rand() > 1: never]": "rand",
	} {
		if _, err := ParseText(source); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("ParseText(%q): %v, want %q", source, err, want)
		}
	}
	text, err := ParseText("[if n > m: {x}]")
	if err != nil {
		t.Fatal(err)
	}
	if got := text.Names(); !slices.Equal(got, []string{"m", "n", "x"}) || len(text.NeededNames()) > 0 {
		t.Errorf("names %v, needed %v", got, text.NeededNames())
	}
}

func TestNumbers(t *testing.T) {
	for _, c := range []struct {
		in   float64
		want string
	}{{0, "0"}, {-1, "-1"}, {1e15, "1000000000000000"}, {0.1, "0.1"}, {1234567.5, "1234567.5"}, {1e300, "1e+300"}} {
		if got := Display(c.in); got != c.want {
			t.Errorf("Display(%v) = %q, want %q", c.in, got, c.want)
		}
	}
}

func TestNilTextIsSafe(t *testing.T) {
	var text *Text
	if got := text.Render(nil); got != "" || text.Names() != nil {
		t.Errorf("nil Text renders %q", got)
	}
}
