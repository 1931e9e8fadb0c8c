package pattern

import (
	"regexp"
	"regexp/syntax"
	"testing"

	"pgregory.net/rapid"
)

func parse(expr string) *syntax.Regexp {
	parsed, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		panic(err)
	}
	return parsed.Simplify()
}

func TestNeeds(t *testing.T) {
	for _, c := range []struct {
		pattern, lacks, has string // lacks cannot match, has may
	}{
		{`[a-z]+@[a-z]+`, "ana at example", "@"},
		{`(?i)\bO-?\d{5}\b`, "where is my order", "my 1st"},
		{`(?i)k-[a-z]+`, "an order", "K"}, // the sign of Kelvin is a form of k
		{`\d+|[A-Z]{2}`, "my order", "X"},
		{`(?:ref:)?#\w+`, "ref:77", "#7"},
	} {
		find := needs(parse(c.pattern))
		if find == nil {
			t.Errorf("%s: no rune is needed", c.pattern)
			continue
		}
		if find(c.lacks) {
			t.Errorf("%s: %q passes", c.pattern, c.lacks)
		}
		if !find(c.has) {
			t.Errorf("%s: %q does not pass", c.pattern, c.has)
		}
	}
	if needs(parse(`\d*`)) != nil || needs(parse(`\d|x*`)) != nil {
		t.Error("a match may be empty: no rune is needed")
	}
}

// A text with a match passes the test of its pattern.
func TestNeedsLosesNoMatch(t *testing.T) {
	patterns := []string{
		`[\p{L}\p{N}._%+'-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+`, `(?i)\bO-?\d{5}\b`, `(?i)sk-[a-z0-9]{3,}`, `\p{Lu}{2}\d{2}|é+`, `[^a]b?`, `.x{2,}`,
	}
	rapid.Check(t, func(t *rapid.T) {
		re := regexp.MustCompile(rapid.SampledFrom(patterns).Draw(t, "pattern"))
		text := rapid.OneOf(rapid.String(), rapid.StringMatching(re.String())).Draw(t, "text")
		if find := needs(parse(re.String())); find != nil && re.MatchString(text) && !find(text) {
			t.Fatalf("%s matches %q, which does not pass", re, text)
		}
	})
}
