package linear

// within reports whether a slip, or as many as distance says, makes one word of the other: a
// letter left out, one too many, a wrong one, two neighbours swapped. It is the distance of
// optimal string alignment, worked out in a band of that width.
func within(a, b []rune, distance int) bool {
	a, b = differing(a, b)
	if distance == 1 {
		return max(len(a), len(b)) <= 1 || len(a) == 2 && len(b) == 2 && a[0] == b[1] && a[1] == b[0]
	}
	var rows [3][mostSpelled + 1]int
	twoUp, up, row := &rows[0], &rows[1], &rows[2]
	for j := range len(b) + 1 {
		up[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		least := i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(up[j]+1, row[j-1]+1, up[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], twoUp[j-2]+1)
			}
			least = min(least, row[j])
		}
		if least > distance {
			return false
		}
		twoUp, up, row = up, row, twoUp
	}
	return up[len(b)] <= distance
}

// differing drops the common beginning and end of two words.
func differing(a, b []rune) ([]rune, []rune) {
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return a, b
}

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
