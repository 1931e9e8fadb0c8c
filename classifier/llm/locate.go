package llm

import (
	"strings"

	"github.com/slotway/slotway/classifier/message"
)

// place is where a text stands in the message: code points, and bytes.
type place struct {
	start, end         int
	startByte, endByte int
}

// locate finds the first place of said in text that no place in taken overlaps; both are compared
// folded. Where said begins or ends inside a word or a number it does not count: 2345 does not stand
// in O-12345.
func locate(text, said string, taken []place) (place, bool) {
	want, have := message.Fold(said), message.Folded(text)
	if want == "" {
		return place{}, false
	}
	places := message.PlacesOf(text)
	for at, end := 0, 0; ; at++ {
		next := strings.Index(have.Text[at:], want)
		if next < 0 {
			return place{}, false
		}
		at += next
		end = at + len(want)
		from, to := have.Back(at, end)
		p := place{places.Point(from), places.Point(to), from, to}
		if !message.InOneWord(have.Text, at) && !message.InOneWord(have.Text, end) && !overlaps(p, taken) {
			return p, true
		}
	}
}

func overlaps(p place, taken []place) bool {
	for _, t := range taken {
		if p.start < t.end && t.start < p.end {
			return true
		}
	}
	return false
}
