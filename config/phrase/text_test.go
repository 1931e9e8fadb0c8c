package phrase

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestBrackets leaves out what has nothing in it, and keeps brackets that are text.
func TestBrackets(t *testing.T) {
	env := map[string]any{"a": "x", "b": "y", "none": "", "no": nil, "list": []any{}, "zero": 0.0, "false": false, "blank": "  "}
	for _, c := range []struct{ source, want string }{
		{"pizza[ with {a}].", "pizza with x."},
		{"pizza[ with {none}].", "pizza."},
		{"pizza[ with {no}][ and {list}][ and {unknown}][ and {blank}].", "pizza."},
		{"pizza[ with {a} and {none}].", "pizza."},
		{"[{zero}] [{false}]", "0 no"},
		{"[{a}[ and {none}]]!", "x!"},
		{"[{none}[ and {a}]]!", ""},
		{"[see below] {a}", "[see below] x"},
		{"a[0] and [{a}", "a[0] and [x"},
		{"a] [b] {a}]", "a] [b] x]"},
		{`\[{a}\] \[{none}\]`, "[x] []"},
		{"[{a}](https://x/{b})", "[x](https://x/y)"},
		{`C:\dir\{a}`, `C:\dir\x`},
		{"one [{none}] two", "one two"},
		{"[[[[[[{a}]]]]]]", "[[x]]"},
	} {
		if got := MustText(c.source).Render(env); got != c.want {
			t.Errorf("%q renders %q, want %q", c.source, got, c.want)
		}
	}
	if diff := cmp.Diff([]string{"a", "b", "c"}, MustText("{a}[ {b}[ {c}]] [d]").Names()); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
}

// TestGaps tidies what stood around a value that is not there.
func TestGaps(t *testing.T) {
	env := map[string]any{"a": "x", "e": ""}
	for _, c := range []struct{ source, want string }{
		{"Cancelled the order of {e}.", "Cancelled the order."},
		{"Order {a}, {e}?", "Order x?"},
		{"Order {a} ({e})", "Order x"},
		{"Order {a} (for {e}).", "Order x."},
		{`Nothing called "{e}".`, "Nothing."},
		{"{e}, your order is here.", "your order is here."},
		{"{e} Hello", "Hello"},
		{"Hello {e}", "Hello"},
		{"Hello {e} there", "Hello there"},
		{"Hello {e}{a}", "Hello x"},
		{"Done: {e}.", "Done."},
		{"One:\n{e}\nTwo:\n{a}", "One:\nTwo:\nx"},
		{"Name: {e}\nDay: {a}", "Name:\nDay: x"},
		{"From {e} to {e}?", "From?"},
		{"It goes to {a} for {e}, as you said.", "It goes to x, as you said."},
		{"log in{e}.", "log in."},
		{"{e}", ""},
		{"{a}  {a}", "x  x"},
		{"a . {a}", "a . x"},
	} {
		if got := MustText(c.source).Render(env); got != c.want {
			t.Errorf("%q renders %q, want %q", c.source, got, c.want)
		}
	}
}

func TestTextFormats(t *testing.T) {
	env := map[string]any{
		"date": "2026-11-27", "stamp": "2026-11-27T08:45:00Z", "price": 5.0, "sum": "1234.5 EUR", "name": "Ann",
		"list": []any{"a", "b", "c"}, "odd": "soon", "days": []any{"2026-11-27", "2026-12-01"},
	}
	for _, c := range []struct{ source, want string }{
		{"{date}", "2026-11-27"},
		{"{date|long}", "Friday, 27 November 2026"},
		{"{stamp|long}", "Friday, 27 November 2026 at 8:45 am"},
		{"{days|long}", "Friday, 27 November 2026 and Tuesday, 1 December 2026"},
		{"{odd|long} {name|money}", "soon Ann"},
		{"{price|money} {sum|money}", "5.00 €1,234.50"},
		{"{list|or} {list|and} {list}", "a, b or c a, b and c a, b and c"},
		{"{name|upper} {name|lower}", "ANN ann"},
		{"{date|raw} {date|iso}", "2026-11-27 2026-11-27"},
	} {
		if got := MustText(c.source).Render(env); got != c.want {
			t.Errorf("%q renders %q, want %q", c.source, got, c.want)
		}
	}
	for source, want := range map[string]string{"{date|lang}": `unknown format "lang", did you mean "long"?`, "{date|}": `unknown format ""`, "{date|a b}": `unknown format "a b"`} {
		if _, err := ParseText(source); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", source, err, want)
		}
	}
}
