package archive

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/slotway/slotway/internal/test/hardtext"
	"github.com/slotway/slotway/memory/internal/plaintext"
)

func TestPiecesAreWholePartsOfTheText(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		text := strings.ToValidUTF8(hardtext.Texts().Draw(rt, "text"), "?")
		if short, cut := strings.CutSuffix(shorten(text, rapid.IntRange(1, 20).Draw(rt, "most")), "…"); !utf8.ValidString(short) || cut && !strings.HasPrefix(text, short) {
			rt.Fatalf("%q is cut to %q", text, short)
		}
		for _, chunk := range Chunk(text, rapid.IntRange(1, 9).Draw(rt, "size"), rapid.IntRange(0, 4).Draw(rt, "overlap")) {
			if !utf8.ValidString(chunk) || !strings.Contains(text, chunk) {
				rt.Fatalf("%q is no part of %q", chunk, text)
			}
		}
		var whole strings.Builder
		for s := range plaintext.Sentences(text) {
			whole.WriteString(s)
		}
		if whole.String() != text {
			rt.Fatalf("the sentences of %q are %q", text, whole.String())
		}
		for _, run := range runs(text) {
			for _, w := range run {
				if !strings.Contains(text, w.text) {
					rt.Fatalf("%q is not in %q", w.text, text)
				}
			}
		}
	})
}
