package summary

import (
	"slices"

	"github.com/slotway/slotway/memory"
)

// extractBlock is the number of messages of a block in Extract.
const extractBlock = 20

// Extract summarises a whole conversation in its own words, at most budget of them (separated by
// spaces): the pieces that the tier would keep, block by block and chosen as for the narrative.
func Extract(list []memory.Message, budget int) []Piece {
	if len(list) == 0 {
		return nil
	}
	var all []Piece
	lex := newLexicon()
	for part := range slices.Chunk(list, extractBlock) {
		all = append(all, pieces(part, lex)...)
	}
	return Select(all, budget, list[len(list)-1].Seq, func(p *Piece) int { return words(p.Text) })
}

// Holds reports whether pieces of a message still say what it said: whether they have at least half
// of its words that are neither stop words nor small talk.
func Holds(text string, kept []Piece) bool {
	said := map[string]bool{}
	for i := range kept {
		for _, t := range tokenize(kept[i].Text) {
			said[t.word] = true
		}
	}
	all, there := 0, 0
	for _, t := range tokenize(text) {
		if stopWords[t.word] || phatic[t.word] {
			continue
		}
		all++
		if said[t.word] {
			there++
		}
	}
	return len(kept) > 0 && 2*there >= all
}
