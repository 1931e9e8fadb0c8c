package telemetry

import (
	"regexp"
	"strings"

	"github.com/slotway/slotway/config/pattern"
)

// builtin is one of the built-in redaction patterns.
type builtin struct {
	name string
	find func(text string) []span
}

// patterns are the built-in ones.
var patterns = []builtin{
	{"card", scan(cardAt)},
	{"iban", scan(ibanAt)},
	{"email", emails},
	{"phone", scan(phoneAt)},
}

var email = pattern.Must(`[\p{L}\p{N}._%+'-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+`)

// emails finds addresses. Most texts have no @, and need no search.
func emails(text string) (list []span) {
	if !strings.Contains(text, "@") {
		return nil
	}
	for _, m := range email.FindAllStringIndex(text, -1) {
		list = append(list, span{start: m[0], end: m[1]})
	}
	return list
}

// spansOf returns a function that finds a regular expression: its first group, or all of it.
func spansOf(re *regexp.Regexp) func(string) []span {
	group := min(re.NumSubexp(), 1)
	return func(text string) (list []span) {
		for _, m := range re.FindAllStringSubmatchIndex(text, -1) {
			if start, end := m[2*group], m[2*group+1]; start < end { // an unused group is -1,-1
				list = append(list, span{start: start, end: end})
			}
		}
		return list
	}
}

// scan returns a function that calls endAt at each offset. endAt returns the end of a match that
// begins there, or -1.
func scan(endAt func(text string, at int) int) func(string) []span {
	return func(text string) []span {
		var found []span
		for at := 0; at < len(text); {
			end := endAt(text, at)
			if end <= at {
				at++
				continue
			}
			found = append(found, span{start: at, end: end})
			at = end
		}
		return found
	}
}

// The lengths of card numbers in use (ISO/IEC 7812-1): 13 to 19 digits.
const (
	minCard = 13
	maxCard = 19
)

// cardAt finds 13 to 19 digits, in groups or not, that pass the check of ISO/IEC 7812-1
// annex B (Luhn).
func cardAt(text string, at int) int {
	if !isDigit(text[at]) || at > 0 && isDigit(text[at-1]) {
		return -1
	}
	end, gap, digits := -1, 0, make([]byte, 0, maxCard)
	for i := at; i < len(text) && len(digits) < maxCard; i++ {
		if !isDigit(text[i]) {
			if gap++; !parts(text[i]) || gap > maxGap {
				break
			}
			continue
		}
		gap = 0
		digits = append(digits, text[i])
		whole := i+1 == len(text) || !isDigit(text[i+1])
		if whole && len(digits) >= minCard && luhn(digits) {
			end = i + 1
		}
	}
	return end
}

// parts reports what people write between the groups of a long number.
func parts(c byte) bool { return strings.IndexByte(" -/._", c) >= 0 }

// luhn is the mod 10 check of ASCII digits, including the check digit.
func luhn(digits []byte) bool {
	sum := 0
	for i, c := range digits {
		d := int(c - '0')
		if (len(digits)-i)%2 == 0 {
			d *= 2
			d = d/10 + d%10
		}
		sum += d
	}
	return sum%10 == 0
}

// The lengths of an IBAN: ISO 13616-1 allows 34 characters, the shortest in the registry
// (Norway's) has 15.
const (
	minIBAN = 15
	maxIBAN = 34
)

// ibanAt finds an IBAN with valid check digits, in groups or not. The longest match wins, so that the
// word after it is not taken for its end.
func ibanAt(text string, at int) int {
	if !isLetter(text[at]) || at > 0 && isLetter(text[at-1]) || adjoins(lastRune(text[:at])) {
		return -1
	}
	end, n, rest, gap := -1, 0, 0, 0
	var head [4]byte // country and check digits: they are counted last
	for i := at; i < len(text) && n < maxIBAN; i++ {
		c := text[i]
		if !isDigit(c) && !isLetter(c) {
			if gap++; !parts(c) || gap > maxGap {
				break
			}
			continue
		}
		gap = 0
		if n < len(head) {
			if isDigit(c) != (n >= 2) {
				return -1
			}
			head[n] = c
		} else {
			rest = mod97(rest, c)
		}
		n++
		if n >= minIBAN && !adjoins(firstRune(text[i+1:])) && ibanChecks(rest, head) {
			end = i + 1
		}
	}
	return end
}

// ibanChecks reports whether the check digits are valid (ISO/IEC 7064 MOD 97-10); rest is the
// remainder of the account.
func ibanChecks(rest int, head [4]byte) bool {
	for _, c := range head {
		rest = mod97(rest, c)
	}
	return rest == 1
}

// mod97 appends one character to a number of which only the remainder is kept; letters count from
// A = 10.
func mod97(rest int, c byte) int {
	if isDigit(c) {
		return (rest*10 + int(c-'0')) % 97
	}
	return (rest*100 + int(c|0x20-'a') + 10) % 97
}

var (
	phoneForm   = regexp.MustCompile(`^\+?\(?\d(?:[ ()./-]{0,3}\d){6,16}`)
	dateForm    = regexp.MustCompile(`^\d{1,4}([-/. ])\d{1,2}[-/. ]\d{1,4}$`)
	decimalForm = regexp.MustCompile(`^\d+\.\d+$`)
)

// phoneAt finds a number in the form of a phone number: international (+ or 00), national with a
// leading 0, or North American (three, three, four). It does not check whether the number exists:
// hiding one too many is the smaller mistake. An order number without any of these signs is left
// alone.
func phoneAt(text string, at int) int {
	if c := text[at]; c != '+' && c != '(' && !isDigit(c) {
		return -1
	}
	before := lastRune(text[:at])
	if adjoins(before) || strings.ContainsRune("+-_.", before) {
		return -1
	}
	found := phoneForm.FindString(text[at:])
	end := at + len(found)
	if found == "" || adjoins(firstRune(text[end:])) {
		return -1
	}
	if !looksDialled(found, digitsOf(found)) {
		return -1
	}
	return end
}

// looksDialled decides on a candidate by its signs and digits; E.164 allows 15 of them.
func looksDialled(found, digits string) bool {
	switch {
	case found[0] == '+':
		return len(digits) <= 15
	case dateForm.MatchString(found), decimalForm.MatchString(found):
		return false
	case strings.HasPrefix(digits, "00"):
		return len(digits) >= 9
	case digits[0] == '0':
		return len(digits) >= 9 && len(digits) <= 12
	case digits[0] == '1' && len(digits) == 11:
		digits = digits[1:]
	}
	return len(digits) == 10 && digits[0] >= '2' && digits[3] >= '2'
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
