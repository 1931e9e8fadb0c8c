package phone

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/slotway/slotway/classifier/message"
)

// dialled is a run of digit groups as telephone numbers are written: an optional plus,
// brackets, and one separator between groups.
type dialled struct {
	start    int
	firstEnd int // behind the first group
	digits   int // of all groups
	count    int
	groups   [mostGroups]dialGroup
}

// mostGroups is how many groups the digits of a number may stand in, each one alone at the most.
const mostGroups = mostPhone + 3

// even reports whether groups n-1 and n are of the same one or two digits, as where a number is
// told digit by digit or in pairs: it does not end between them.
func (d *dialled) even(n int) bool {
	if n < 1 || n >= d.count {
		return false
	}
	a, b := d.groups[n-1], d.groups[n]
	return a.end-a.start == b.end-b.start && b.end-b.start <= 2
}

// evenEnd is where the even groups at the head of a run end, 0 where the first two are none.
func (d *dialled) evenEnd() int {
	n := 1
	for d.even(n) {
		n++
	}
	if n == 1 {
		return 0
	}
	return d.groups[n-1].end
}

// dialGroup is a run of digits in the bytes [start, end).
type dialGroup struct {
	start, end int
	separator  string // before it, brackets left out
	bracket    bool   // in brackets, with those in outer
	outer      [2]int
}

// phoneNumber is the head of such a run.
type phoneNumber struct {
	start, end    int
	dial          string // digits, behind a plus where one was written
	ext           string
	digits        int
	groups        int
	lens          [mostGroups]int
	separators    [mostGroups]string
	bracket       bool // an area code stands in brackets
	international bool
	native        bool // it is grouped as the region does
	value         string
}

// dial reads the run that starts at byte i.
func dial(text string, i int) dialled {
	d := dialled{start: i, firstEnd: i + 1}
	for at := i; d.count < len(d.groups); {
		separator, n := dialSeparator(text, at, d.count == 0)
		g := dialGroup{separator: separator}
		if n < 0 || !g.read(text, at+n, d.count == 0) {
			break
		}
		d.groups[d.count] = g
		d.count++
		d.digits += g.end - g.start
		at = g.end
		if g.bracket {
			at = g.outer[1]
		}
		if d.count == 1 {
			d.firstEnd = at
		}
	}
	return d
}

// end is where the last group ends.
func (d *dialled) end() int {
	if d.count == 0 {
		return d.firstEnd
	}
	if g := d.groups[d.count-1]; g.bracket {
		return g.outer[1]
	}
	return d.groups[d.count-1].end
}

// read reads a group at byte i: digits, or digits in brackets; the first may have a plus
// outside or inside.
func (g *dialGroup) read(text string, i int, first bool) bool {
	g.outer[0] = i
	if first && strings.HasPrefix(text[i:], "+") {
		i = pass(text, i+1, " ")
	}
	if g.bracket = strings.HasPrefix(text[i:], "("); g.bracket {
		marks := " "
		if first {
			marks = " +"
		}
		i = pass(text, i+1, marks)
	}
	g.start = i
	g.end = pass(text, i, "0123456789")
	if g.outer[1] = g.end; g.end == g.start {
		return false
	}
	if g.bracket {
		i = pass(text, g.end, " ")
		g.outer[1] = i + 1
		return strings.HasPrefix(text[i:], ")") && g.end-g.start <= 5
	}
	return true
}

// pass returns where the run of some characters at byte i ends.
func pass(text string, i int, chars string) int {
	for i < len(text) && strings.IndexByte(chars, text[i]) >= 0 {
		i++
	}
	return i
}

// dialSeparator reads what may stand between two groups; n is -1 where none does.
func dialSeparator(text string, i int, first bool) (separator string, n int) {
	if first {
		return "", 0
	}
	for n < 3 && i+n < len(text) {
		r, size := utf8.DecodeRuneInString(text[i+n:])
		switch r {
		case ' ', '\u00a0', '\u202f', '\u2009':
			if strings.Contains(separator, " ") && !strings.ContainsAny(separator, "-") || strings.HasSuffix(separator, " ") {
				return "", -1
			}
			separator += " "
		case '-', '‐', '‑', '–', '.', '/':
			if strings.ContainsAny(separator, "-./") {
				return "", -1
			}
			if r > 0x80 {
				r = '-'
			}
			separator += string(r)
		default:
			if separator == "" && r != '(' && text[i-1] != ')' {
				return "", -1
			}
			return separator, n
		}
		n += size
	}
	return separator, n
}

// head returns the number made of the first n groups, with an extension when it follows.
func (d *dialled) head(text string, n int) phoneNumber {
	p := phoneNumber{start: d.start, groups: n}
	var digits []byte
	for k, g := range d.groups[:n] {
		digits = append(digits, text[g.start:g.end]...)
		p.lens[k], p.separators[k] = g.end-g.start, g.separator
		p.bracket = p.bracket || g.bracket && (k == 0 || k == 1)
		p.end = g.end
		if g.bracket {
			p.end = g.outer[1]
		}
		if g.bracket && k == 1 && p.lens[k] == 1 && text[g.start] == '0' && p.international { // +44 (0) 20
			digits = digits[:len(digits)-1]
		}
		if k == 0 {
			p.international = strings.ContainsRune(text[d.start:g.end], '+') || strings.HasPrefix(text[g.start:g.end], "00") && g.end-g.start > 3
			p.international = p.international || text[g.start:g.end] == "00" || len(text[g.start:g.end]) == 4 && strings.HasPrefix(text[g.start:g.end], "00")
		}
	}
	p.digits = len(digits)
	p.dial = string(digits)
	if strings.ContainsRune(text[d.start:d.groups[0].start], '+') {
		p.dial = "+" + p.dial
	}
	p.extend(text)
	return p
}

// extend reads "x 123", "ext. 123", "extension 123" behind a number.
func (p *phoneNumber) extend(text string) {
	i := p.end
	for i < len(text) && (text[i] == ' ' || text[i] == ',') && i < p.end+2 {
		i++
	}
	rest := text[i:min(len(text), i+24)]
	for _, word := range []string{"extension", "extn", "ext", "x", "#"} {
		if len(rest) <= len(word) || !strings.EqualFold(rest[:len(word)], word) || word == "#" && i == p.end {
			continue
		}
		k := len(word)
		for k < len(rest) && strings.IndexByte(". :", rest[k]) >= 0 && k < len(word)+2 {
			k++
		}
		from := k
		for k < len(rest) && rest[k] >= '0' && rest[k] <= '9' {
			k++
		}
		if k > from && k-from <= 6 && !message.WordByte(text, i+k) {
			p.ext, p.end = rest[from:k], i+k
		}
		return
	}
}

// classic reports the shapes of North America: 541-754-3010 and 1-541-754-3010.
func (p *phoneNumber) classic() bool {
	l := p.lens
	return p.groups == 3 && l[0] == 3 && l[1] == 3 && l[2] == 4 || p.groups == 4 && l[0] == 1 && l[1] == 3 && l[2] == 3 && l[3] == 4
}

// national counts the digits without an international prefix.
func (p *phoneNumber) national() int {
	if strings.HasPrefix(p.dial, "00") {
		return p.digits - 2
	}
	return p.digits
}

// isOther reports whether the digits are a date, a social security number, a card, a
// decimal, a range of years or the address of a computer.
func (p *phoneNumber) isOther() bool {
	switch p.groups {
	case 1:
		return p.digits > mostPhone+2 || p.digits >= 16 && luhn(p.dial)
	case 2:
		return p.joinedBy(".") || p.joinedBy("/") && p.within(4, 4)
	case 3:
		return !p.international && !p.bracket && (p.shaped(3, 2, 4) && p.joinedBy("-") || p.isDate())
	case 4:
		return p.joinedBy(".") && p.within(3, 3, 3, 3) || p.shaped(4, 4, 4) && p.lens[3] >= 3 && !p.international
	}
	return false
}

// isDate reports whether three groups have the shape of a date.
func (p *phoneNumber) isDate() bool {
	shape := p.lens[0] == 4 && p.within(4, 2, 2) || p.lens[2] == 4 && p.within(2, 2, 4)
	return shape && slices.ContainsFunc([]string{"-", "/", "."}, p.joinedBy)
}

// shaped reports whether the first groups have so many digits each.
func (p *phoneNumber) shaped(digits ...int) bool { return slices.Equal(p.lens[:len(digits)], digits) }

// joinedBy reports whether one mark stands between all groups.
func (p *phoneNumber) joinedBy(mark string) bool {
	return !slices.ContainsFunc(p.separators[1:p.groups], func(s string) bool { return s != mark })
}

// within reports whether no group has more digits than its bound.
func (p *phoneNumber) within(most ...int) bool {
	for k, n := range most {
		if p.lens[k] > n {
			return false
		}
	}
	return true
}

// luhn checks the last digit of a card number (ISO/IEC 7812-1).
func luhn(digits string) bool {
	sum := 0
	for k := range len(digits) {
		v := int(digits[len(digits)-1-k] - '0')
		if k%2 == 1 {
			if v *= 2; v > 9 {
				v -= 9
			}
		}
		sum += v
	}
	return sum%10 == 0
}

// openPhone reports whether a number may start where a run does. A hyphen before it is a
// sign or a part of a code, but not before a bracket or behind a word in marks.
func openPhone(text string, d *dialled) bool {
	i := d.start
	if i == 0 {
		return true
	}
	before := text[i-1]
	behindDigit := i > 1 && isDigit(text[i-2])
	switch {
	case before == '-':
		g := d.groups[0]
		bracket := d.count > 0 && (g.bracket || d.count > 1 && d.groups[1].bracket)
		return bracket && (i == 1 || !behindDigit && text[i-2] != ')')
	case text[i] == '+' || text[i] == '(':
		return !isDigit(before) && strings.IndexByte(")*(", before) < 0
	case before == '(':
		return true
	case behindDigit && strings.IndexByte(",.:", before) >= 0:
		return false
	}
	return !message.WordByte(text, i-1) && strings.IndexByte("*+=)", before) < 0
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// closePhone reports whether a number may end at byte i.
func closePhone(text string, i int) bool {
	if i >= len(text) {
		return true
	}
	next := byte(' ')
	if i+1 < len(text) {
		next = text[i+1]
	}
	isDigit := next >= '0' && next <= '9'
	switch text[i] {
	case '/', '+', '*', '=':
		return false
	case ':', '.', ',':
		return !isDigit
	case '-':
		return !isDigit && (next < 'a' || next > 'z') && (next < 'A' || next > 'Z')
	case 0xc2, 0xe2: // a no-break space, a dash or a closing quote
		r, _ := utf8.DecodeRuneInString(text[i:])
		return !message.IsLetter(r)
	}
	return !message.WordByte(text, i)
}
