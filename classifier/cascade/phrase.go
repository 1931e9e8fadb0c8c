package cascade

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/slotway/slotway/classifier/message"
)

// piece is a word of a message, or a recognised span that counts as one.
type piece struct {
	start, end int     // bytes
	key        string  // lower case without apostrophes; one private-use rune for a span
	norm       *string // the normal form of the whole message: the keys with spaces between
	at         int     // where key begins in it
	mask       bool
	pause      bool // punctuation follows
}

// mask is a span that is replaced by its class.
type mask struct {
	start, end int // bytes
	class      rune
}

// cut splits text into pieces. masks are by start and do not overlap. The keys share one
// string, so that any run of pieces is joined already.
func cut(text string, masks []mask) []piece {
	out := make([]piece, 0, len(text)/4+2)
	var norm strings.Builder
	norm.Grow(len(text) + 4*len(masks))
	begin := func(start int, masked bool) {
		if len(out) > 0 {
			norm.WriteByte(' ')
		}
		out = append(out, piece{start: start, at: norm.Len(), mask: masked})
	}
	for i := 0; i < len(text); {
		if len(masks) > 0 && i >= masks[0].start {
			m := masks[0]
			masks = masks[1:]
			begin(m.start, true)
			norm.WriteRune(m.class)
			i = max(i, m.end)
			out[len(out)-1].end = m.end
			continue
		}
		r, n := utf8.DecodeRuneInString(text[i:])
		if !inWord(r) {
			if strings.ContainsRune(",.;:!?-–—…()\n，。；：！？、（）", r) && len(out) > 0 {
				out[len(out)-1].pause = true
			}
			i += n
			continue
		}
		begin(i, false)
		for i < len(text) && (len(masks) == 0 || i < masks[0].start) {
			r, n := utf8.DecodeRuneInString(text[i:])
			apostrophe := r == '\'' || r == '’'
			if !inWord(r) && (!apostrophe || !letterAt(text, i+n)) {
				break
			}
			if !apostrophe {
				norm.WriteRune(unicode.ToLower(r))
			}
			i += n
		}
		out[len(out)-1].end = i
	}
	whole := norm.String()
	for i := range out {
		end := len(whole)
		if i+1 < len(out) {
			end = out[i+1].at - 1
		}
		out[i].key, out[i].norm = whole[out[i].at:end], &whole
	}
	return out
}

func inWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r) }

func letterAt(text string, i int) bool {
	r, _ := utf8.DecodeRuneInString(text[i:])
	return unicode.IsLetter(r)
}

// join is the normal form of neighbouring pieces: keys with spaces between.
func join(pieces []piece) string {
	if len(pieces) == 0 {
		return ""
	}
	last := &pieces[len(pieces)-1]
	return (*last.norm)[pieces[0].at : last.at+len(last.key)]
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

// byteSpans gives the byte offsets of values, whose own count code points.
func byteSpans(text string, values []message.Value) []byteSpan {
	if len(values) == 0 {
		return nil
	}
	at := message.PlacesOf(text)
	spans := make([]byteSpan, len(values))
	for i, v := range values {
		spans[i] = byteSpan{at.Byte(v.Start), at.Byte(v.End)}
	}
	return spans
}
