package cues

// swaps are the phrases that exchange two values.
var swaps = book[bool]{}.byFirst(true, `the other way round,the other way around,other way round,other way around,the opposite way,the wrong way round,the wrong way around,`+
	`vice versa,viceversa,swap them,swap those,swap these,swap the two,swap both,swap it around,swap that around,swap around,swap it,swap that,swapped,switch them,switch those,switch the two,switch it around,switch it round,`+
	`switched around,switched them,swapped them,mixed them up,mixed up the two,got them mixed up,got it backwards,got them backwards,backwards,back to front,reverse,reverse it,reverse them,reversed,in reverse,`+
	`reverse direction,in the other direction,the opposite direction,the other direction,the reverse,flip them,flip it,flip those,flipped,the wrong way about,interchange them,exchange them,exchange the two`).
	byFirst(false, `reverse charge,reverse the charge,reverse a charge,reverse the payment,reverse the transaction,reversed charge,swap it for,swap that for,swap them for,reverse mortgage,switched to,flip phone,in reverse order`)

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
