package web

import (
	"net/netip"
	"strings"
	"unicode/utf8"

	"github.com/slotway/slotway/classifier/extract/internal/find"
	"github.com/slotway/slotway/classifier/message"
)

// Emails appends the e-mail addresses of text (RFC 5321: dotted or quoted local parts,
// domains or address literals). The value is lower case in its domain.
func Emails(text string, into []find.Span) []find.Span {
	last := 0 // behind the address before
	for from := 0; ; {
		at := strings.IndexByte(text[from:], '@')
		if at < 0 {
			return into
		}
		at += from
		from = at + 1
		start := localStart(text, at)
		end := domainEnd(text, at+1)
		if start == at || start < last || end == at+1 || insideURL(text, start) {
			continue
		}
		value := text[start:at] + strings.ToLower(text[at:end])
		into = append(into, find.Span{Kind: "email", Start: start, End: end, Value: value, Confidence: 0.98})
		from, last = end, end
	}
}

// localStart returns where the local part that ends at an @ starts, or at itself.
func localStart(text string, at int) int {
	if at > 1 && text[at-1] == '"' {
		if open := quoteBefore(text, at-1); open >= 0 {
			return open
		}
		return at
	}
	start := at
	for start > 0 {
		r, n := utf8.DecodeLastRuneInString(text[:start])
		if r == utf8.RuneError || !message.IsLetter(r) && (r < '0' || r > '9') && !strings.ContainsRune(localMarks, r) {
			break
		}
		start -= n
	}
	if start > 0 && text[start-1] == '@' {
		return at
	}
	for start < at && strings.IndexByte("'*~`{}|!#$%^&-", text[start]) >= 0 {
		start++ // markup before an address
	}
	local := text[start:at]
	if local == "" || local[0] == '.' || local[len(local)-1] == '.' || strings.Contains(local, "..") || len(local) > 64 {
		return at
	}
	return start
}

// localMarks are the marks of RFC 5322's atoms but for those of URLs and queries.
const localMarks = "._+-%'&~!#$*^{}|"

// quoteBefore returns where the quoted string that ends at byte end starts, or -1.
func quoteBefore(text string, end int) int {
	for i := end - 1; i >= 0 && end-i <= 64 && text[i] != '\n'; i-- {
		if text[i] == '"' && (i == 0 || text[i-1] != '\\') {
			if i == end-1 || i > 0 && message.WordByte(text, i-1) {
				return -1
			}
			return i
		}
	}
	return -1
}

// domainEnd returns where the domain or address literal at byte i ends, or i.
func domainEnd(text string, i int) int {
	if i < len(text) && text[i] == '[' {
		end := strings.IndexByte(text[i:], ']')
		if end < 0 {
			return i
		}
		if _, err := netip.ParseAddr(strings.TrimPrefix(text[i+1:i+end], "IPv6:")); err != nil {
			return i
		}
		return i + end + 1
	}
	end, dot := hostEnd(text, i)
	if dot < 0 || end < len(text) && (text[end] == '@' || text[end] == '_') {
		return i
	}
	if tld := text[dot+1 : end]; len(tld) < 2 || strings.ContainsFunc(tld, func(r rune) bool { return !message.IsLetter(r) }) && !strings.HasPrefix(tld, "xn--") {
		return i
	}
	return end
}

// hostEnd returns where the host name at byte i ends and where its last dot is, or -1.
// Its labels start and end with a letter or digit.
func hostEnd(text string, i int) (end, dot int) {
	dot, end = -1, i
	for k := i; k < len(text); {
		r, n := utf8.DecodeRuneInString(text[k:])
		switch {
		case message.IsLetter(r) && r != utf8.RuneError || r >= '0' && r <= '9':
			end = k + n
		case r == '-' && k > i:
		case r == '.' && k > i && text[k-1] != '.':
			if k+1 < len(text) {
				if next, _ := utf8.DecodeRuneInString(text[k+1:]); message.IsLetter(next) && next != utf8.RuneError || next >= '0' && next <= '9' {
					dot = k
					break
				}
			}
			return end, dot
		default:
			return end, dot
		}
		k += n
	}
	return end, dot
}

// insideURL reports whether the word that holds position i is a URL up to there.
func insideURL(text string, i int) bool {
	from := strings.LastIndexAny(text[:i], " \t\n") + 1
	return strings.Contains(text[from:i], "://")
}
