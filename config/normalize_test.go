package config

import (
	"testing"

	"pgregory.net/rapid"
)

func TestNormalize(t *testing.T) {
	for _, test := range []struct {
		text  string
		steps []Normalizer
		want  string
	}{
		{" ab-12 c.d", []Normalizer{{Op: "remove", Arg: " -."}, {Op: "upper"}}, "AB12CD"},
		{"İ-ß", []Normalizer{{Op: "replace", Arg: "-", New: "/"}, {Op: "lower"}}, "i/ß"},
		{"12 34", []Normalizer{{Op: "digits"}, {Op: "prefix", Arg: "O-"}}, "O-1234"},
		{"#7#7#", []Normalizer{{Op: "trim", Arg: "#"}}, "7#7"},
		{"a/b/c", []Normalizer{{Op: "replace", Arg: "/"}}, "abc"},
	} {
		if got := Normalize(test.text, test.steps); got != test.want {
			t.Errorf("%q: %q, want %q", test.text, got, test.want)
		}
	}
}

// A cleaned value stays as it is, in whatever order the steps stand.
func TestCleanedStays(t *testing.T) {
	steps := []Normalizer{
		{Op: "upper"}, {Op: "lower"}, {Op: "trim", Arg: "#"}, {Op: "remove", Arg: " -x"}, {Op: "replace", Arg: "ab", New: "c"}, {Op: "replace", Arg: "/"},
	}
	rapid.Check(t, func(t *rapid.T) {
		p := &Param{Clean: rapid.SliceOfN(rapid.SampledFrom(steps), 1, 4).Draw(t, "steps")}
		once := p.Cleaned(rapid.StringOfN(rapid.SampledFrom([]rune("abxABX/# -ßİ1")), 0, 12, -1).Draw(t, "text"))
		if again := p.Cleaned(once); again != once {
			t.Fatalf("%q becomes %q", once, again)
		}
	})
}
