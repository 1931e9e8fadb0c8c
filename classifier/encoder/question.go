package encoder

import "slices"

// question makes the encoder read every text as a question. Its vectors are others then, so its
// name is.
func (e *Encoder) question() {
	e.mark = e.model.vocabulary.appendWord(nil, []byte("?"))
	e.longest = max(e.longest, 3+len(e.mark))
	e.name += "-question"
}

// end puts pieces behind a text, in front of the closing marker, unless they are there.
func (t *tokeniser) end(mark []Piece) {
	same := func(a, b Piece) bool { return a.ID == b.ID }
	text := t.pieces[1 : len(t.pieces)-1]
	if last := text[max(0, len(text)-len(mark)):]; slices.EqualFunc(last, mark, same) {
		return
	}
	t.pieces = append(append(t.pieces[:len(t.pieces)-1], mark...), Piece{ID: Close})
}
