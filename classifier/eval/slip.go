package eval

import (
	"math/rand/v2"
	"unicode"
)

// slips are typing errors, all equally likely: a letter left out, one too many, a
// wrong one, two neighbours the wrong way round.
var slips = []func(r *Row, text []rune, at int, rng *rand.Rand){
	func(r *Row, _ []rune, at int, _ *rand.Rand) { r.splice(at, at+1, "") },
	func(r *Row, _ []rune, at int, rng *rand.Rand) { r.splice(at+1, at+1, letter(rng)) },
	func(r *Row, text []rune, at int, rng *rand.Rand) {
		other := letter(rng)
		for other == string(unicode.ToLower(text[at])) {
			other = letter(rng)
		}
		r.splice(at, at+1, other)
	},
	func(r *Row, text []rune, at int, _ *rand.Rand) {
		if at+1 < len(text) && unicode.IsLetter(text[at+1]) && text[at] != text[at+1] {
			r.splice(at, at+2, string([]rune{text[at+1], text[at]}))
			return
		}
		r.splice(at, at+1, "") // nothing to swap with: it is left out
	},
}

func letter(rng *rand.Rand) string { return string('a' + rune(rng.IntN(26))) }

// slip makes one slip at a letter of a row's text; any letter is as likely as another.
func slip(r *Row, rng *rand.Rand) {
	text := []rune(r.Text)
	var letters []int
	for i, c := range text {
		if unicode.IsLetter(c) {
			letters = append(letters, i)
		}
	}
	if len(letters) < 2 { // the last letter stays, so that there is a message
		return
	}
	slips[rng.IntN(len(slips))](r, text, letters[rng.IntN(len(letters))], rng)
}
