package linear

// Mends reports whether Rank would replace a misspelt word of a text by one that it knows. It does
// not allocate.
func (m *Model) Mends(text string) bool {
	if m.vocabulary.spell == nil {
		return false
	}
	s := m.pool.Get().(*scratch)
	defer m.pool.Put(s)
	s.tokens.split(text)
	m.vocabulary.repair(text, s)
	for i := range s.tokens.words {
		if s.tokens.words[i].repaired && m.vocabulary.repairedShare(s.tokens.bytes(i)) > 0 {
			return true
		}
	}
	return false
}
