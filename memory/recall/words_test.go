package recall

import (
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func termsOf(text string) []string {
	var s scanner
	var out []string
	s.terms(text, func(term []byte) { out = append(out, string(term)) })
	return out
}

func TestTerms(t *testing.T) {
	tests := []struct {
		text string
		want []string
	}{
		{"", nil},
		{"What did she buy?", []string{"bui"}},
		{"She bought two PIZZAS", []string{"bui", "two", "pizza"}},
		{"Anna's dog isn't here", []string{"anna", "dog"}},
		{"Anna’s dog, I’m sure", []string{"anna", "dog", "sure"}},
		{"O-12345 costs 9.50", []string{"o", "12345", "cost", "9", "50"}},
		{"children went; mice ran", []string{"child", "go", "mous", "run"}},
		{"Ärger mit Größe", []string{"ärger", "mit", "größe"}},
		{"東京都 trip", []string{"東京", "京都", "trip"}},
		{"a b\x00c\xff d", []string{"b", "c", "d"}},
	}
	for _, test := range tests {
		if diff := cmp.Diff(test.want, termsOf(test.text)); diff != "" {
			t.Errorf("terms of %q (-want +got):\n%s", test.text, diff)
		}
	}
}

func TestDateTerms(t *testing.T) {
	var s scanner
	var got []string
	note := func(term []byte) { got = append(got, string(term)) }
	s.dateTerms(time.Date(2024, 7, 9, 12, 0, 0, 0, time.UTC), note)
	s.dateTerms(time.Time{}, note)
	if diff := cmp.Diff([]string{"juli", "9", "2024"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if want := termsOf("July 9, 2024"); !slices.Equal(want, got) {
		t.Errorf("a date is indexed as %v and asked for as %v", got, want)
	}
}

func TestMonthTerms(t *testing.T) {
	for m := time.January; m <= time.December; m++ {
		if got := termsOf(m.String()); !slices.Equal(got, []string{monthTerms[m-1]}) {
			t.Errorf("%s is %v in a question and %q in the index", m, got, monthTerms[m-1])
		}
	}
}

func TestAsks(t *testing.T) {
	for text, want := range map[string]bool{"": false, "Really? ": true, "Really? Yes.": false, "\"Why?\"": true, "なに？": true, "\xff?": true} {
		if got := asks(text); got != want {
			t.Errorf("asks(%q) = %t, want %t", text, got, want)
		}
	}
}

func FuzzTerms(f *testing.F) {
	for _, seed := range []string{"", "What's up?", "東京都", "a\xffb", "x’s", "ing", "'''s", strings.Repeat("w", 200), "ſ\u0130K"} {
		f.Add(seed)
	}
	x, _ := indexOf(nil, 30, 8)
	f.Fuzz(func(t *testing.T, text string) {
		for _, term := range termsOf(text) {
			if term == "" || len(term) > maxTerm+utf8.UTFMax {
				t.Errorf("term of %d bytes in %q", len(term), text)
			}
		}
		asks(text)
		x.rank(&indexQuery{text: text, k: 5, filter: matchAll}, true)
	})
}
