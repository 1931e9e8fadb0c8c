package extract

import (
	"net/url"
	"regexp"
	"strings"

	"github.com/nyaruka/phonenumbers"
)

// Shapes that cross token borders. RE2 runs them in linear time.
var (
	emailShape = regexp.MustCompile(`[\pL\pN][\pL\pN._%+\-]*@[\pL\pN](?:[\pL\pN\-]*[\pL\pN])?(?:\.[\pL\pN](?:[\pL\pN\-]*[\pL\pN])?)*\.\pL{2,24}`)
	urlShape   = regexp.MustCompile(`(?i)(?:https?|ftp)://[^\s<>"'“”]+|(?:www\.)[^\s<>"'“”]+\.[^\s<>"'“”]+|(?:[a-z0-9](?:[a-z0-9\-]*[a-z0-9])?\.)+(?:com|org|net|edu|gov|io|dev|app|info|biz|co\.uk|de|fr|eu|ai|shop|store|cn)(?:[:/?#][^\s<>"'“”]*)?`)
	phoneShape = regexp.MustCompile(`(?i)(?:\(?\+|\(|\d)[\d()./ \-]{5,22}\d(?:\s?(?:x|ext\.?|extension)\s?\d{1,6})?`)
)

// span is a recognised piece of the text in bytes, before tokens are looked at.
type span struct {
	kind       string
	start, end int
	value      any
	confidence float64
}

// emails appends the e-mail addresses of text. The value is lower case in its domain.
func emails(text string, into []span) []span {
	if !strings.Contains(text, "@") {
		return into
	}
	for _, m := range emailShape.FindAllStringIndex(text, -1) {
		if m[0] > 0 && text[m[0]-1] == '@' || insideURL(text, m[0]) {
			continue
		}
		at := m[0] + strings.LastIndexByte(text[m[0]:m[1]], '@')
		value := text[m[0]:at] + strings.ToLower(text[at:m[1]])
		into = append(into, span{"email", m[0], m[1], value, 0.98})
	}
	return into
}

// insideURL reports whether the word that holds position i is a URL up to there.
func insideURL(text string, i int) bool {
	from := strings.LastIndexAny(text[:i], " \t\n") + 1
	return strings.Contains(text[from:i], "://")
}

// urls appends the web addresses of text; closing punctuation is no part of one.
func urls(text string, taken []span, into []span) []span {
	if !strings.Contains(text, ".") && !strings.Contains(text, "://") {
		return into
	}
	for _, m := range urlShape.FindAllStringIndex(text, -1) {
		end := m[0] + len(strings.TrimRight(text[m[0]:m[1]], ".,;:!?)]}'\""))
		if overlaps(taken, m[0], end) || m[0] > 0 && text[m[0]-1] == '@' {
			continue
		}
		if c := byte(' '); end < len(text) && !strings.Contains(text[m[0]:end], "://") {
			if c = text[end]; c == '@' || c >= 'a' && c <= 'z' || c >= '0' && c <= '9' {
				continue // "john.io" of john.iowa or of an address
			}
		}
		value := text[m[0]:end]
		if _, err := url.Parse(value); err != nil {
			continue
		}
		into = append(into, span{"url", m[0], end, value, 0.95})
	}
	return into
}

func overlaps(spans []span, start, end int) bool {
	for _, s := range spans {
		if start < s.end && s.start < end {
			return true
		}
	}
	return false
}

// phones appends the telephone numbers of text, valid ones of any region and those that
// look like one: grouped, or the asked answer. The value is E.164.
func phones(text, region string, asked bool, taken []span, into []span) []span {
	if count := countDigits(text); count < 7 {
		return into
	}
	for _, m := range phoneShape.FindAllStringIndex(text, -1) {
		start, end := m[0], m[1]
		if overlaps(taken, start, end) || wordByte(text, start-1) || wordByte(text, end) || aroundDecimal(text, start, end) {
			continue
		}
		raw := text[start:end]
		n := countDigits(raw)
		if n < 7 || n > 19 || looksLikeDate(raw) {
			continue
		}
		dialled := raw
		if strings.HasPrefix(raw, "00") {
			dialled = "+" + raw[2:] // the international prefix of most countries
		}
		parsed, err := phonenumbers.Parse(dialled, region)
		if err != nil || !phonenumbers.IsPossibleNumber(parsed) {
			continue
		}
		confidence := 0.95
		if !phonenumbers.IsValidNumber(parsed) {
			confidence = 0.7
			if !asked && !grouped(raw) {
				continue // as well an account or an order number
			}
		}
		into = append(into, span{"phone", start, end, phonenumbers.Format(parsed, phonenumbers.E164), confidence})
	}
	return into
}

func countDigits(s string) int {
	n := 0
	for _, c := range []byte(s) {
		if c >= '0' && c <= '9' {
			n++
		}
	}
	return n
}

// wordByte reports whether byte i of text belongs to a longer word or amount.
func wordByte(text string, i int) bool {
	if i < 0 || i >= len(text) {
		return false
	}
	c := text[i]
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80 || strings.IndexByte("-#_/$%@", c) >= 0
}

func aroundDecimal(text string, start, end int) bool {
	return end+1 < len(text) && text[end] == '.' && text[end+1] >= '0' && text[end+1] <= '9' ||
		start > 0 && (text[start-1] == '.' || text[start-1] == ',')
}

var dateShape = regexp.MustCompile(`^\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|^\d{1,2}[-/.]\d{1,2}[-/.]\d{4}`)

func looksLikeDate(raw string) bool { return dateShape.MatchString(raw) }

// grouped reports whether a number is written the way telephone numbers are.
func grouped(raw string) bool {
	return raw[0] == '+' || raw[0] == '(' || strings.Count(raw, "-")+strings.Count(raw, ".")+strings.Count(raw, " ") >= 2
}
