package linear

// repairedShare is the share of a repaired word that counts as known. The repair may be wrong; and
// because every few letters are one slip away from some common word, a common word that the agent
// does not have counts as unknown.
func (v *vocabulary) repairedShare(b []byte) float32 {
	if _, ok := v.table.Get(wordHash(b)); ok {
		return 0.8
	}
	return 0
}

// repair replaces unknown words by known ones, for the features alone.
func (v *vocabulary) repair(text string, s *scratch) {
	s.repaired = false
	t, m := &s.tokens, &s.misspelt
	m.before = textStart
	left := mostRepairs
	for i := range t.words {
		b := t.bytes(i)
		if _, ok := v.table.Get(wordHash(b)); !ok && len(b) >= leastSpelled && !t.words[i].unit && left > 0 && m.read(b) && !v.spell.isOwn(b) {
			left--
			start := len(t.buf)
			if buf, ok := v.spell.repair(b, m, v.table, t.buf); ok {
				t.buf, s.repaired = buf, true
				w := &t.words[i]
				w.start, w.end, w.repaired = start, len(buf), true
			}
		}
		m.before = t.bytes(i)
	}
	if s.repaired {
		s.rewrite(text)
	}
}

// rewrite sets s.text to the text with its words repaired.
func (s *scratch) rewrite(text string) {
	s.text = s.text[:0]
	at := 0
	for i, w := range s.tokens.words {
		if w.repaired {
			s.text = append(append(s.text, text[at:w.from]...), s.tokens.bytes(i)...)
			at = w.to
		}
	}
	s.text = append(s.text, text[at:]...)
}

// meant returns the text with its words repaired, or the text itself.
func (s *scratch) meant(text string) string {
	if !s.repaired {
		return text
	}
	return string(s.text)
}

// ownWords counts the texts that hold each word.
type ownWords map[string]*seenWord

type seenWord struct {
	docs int32
	last int // text that held it last
}

func (o ownWords) see(b []byte, text int) {
	w := o[string(b)]
	if w == nil {
		w = &seenWord{last: -1}
		o[string(b)] = w
	}
	if w.last != text {
		w.last = text
		w.docs++
	}
}

// counts returns the number of texts that hold each word. Words of fewer than minDocs texts, and of
// other names, count 0: they may be slips themselves, so nothing is repaired to them, but they stay
// as they are.
func (o ownWords) counts(minDocs int32, names []string, speech *speech) map[string]int32 {
	out := map[string]int32{}
	for w, seen := range o {
		if out[w] = seen.docs; seen.docs < minDocs {
			out[w] = 0
		}
	}
	t := tokens{folding: speech.folding}
	for _, name := range names {
		t.split(name)
		for i := range t.words {
			if w := string(t.bytes(i)); out[w] == 0 && !t.words[i].unit {
				out[w] = 1
			}
		}
	}
	return out
}
