package encoder

import (
	"encoding/binary"
	"fmt"
	"unicode/utf8"
)

// vocabulary knows the pieces of words. A piece that continues a word begins with ##.
type vocabulary struct {
	starts []uint32 // by piece, and one more: where its text begins
	text   []byte
	slots  []byte // uint16: pieces by hash
	mask   uint64
}

const (
	maxWordRunes  = 100 // of a word; longer ones are unknown, as in the model's own tokeniser
	maxPieceRunes = 18  // of a piece, the longest in the vocabulary; check holds it
)

// FNV-1a, 64 bits: http://www.isthe.com/chongo/tech/comp/fnv/.
const (
	fnvOffset = 14695981039346656037
	fnvPrime  = 1099511628211
)

func fnv(state uint64, text []byte) uint64 {
	for _, c := range text {
		state = (state ^ uint64(c)) * fnvPrime
	}
	return state
}

// continues is the state behind the mark of a continuation.
var continues = fnv(fnvOffset, []byte("##"))

func (v *vocabulary) piece(id uint16) []byte { return v.text[v.starts[id]:v.starts[id+1]] }

// check makes sure that no lookup can leave the file or go round for ever.
func (v *vocabulary) check() error {
	last := uint32(0)
	for i, at := range v.starts {
		if at < last || int(at) > len(v.text) {
			return fmt.Errorf("%w: piece %d begins at %d", ErrWeights, i, at)
		}
		if i > 0 && utf8.RuneCount(v.text[last:at]) > maxPieceRunes {
			return fmt.Errorf("%w: piece %d is longer than %d", ErrWeights, i-1, maxPieceRunes)
		}
		last = at
	}
	free := false
	for at := 0; at < len(v.slots); at += 2 {
		id := binary.LittleEndian.Uint16(v.slots[at:])
		free = free || id == freeSlot
		if id != freeSlot && int(id) >= len(v.starts)-1 {
			return fmt.Errorf("%w: a slot names piece %d of %d", ErrWeights, id, len(v.starts)-1)
		}
	}
	if !free {
		return fmt.Errorf("%w: no slot is free", ErrWeights)
	}
	return nil
}

// find looks a piece up: its text without the mark, its hash with it.
func (v *vocabulary) find(state uint64, text []byte, inside bool) (id uint16, ok bool) {
	for slot := (state ^ state>>32) & v.mask; ; slot = (slot + 1) & v.mask {
		id = binary.LittleEndian.Uint16(v.slots[2*slot:])
		if id == freeSlot {
			return 0, false
		}
		p := v.piece(id)
		if inside {
			if len(p) < 2 || p[0] != '#' || p[1] != '#' {
				continue
			}
			p = p[2:]
		}
		if string(p) == string(text) {
			return id, true
		}
	}
}

// appendWord appends the pieces of a word, with their bytes in it: the longest known beginning, then
// the longest known continuation, and so on; a word that does not come out even is unknown.
func (v *vocabulary) appendWord(pieces []Piece, word []byte) []Piece {
	unknown := Piece{ID: idUnknown, End: len(word)}
	if len(word) > maxWordRunes && utf8.RuneCount(word) > maxWordRunes {
		return append(pieces, unknown)
	}
	before := len(pieces)
	for at := 0; at < len(word); {
		id, n := v.longest(word[at:], at > 0)
		if n == 0 {
			return append(pieces[:before], unknown)
		}
		pieces = append(pieces, Piece{ID: id, Inside: at > 0, Start: at, End: at + n})
		at += n
	}
	return pieces
}

// longest returns the longest piece that text begins with, and its length in bytes.
func (v *vocabulary) longest(text []byte, inside bool) (id uint16, n int) {
	var states [maxPieceRunes]uint64
	var ends [maxPieceRunes]int
	state, runes, end := uint64(fnvOffset), 0, 0
	if inside {
		state = continues
	}
	for ; runes < maxPieceRunes && end < len(text); runes++ {
		_, size := utf8.DecodeRune(text[end:])
		state = fnv(state, text[end:end+size])
		end += size
		states[runes], ends[runes] = state, end
	}
	for i := runes - 1; i >= 0; i-- {
		if id, ok := v.find(states[i], text[:ends[i]], inside); ok {
			return id, ends[i]
		}
	}
	return 0, 0
}
