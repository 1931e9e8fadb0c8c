package linear

// commonNear puts the most frequent common word that is one slip away into m.room, and its
// length into m.n. Common words are known by their hashes alone, so every slip is tried.
func (s *speller) commonNear(m *misspelt) bool {
	if s.common == nil {
		return false
	}
	var word [mostSpelled]byte
	for i, r := range m.letters[:m.n] {
		if r < 'a' || r > 'z' {
			return false
		}
		word[i] = byte(r)
	}
	var best [mostSpelled + 1]byte
	size, rank := 0, -1
	try := func(candidate []byte) {
		if at, ok := s.common.Rank(candidate); ok && (rank < 0 || at < rank) {
			rank, size = at, copy(best[:], candidate)
		}
	}
	n := m.n
	room := m.room[:]
	for i := range n { // a letter too many
		copy(room, word[:i])
		copy(room[i:], word[i+1:n])
		try(room[:n-1])
	}
	copy(room, word[:n])
	for i := range n {
		for c := byte('a'); c <= 'z'; c++ {
			if c != word[i] {
				room[i] = c
				try(room[:n])
			}
		}
		room[i] = word[i]
		if i > 0 && word[i] != word[i-1] {
			room[i-1], room[i] = word[i], word[i-1]
			try(room[:n])
			room[i-1], room[i] = word[i-1], word[i]
		}
	}
	for i := range n + 1 { // a letter left out
		copy(room, word[:i])
		copy(room[i+1:], word[i:n])
		for c := byte('a'); c <= 'z'; c++ {
			room[i] = c
			try(room[:n+1])
		}
	}
	if rank < 0 {
		return false
	}
	m.n = copy(m.room[:], best[:size])
	return true
}
