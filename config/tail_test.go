package config

import (
	"regexp"
	"testing"
)

// TestTails: the tail of an id is derived where all its values begin with the same letters and
// end in a bounded count of digits.
func TestTails(t *testing.T) {
	for _, tc := range []struct {
		patterns  []string
		normalize string
		example   string
		want      string // prefix and form; "" for none
	}{
		{[]string{`M-\d{4}`}, "", "", `M- ^[0-9]{4,4}$`},
		{[]string{`\b(M-\d{4})\b`}, "", "", `M- ^[0-9]{4,4}$`},
		{[]string{`(?i)\bkl\d{4,6}\b`}, "upper", "", `KL ^[0-9]{4,6}$`},
		{[]string{`(?i)kl\d{4}`}, "lower", "", `kl ^[0-9]{4,4}$`},
		{[]string{`[Bb]l-\d\d\d`}, "", "Bl-123", `Bl- ^[0-9]{3,3}$`},
		{[]string{`O-?\d{5}`}, "", "O-20075", `O- ^[0-9]{5,5}$`},
		{[]string{`O-?\d{5}`}, "", "O20075", `O ^[0-9]{5,5}$`},
		{[]string{`M-\d{4}`, `member (\d{4})`}, "", "", `M- ^[0-9]{4,4}$`},
		{[]string{`M-\d{4}`, `M-\d{6}`}, "", "", `M- ^[0-9]{4,6}$`},

		{[]string{`O-?\d{5}`}, "", "", ""},
		{[]string{`M-\d+`}, "", "", ""},
		{[]string{`M-\d{4,}`}, "", "", ""},
		{[]string{`\d{4}`}, "", "", ""},
		{[]string{`M-\d{4}`, `X-\d{4}`}, "", "", ""},
		{[]string{`[MX]-\d{4}`}, "", "", ""},
		{[]string{`(?:M|XY)-\d{4}`}, "", "", ""},
		{[]string{`M-\d{4}-\d{2}`}, "", "", ""},
		{[]string{`M-\d{4}[A-Z]`}, "", "", ""},
		{[]string{`M2-\d{4}`}, "", "", ""},
		{[]string{`M-[A-Z]{4}`}, "", "", ""},
	} {
		var patterns []*regexp.Regexp
		for _, p := range tc.patterns {
			patterns = append(patterns, regexp.MustCompile(p))
		}
		got := ""
		if tail := tailOf(patterns, []Normalizer{{Op: tc.normalize}}, tc.example); tail != nil {
			got = tail.Prefix + " " + tail.Form.String()
		}
		if got != tc.want {
			t.Errorf("%q, example %q: %q, want %q", tc.patterns, tc.example, got, tc.want)
		}
	}
}
