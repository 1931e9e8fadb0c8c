package cascade

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/slotway/slotway/classifier"
)

// piece is a word of a message, or a recognised span that counts as one.
type piece struct {
	start, end int    // bytes
	key        string // lower case without apostrophes; one private-use rune for a span
	mask       bool
	pause      bool // punctuation follows
}

// mask is a span that is replaced by its class.
type mask struct {
	start, end int // bytes
	class      rune
}

// cut splits text into pieces. masks are by start and do not overlap.
func cut(text string, masks []mask) []piece {
	var out []piece
	for i := 0; i < len(text); {
		if len(masks) > 0 && i >= masks[0].start {
			m := masks[0]
			masks = masks[1:]
			out = append(out, piece{start: m.start, end: m.end, key: string(m.class), mask: true})
			i = max(i, m.end)
			continue
		}
		r, n := utf8.DecodeRuneInString(text[i:])
		if !inWord(r) {
			if strings.ContainsRune(",.;:!?-–—…()\n", r) && len(out) > 0 {
				out[len(out)-1].pause = true
			}
			i += n
			continue
		}
		end := i
		for end < len(text) && (len(masks) == 0 || end < masks[0].start) {
			r, n := utf8.DecodeRuneInString(text[end:])
			if !inWord(r) && (r != '\'' && r != '’' || !letterAt(text, end+n)) {
				break
			}
			end += n
		}
		key := strings.ToLower(text[i:end])
		if strings.ContainsAny(key, "'’") {
			key = strings.NewReplacer("'", "", "’", "").Replace(key)
		}
		out = append(out, piece{start: i, end: end, key: key})
		i = end
	}
	return out
}

func inWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r) }

func letterAt(text string, i int) bool {
	r, _ := utf8.DecodeRuneInString(text[i:])
	return unicode.IsLetter(r)
}

// join is the normal form of pieces: keys with spaces between.
func join(pieces []piece) string {
	size := len(pieces)
	for _, p := range pieces {
		size += len(p.key)
	}
	var b strings.Builder
	b.Grow(size)
	for i, p := range pieces {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(p.key)
	}
	return b.String()
}

// Courtesy that changes nothing, in normal form. Greetings, thanks and a yes are not
// among the openings: they are leads, which may want an answer.
var (
	courtesyOpens  = phrases("please,pls,kindly,um,uh,hmm,well,oh,so,and,can you please,could you please,would you please,can you,could you,excuse me,sorry")
	courtesyCloses = phrases("please,pls,thanks,thank you,thx,thanks a lot,thank you very much,cheers,then,now,sir,for me,right now,ok")
	connectors     = phrases("and,but,also,then,so,well,please,and also,but also,and then,oh")
)

func phrases(list string) map[string]bool {
	set := map[string]bool{}
	for p := range strings.SplitSeq(list, ",") {
		set[p] = true
	}
	return set
}

const longestCourtesy = 4 // words

// strip drops courtesy at both ends, but never everything.
func strip(pieces []piece, opens, closes map[string]bool) []piece {
	for again := true; again; {
		again = false
		for n := min(longestCourtesy, len(pieces)-1); n > 0; n-- {
			if opens[join(pieces[:n])] {
				pieces, again = pieces[n:], true
				break
			}
		}
		for n := min(longestCourtesy, len(pieces)-1); n > 0; n-- {
			if closes[join(pieces[len(pieces)-n:])] {
				pieces, again = pieces[:len(pieces)-n], true
				break
			}
		}
	}
	return pieces
}

// byteSpan is where a value stands, in bytes.
type byteSpan struct{ start, end int }

// byteSpans gives the byte offsets of values, whose own count code points. It walks the
// text once.
func byteSpans(text string, values []classifier.Value) []byteSpan {
	if len(values) == 0 {
		return nil
	}
	offsets := make([]int, 0, len(text)+1)
	for i := range text {
		offsets = append(offsets, i)
	}
	offsets = append(offsets, len(text))
	last := len(offsets) - 1
	spans := make([]byteSpan, len(values))
	for i, v := range values {
		spans[i] = byteSpan{offsets[min(max(v.Start, 0), last)], offsets[min(max(v.End, 0), last)]}
	}
	return spans
}
