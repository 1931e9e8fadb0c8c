package shapes

import (
	"slices"
	"strings"
	"unicode"
)

// An address is known by its parts: a house number, a street, a postal code, what stands behind
// commas, and letters of a script whose words nobody lists here. Each is a point.
const (
	enoughAddress = 2 // points of an answer to the question for an address
	clearAddress  = 3 // points of an address that nobody asked for, or that has no figure
)

// address reports whether the text has the parts of an address, and is no sentence and no question.
func (t *shaped) address(enough int) bool {
	if t.question() || t.sentence() {
		return false
	}
	points, figures := t.addressPoints()
	return points >= enough && (figures || points >= clearAddress)
}

// addressPoints counts the parts of an address.
func (t *shaped) addressPoints() (points int, figures bool) {
	var house, street, zip, script, names bool
	commas := 0
	for i, w := range t.words {
		letters := strings.ContainsFunc(w.low, unicode.IsLetter)
		number := t.number(i)
		names = names || letters && !number && !is("talk", w.low)
		script = script || strings.ContainsFunc(w.low, otherScript)
		switch {
		case isPostal(w.low) && i > 0 && (house || !number):
			zip = true
		case number:
			house = true
		case t.street(i):
			street = true
		}
		if w.comma && commas < 2 && !is("talk", w.low) {
			commas++
		}
	}
	for _, part := range []bool{house, street, zip, script, t.numbered()} {
		if part {
			points++
		}
	}
	if !names && !script {
		return 0, false
	}
	return points + commas, house || zip
}

// number reports whether the word at i begins with a figure, and is no amount of something.
func (t *shaped) number(i int) bool {
	first := []rune(t.words[i].low)[0]
	inside := strings.ContainsFunc(t.words[i].low, unicode.IsDigit) && strings.ContainsFunc(t.words[i].low, otherScript)
	return (unicode.IsDigit(first) || inside) && !(i+1 < len(t.words) && is("measure", t.words[i+1].low))
}

// street reports whether the word at i stands for a street: "rue", or the end of "Hauptstrasse".
func (t *shaped) street(i int) bool {
	w := t.words[i].low
	return is("street", w) && (i > 0 || len(t.words) > 2) || streetEnd(w)
}

// onStreet reports whether a text names a street.
func (t *shaped) onStreet() bool {
	for i := range t.words {
		if t.street(i) {
			return true
		}
	}
	return false
}

func streetEnd(w string) bool {
	for end := range classes["street end"] {
		if len(w) > len(end)+2 && strings.HasSuffix(w, end) {
			return true
		}
	}
	return false
}

// numbered reports whether a house number and names make the text: "10 Downing".
func (t *shaped) numbered() bool {
	return len(t.words) > 1 && len(t.words) <= 5 && t.number(0) && !slices.ContainsFunc(t.words[1:], func(w word) bool { return !w.upper })
}

// isPostal reports whether a word may be a postal code: SW1A, 10115, 00-049.
func isPostal(w string) bool {
	digits := 0
	for _, r := range w {
		if unicode.IsDigit(r) {
			digits++
		}
	}
	mixed := len(w) > 2 && len(w) < 9 && digits > 0 && digits < len(w) && !strings.Contains(w, "-")
	return mixed || digits > 3
}

// otherScript reports whether r is a letter of a script other than Latin.
func otherScript(r rune) bool { return unicode.IsLetter(r) && !unicode.Is(unicode.Latin, r) }

// FindAddress finds the address in a message that says more: "send O-1 to 14B Elm Road, Leeds LS1
// 4DY please". free reports whether nothing else stands in a stretch. It returns bytes; an empty span
// for none.
func FindAddress(text string, free func(start, end int) bool) (start, end int) {
	t := shaped{text: text, words: split(text)}
	for i := range t.words {
		led := t.addressBegins(i)
		if i > 0 && is("turn", t.words[i-1].low) && t.heads(i) {
			return 0, 0 // what is denied is found with what stands in its place
		}
		if !led && !t.number(i) {
			continue
		}
		for j := len(t.words); j > i+1; j-- {
			if j < len(t.words) && !t.parts(j) || is("talk", t.words[j-1].low) {
				continue
			}
			part := shaped{text: text[t.words[i].start:t.words[j-1].end], words: t.words[i:j]}
			if part.found() && (led || part.onStreet()) && free(t.words[i].start, t.words[j-1].end) {
				return t.words[i].start, t.words[j-1].end
			}
		}
	}
	return 0, 0
}

// found reports whether a text can be an address that nobody asked for.
func (t *shaped) found() bool {
	return len(t.text) <= longestShape && !t.broken() && t.address(clearAddress)
}

// addressBegins reports whether an address may begin at word i: behind a word that leads to one, behind
// a comma unless it talks on, or at the head of the message.
func (t *shaped) addressBegins(i int) bool {
	switch {
	case i == 0:
		return t.number(0) || t.words[0].upper
	case is("address lead", t.words[i-1].low):
		return t.words[i].upper || !is("talk", t.words[i].low)
	}
	return t.words[i].comma && t.heads(i)
}

// heads reports whether an address may begin with the word at i wherever it stands: it has a figure, a
// capital, or names a part.
func (t *shaped) heads(i int) bool {
	w := t.words[i]
	return w.upper || t.number(i) || is("unit", w.low) || streetEnd(w.low) || strings.ContainsFunc(w.low, otherScript)
}

// parts reports whether a text may end before the word at j: talk or a sign follows.
func (t *shaped) parts(j int) bool {
	return is("talk", t.words[j].low) || t.words[j].comma || strings.ContainsAny(t.text[t.words[j-1].end:t.words[j].start], ".!?;\n")
}

// broken reports whether a sentence ends inside the text, or another value follows: "12 Oak Lane, Ely
// instead of 9 Elm Street, Ely".
func (t *shaped) broken() bool {
	turns := func(w word) bool { return is("turn", w.low) && !w.upper }
	return strings.ContainsAny(t.text, "!?;") || slices.ContainsFunc(t.words, turns)
}
