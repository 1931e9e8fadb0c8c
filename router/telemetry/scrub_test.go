package telemetry

import (
	"encoding/base64"
	"encoding/hex"
	"errors"
	"net/url"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestScrub(t *testing.T) {
	tests := []struct {
		name, text string
		values     []string
		want       string
	}{
		{"nothing known", "no such order", nil, "no such order"},
		{"as it is", "order O-12345 not found", []string{"O-12345"}, "order [redacted] not found"},
		{"another case", "no JANE@example.ORG", []string{"Jane@Example.org"}, "no [redacted]"},
		{"digits only", "where id = 12345", []string{"O-12345"}, "where id = [redacted]"},
		{"other separators", "card 4111-1111 1111.1111 refused", []string{"4111111111111111"}, "card [redacted] refused"},
		{"in a query", `Get "https://x.test/?q=M%C3%BCller+%26+Co"`, []string{"Müller & Co"}, `Get "https://x.test/?q=[redacted]"`},
		{"in a path", `Get "https://x.test/a%2Fb%20c/d"`, []string{"a/b c"}, `Get "https://x.test/[redacted]/d"`},
		{"in lower case escapes", "q=%c3%a4%c3%b6%c3%bc", []string{"äöü"}, "q=[redacted]"},
		{"quoted", `bad input "a\nb\"c"`, []string{"a\nb\"c"}, `bad input "[redacted]"`},
		{"quoted to ascii", `name "\u00e9lodie"`, []string{"élodie"}, `name "[redacted]"`},
		{"in base64", "auth " + base64.StdEncoding.EncodeToString([]byte("O-12345")), []string{"O-12345"}, "auth [redacted]=="},
		{"in hexadecimal", "x " + hex.EncodeToString([]byte("secret")), []string{"secret"}, "x [redacted]"},
		{"a short value stays", "at 42", []string{"42", ""}, "at 42"},
		{"overlapping values", "see abcdef", []string{"abcd", "cdef"}, "see [redacted]"},
		{"one within another", "see O-12345", []string{"123", "O-12345"}, "see [redacted]"},
		{"neighbours", "abcabc", []string{"abc"}, "[redacted][redacted]"},
		{"controls", "a\x1b[2Jb\nc\u202ed", nil, "a [2Jb c d"},
		{"a control within the value", "got a\tb", []string{"a\tb"}, "got [redacted]"},
		{"kelvin sign", "273 \u212aelvin", []string{"kelvin"}, "273 [redacted]"},
		{"invalid bytes", "a\xffb", nil, "a\ufffdb"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, Scrub(test.text, test.values).String()); diff != "" {
				t.Errorf("Scrub(%q, %q) (-want +got):\n%s", test.text, test.values, diff)
			}
		})
	}
}

func TestScrubFindsBase64WithinMore(t *testing.T) {
	const secret = "jane@example.org"
	for _, before := range []string{"", "u", "us", "use", "user"} {
		for _, enc := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding} {
			whole := enc.EncodeToString([]byte(before + ":" + secret + ":after"))
			got := Scrub("header "+whole, []string{secret}).String()
			if got == "header "+whole || !strings.Contains(got, redacted) {
				t.Errorf("Scrub leaves %q (of %q)", got, before+":"+secret)
			}
			// What is left must not decode to more of the value than its edge characters.
			rest := strings.Split(strings.TrimPrefix(got, "header "), redacted)
			if len(rest) != 2 || len(rest[0]) > len(before)*2+4 {
				t.Errorf("Scrub leaves %q of %q", got, whole)
			}
		}
	}
}

func TestScrubCuts(t *testing.T) {
	for _, text := range []string{
		strings.Repeat("ü", 1000),
		strings.Repeat("x", maxScrub-4) + "secret and more",
		strings.Repeat("secret ", 1000),
	} {
		got := Scrub(text, []string{"secret"}).String()
		if len(got) > maxScrub || !utf8.ValidString(got) {
			t.Errorf("Scrub gives %d bytes, valid UTF-8 %v", len(got), utf8.ValidString(got))
		}
		if strings.Contains(got, "sec") {
			t.Errorf("Scrub cuts a value in two: ...%q", got[len(got)-12:])
		}
	}
}

func TestScrubError(t *testing.T) {
	if got := ScrubError(nil, []string{"abc"}).String(); got != "" {
		t.Errorf("ScrubError(nil) = %q", got)
	}
	if got := ScrubError(errors.New("no abc"), []string{"abc"}).String(); got != "no [redacted]" {
		t.Errorf("ScrubError = %q", got)
	}
}

func TestValues(t *testing.T) {
	got := Values(map[string]any{
		"a": "x", "n": 42.0, "big": 1e15, "f": 1.5, "no": nil, "yes": true,
		"l": []any{"y", map[string]any{"deep": "z"}},
	})
	slices.Sort(got)
	want := []string{"1.5", "1000000000000000", "42", "x", "y", "z"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Values (-want +got):\n%s", diff)
	}
}

// FuzzScrub puts a value into an error's text in each of the ways in which it gets there, and
// looks for it in the outcome.
func FuzzScrub(f *testing.F) {
	f.Add("jane@example.org", "no user ", " here")
	f.Add("O-12345", "GET /orders/", "?x=1")
	f.Add("Müller & Söhne", "\x00", "\xff")
	f.Add("[redacted]", "a", "b")
	f.Add("aaa", "a", "a")
	f.Add("000", "0", "00")
	f.Fuzz(func(t *testing.T, value, before, after string) {
		if !utf8.ValidString(value) || len(core(value)) < minScrub || len(before)+len(value) > 100 {
			t.Skip()
		}
		ways := []string{
			value, url.QueryEscape(value), url.PathEscape(value),
			hex.EncodeToString([]byte(value)), base64.RawURLEncoding.EncodeToString([]byte(value)),
		}
		for _, other := range []string{strings.ToUpper(value), strings.ToLower(value)} {
			if strings.EqualFold(other, value) { // SS is another spelling of ß, not its other case
				ways = append(ways, other)
			}
		}
		for _, way := range ways {
			got := Scrub(before+way+after, []string{value}).String()
			if !strings.Contains(got, redacted) {
				t.Errorf("Scrub(%q, %q) = %q", before+way+after, value, got)
			}
			left := strings.ReplaceAll(got, redacted, "\u2400")
			if strings.Contains(left, value) {
				t.Errorf("Scrub(%q, %q) leaves %q", before+way+after, value, left)
			}
			if len(got) > maxScrub || !utf8.ValidString(got) || strings.ContainsAny(got, "\n\r\x1b\x00") {
				t.Errorf("Scrub(%q) = %q: not one printable line of at most %d bytes", way, got, maxScrub)
			}
		}
	})
}
