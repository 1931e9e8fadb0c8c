package build

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/slotway/slotway/internal/tokenizer"
)

func TestTokenCounter(t *testing.T) {
	for name, want := range map[string]int{"": 4, "estimate": 4, "cl100k_base": 4, "o200k_base": 4} {
		count, err := TokenCounter(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := count("O-12345"); got != want {
			t.Errorf("%q counts %d tokens in an order number, want %d", name, got, want)
		}
	}
	if _, err := TokenCounter("words"); err == nil {
		t.Error("an unknown encoding is taken")
	}
}

// No more is counted at once than the encoder can do quickly, nothing is left out, and the
// count is that of the whole where there are words.
func TestCountsInParts(t *testing.T) {
	encoding, err := tokenizer.Get("cl100k_base")
	if err != nil {
		t.Fatal(err)
	}
	count, err := TokenCounter("cl100k_base")
	if err != nil {
		t.Fatal(err)
	}
	words := "Where's my order O-12345? It should have come on 2026-03-01,  and it's not here…\n\tI'd like 12345678 to know; "
	for name, text := range map[string]string{
		"nothing": "", "short": "hello", "exact": strings.Repeat("a", maxCounted), "words": strings.Repeat(words, 100),
		"spaces and lines": strings.Repeat(" \n", 20_000), "one word": strings.Repeat("q", 20_000), "spaces": strings.Repeat(" ", 20_000),
		"ideographs": strings.Repeat("漢字", 5000), "emoji": strings.Repeat("👩‍👩‍👧", 2000), "no text": strings.Repeat("\xff\x80", 5000),
	} {
		var whole strings.Builder
		for part := range countable(text) {
			if len(part) > maxCounted || utf8.ValidString(text) && !utf8.ValidString(part) {
				t.Errorf("%s: a part of %d bytes", name, len(part))
			}
			whole.WriteString(part)
		}
		if whole.String() != text {
			t.Errorf("%s: the parts are another text", name)
		}
		if name != "words" && name != "short" {
			continue
		}
		if want := encoding.Count(text); count(text) != want {
			t.Errorf("%s: %d tokens, want %d", name, count(text), want)
		}
	}
}
