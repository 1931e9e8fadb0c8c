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
func (t *tokeniser) end(mark []uint16) {
	if text := t.ids[1 : len(t.ids)-1]; len(mark) == 0 || len(text) >= len(mark) && slices.Equal(text[len(text)-len(mark):], mark) {
		return
	}
	t.ids = append(append(t.ids[:len(t.ids)-1], mark...), idClose)
}
