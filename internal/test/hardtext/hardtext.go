// Package hardtext draws texts whose characters have another length in another form.
package hardtext

import (
	"strings"

	"pgregory.net/rapid"
)

// Texts draws a text of such characters, or any other one.
func Texts() *rapid.Generator[string] {
	hard := rapid.SampledFrom([]string{
		"İpek", "ıı", "ẞtraße", "ΟΔΟΣ", "Ⱥ", "ⱥ", "👨\u200d👩\u200d👧", "👍🏽", "e\u0301", "n\u0303o", "ﬁ", "½", "2", "²", "…", "’", "–", "\u200b", "\u200d",
		"\u00a0", "ｙｅｓ", "각", "\u1100\u1161\u11a8", "ไม่", "東京", "\xff", "not", "no, ", ". ", "?", "O-1", "a@b.example", " ", "\n", "don't", "it’s",
	})
	return rapid.OneOf(rapid.String(), rapid.Custom(func(t *rapid.T) string { return strings.Join(rapid.SliceOfN(hard, 0, 14).Draw(t, "parts"), "") }))
}
