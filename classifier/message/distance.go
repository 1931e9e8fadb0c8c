package message

// Distance returns how many slips make one word of the other, at most bound: a letter left out, one
// too many, a wrong one, two neighbours swapped. It is the distance of optimal string alignment
// (Damerau 1964), in code points.
func Distance(a, b string, bound int) int { return apart([]rune(a), []rune(b), bound) }

// Within reports whether at most so many slips make one word of the other.
func Within(a, b []rune, most int) bool { return apart(a, b, most+1) <= most }

// apart works the distance out in three rows, and ends where it reaches the bound.
func apart(a, b []rune, bound int) int {
	a, b = differing(a, b)
	if len(a)-len(b) >= bound || len(b)-len(a) >= bound {
		return bound
	}
	var room [3][32]int
	before, last, row := room[0][:], room[1][:], room[2][:]
	if len(b) >= len(row) {
		before, last, row = make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	}
	for j := range len(b) + 1 {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		least := i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
			least = min(least, row[j])
		}
		if least >= bound {
			return bound
		}
		before, last, row = last, row, before
	}
	return min(last[len(b)], bound)
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
