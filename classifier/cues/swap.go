package cues

// swaps are the phrases that exchange two values.
var swaps = book[bool]{}.byFirst(true, phrases("swap")).
	byFirst(false, phrases("no swap"))

// swaps reports whether a message asks for two values to change places: "the other way round",
// "vice versa", "swap them".
func (m *cutMessage) swaps() bool {
	if len(m.words) > longestSwap {
		return false // a story
	}
	for i := range m.words {
		if said, n := swaps.at(m, i); n > 0 && said && !m.denies(i) {
			return true
		}
	}
	return false
}

// longestSwap is how many words a message has that asks for no more than that.
const longestSwap = 16

func (m *cutMessage) denies(i int) bool {
	return m.low(i-1) == "dont" || m.low(i-1) == "not" || m.low(i-2) == "dont" || m.low(i-2) == "not"
}
