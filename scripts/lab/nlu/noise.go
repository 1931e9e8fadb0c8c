package main

import (
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"unicode"

	"github.com/slotway/slotway/classifier/eval"
	"github.com/slotway/slotway/config"
)

// noise changes messages as users do and examples do not. The zero value changes nothing. The same
// seed changes the same text in the same way, whatever stands beside it, so that two programs can
// be compared on one file.
type noise struct {
	edits   int    // slips of the finger in a message, each at any letter of it
	chatter bool   // a greeting and an opening before the message, thanks behind it
	seed    uint64 // another one slips and chats elsewhere
}

// quiet reports whether the noise does nothing.
func (n noise) quiet() bool { return n.edits <= 0 && !n.chatter }

// on returns the rows with the noise; spans are where their words now are. The rows
// themselves stay as they are.
func (n noise) on(rows []eval.Row) []eval.Row {
	if n.quiet() {
		return rows
	}
	out := make([]eval.Row, len(rows))
	for i, r := range rows {
		r.Spans = slices.Clone(r.Spans)
		rng := rand.New(rand.NewPCG(n.seed, textSeed(r.Text)))
		for range n.edits {
			slip(&r, rng)
		}
		if n.chatter {
			chat(&r, rng)
		}
		out[i] = r
	}
	return out
}

func textSeed(text string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(text))
	return h.Sum64()
}

// shots returns n rows of each intent, drawn by the seed, in their order; all of an intent
// that has fewer. n of 0 is all rows.
func shots(rows []eval.Row, n int, seed uint64) []eval.Row {
	if n <= 0 {
		return rows
	}
	byIntent := map[string][]int{}
	for i, r := range rows {
		byIntent[r.Intent] = append(byIntent[r.Intent], i)
	}
	var kept []int
	for intent, at := range byIntent {
		kept = append(kept, draw(at, n, rand.New(rand.NewPCG(seed, textSeed(intent))))...)
	}
	slices.Sort(kept)
	out := make([]eval.Row, len(kept))
	for i, at := range kept {
		out[i] = rows[at]
	}
	return out
}

// draw returns n of the items, or all where there are fewer. It reorders items.
func draw[T any](items []T, n int, rng *rand.Rand) []T {
	n = min(n, len(items))
	for i := range n {
		j := i + rng.IntN(len(items)-i)
		items[i], items[j] = items[j], items[i]
	}
	return items[:n]
}

// splice replaces the runes [from, to) of a row's text by new ones. A span that begins or
// ends behind them moves along.
func splice(r *eval.Row, from, to int, by string) {
	text := []rune(r.Text)
	added := []rune(by)
	delta := len(added) - (to - from)
	r.Text = string(slices.Concat(text[:from], added, text[to:]))
	for i := range r.Spans {
		r.Spans[i] = moved(r.Spans[i], from, delta)
	}
}

func moved(s config.Span, at, delta int) config.Span {
	if s.Start > at || s.Start == at && delta > 1 {
		s.Start += delta
	}
	if s.End > at {
		s.End += delta
	}
	return s
}

// slips are typing errors, all equally likely: a letter left out, one too many, a
// wrong one, two neighbours the wrong way round.
var slips = []func(r *eval.Row, text []rune, at int, rng *rand.Rand){
	func(r *eval.Row, _ []rune, at int, _ *rand.Rand) { splice(r, at, at+1, "") },
	func(r *eval.Row, _ []rune, at int, rng *rand.Rand) { splice(r, at+1, at+1, letter(rng)) },
	func(r *eval.Row, text []rune, at int, rng *rand.Rand) {
		other := letter(rng)
		for other == string(unicode.ToLower(text[at])) {
			other = letter(rng)
		}
		splice(r, at, at+1, other)
	},
	func(r *eval.Row, text []rune, at int, _ *rand.Rand) {
		if at+1 < len(text) && unicode.IsLetter(text[at+1]) && text[at] != text[at+1] {
			splice(r, at, at+2, string([]rune{text[at+1], text[at]}))
			return
		}
		splice(r, at, at+1, "") // nothing to swap with: it is left out
	},
}

func letter(rng *rand.Rand) string { return string('a' + rune(rng.IntN(26))) }

// slip makes one slip at a letter of a row's text; any letter is as likely as another.
func slip(r *eval.Row, rng *rand.Rand) {
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

// What people say around a request. The lists have marks and lack them, as people do.
var (
	greetings = []string{
		"hi there hope you are well, ", "hello! ", "hey, how are you doing today? ", "good morning, ", "hi, i hope you're having a good day. ",
		"hey there ", "dear support team, ", "hello, nice to meet you, ", "good evening to all of you, ", "hi guys, ", "hiya ", "",
	}
	asides = []string{
		"i wanted to ask, ", "i have a quick question: ", "sorry to bother you but ", "i was wondering, ", "maybe you can help me with this. ",
		"so here is the thing, ", "just a quick one, ", "not sure if this is the right place but ", "i really need your help. ",
		"i have been trying for hours now, ", "my wife told me to write to you, ", "",
	}
	partings = []string{
		" thanks so much in advance", ". thank you!", ", thanks a lot for your help", " cheers", ". have a nice day!", ", i would really appreciate it",
		". looking forward to hearing from you", " thank you very much", ". let me know please, thanks", ", you guys are the best", " and thanks again", "",
	}
)

// chat puts chatter around a row's text: something before it at least.
func chat(r *eval.Row, rng *rand.Rand) {
	before := pick(greetings, rng) + pick(asides, rng)
	for before == "" {
		before = pick(greetings, rng) + pick(asides, rng)
	}
	n := len([]rune(r.Text))
	splice(r, n, n, pick(partings, rng))
	splice(r, 0, 0, before)
}

func pick(list []string, rng *rand.Rand) string { return list[rng.IntN(len(list))] }
