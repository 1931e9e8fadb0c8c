package pattern

import (
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// expressions begin in every way that an expression can.
var expressions = []string{
	`(?i)\b(O-?\d{4,8})\b`, `(?i)\bi'?(?:ll| will) (?:take|have) (?:it|the)\b|\b(?:i|we)(?:'ve)? (?:decided|chose)\b`,
	`^a|b`, `(?m)^(a+)$`, `a\b|\Bb+`, `(?:\b)?y`, `(?:\bx)?y`, `x?\by`, `(?:\b|x)y`, `\b(?:x|\d)?z`, `(?:\bx|\b)y`,
	`(?i)k+`, `(?i)\bs+\b`, `[éè]b?`, `\bé`, `a*`, `.b`, `a{0,2}b`, `(?:ab?)+`, `(a)|(b)`, `ab$`, `\Aab`, `[^a]`,
}

// letters make texts in which the expressions match now and then, and bytes that are no text.
var letters = []string{"a", "b", "x", "y", "z", " ", "k", "K", "K", "s", "ſ", "é", "O-", "o", "1", "23456", "'", "i", "'ll", " take ", "it", "we", " decided", "\n", "_", "\xe2", "\x82", "\xff", "世"}

func finder(expr string) *Finder { return New(regexp.MustCompile(expr)) }

// A Finder finds what its regular expression finds.
func TestFinder(t *testing.T) {
	finders := make([]*Finder, len(expressions))
	for i, e := range expressions {
		finders[i] = finder(e)
	}
	rapid.Check(t, func(t *rapid.T) {
		f := rapid.SampledFrom(finders).Draw(t, "expression")
		text := ""
		for _, part := range rapid.SliceOfN(rapid.SampledFrom(letters), 0, 24).Draw(t, "text") {
			text += part
		}
		same(t, f, text)
	})
}

func same(t interface {
	Errorf(format string, args ...any)
}, f *Finder, text string,
) {
	re := regexp.MustCompile(f.String())
	if got, want := f.MatchString(text), re.MatchString(text); got != want {
		t.Errorf("%s: MatchString(%q) = %t", f, text, got)
	}
	if diff := cmp.Diff(re.FindStringSubmatchIndex(text), f.FindStringSubmatchIndex(text)); diff != "" {
		t.Errorf("%s: first in %q (-regexp +finder):\n%s", f, text, diff)
	}
	if diff := cmp.Diff(re.FindAllStringSubmatchIndex(text, -1), f.FindAllStringSubmatchIndex(text)); diff != "" {
		t.Errorf("%s: all in %q (-regexp +finder):\n%s", f, text, diff)
	}
}

func FuzzFinder(f *testing.F) {
	f.Add(`(?i)\bO-?\d{2,}`, "it is o-12, O3 or xO-44")
	f.Add(`\bé|(?m)^x`, "é x\nx")
	f.Fuzz(func(t *testing.T, expr, text string) {
		re, err := regexp.Compile(expr)
		if err != nil || len(expr) > 100 || len(text) > 1<<12 {
			t.Skip()
		}
		same(t, New(re), text)
	})
}

// Where a search begins decides its speed.
func TestStarts(t *testing.T) {
	for _, c := range []struct {
		expr, text string
		want       []int
	}{
		{`(?i)\b(O-?\d{4,8})\b`, "my order, no O-12345", []int{3, 13}},
		{`(?i)k-\d`, "a k, a \u212a and a K", []int{2, 7, 17}},
		{`(?:^|x)a`, "a xa", []int{0, 2, 3}},
		{`(?i)\b(?:please )?cancel\b`, "xcancel or cancel", []int{11}},
	} {
		var got []int
		s := finder(c.expr).ready().starts
		for at := s.next(c.text, 0); at >= 0; at = s.next(c.text, at+1) {
			got = append(got, at)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s in %q (-want +got):\n%s", c.expr, c.text, diff)
		}
	}
	for _, everywhere := range []string{`a*`, `.b`, `[a-z]\d`, `\d*x|y?`} {
		if finder(everywhere).ready().starts != nil {
			t.Errorf("%s can begin nearly anywhere", everywhere)
		}
	}
}

func BenchmarkFinder(b *testing.B) {
	const expr, text = `(?i)\b(O-?\d{4,8})\b`, "find_orders: 1 result: eta Friday, id O-12345, item wool blanket, status pending"
	b.Run("finder", func(b *testing.B) {
		f := finder(expr)
		for b.Loop() {
			f.FindAllStringSubmatchIndex(text)
		}
	})
	b.Run("regexp", func(b *testing.B) {
		re := regexp.MustCompile(expr)
		for b.Loop() {
			re.FindAllStringSubmatchIndex(text, -1)
		}
	})
}
