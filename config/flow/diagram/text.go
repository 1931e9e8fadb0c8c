package diagram

import (
	"strings"
	"unicode"
)

// advances are the widths of letters in hundredths of the font size, by the widest of the common
// sans-serif fonts: a text is seldom wider than measured, whatever font a viewer has.
var advances = func() (table [128]float64) {
	for i := range table {
		table[i] = 64
	}
	for _, row := range []struct {
		width float64
		chars string
	}{
		{29, "'ijlIJ"},
		{34, " ,./:;\\|"},
		{37, "f-"},
		{41, "()[]t!r"},
		{48, "\""},
		{53, "*_`sz?"},
		{59, "cLFkvxyP"},
		{63, "TYaoeESbdghnpqu"},
		{69, "KAVBRXZC"},
		{76, "UHNDG"},
		{83, "&OQw#+<=>^~"},
		{92, "M%m"},
		{100, "W@"},
	} {
		for _, c := range row.chars {
			table[c] = row.width
		}
	}
	return table
}()

// measure returns the width of a text in pixels.
func measure(text string, size float64) float64 {
	w := 0.0
	for _, r := range text {
		switch {
		case r < 128:
			w += advances[r]
		case unicode.Is(unicode.Mn, r): // stands on the letter before it
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul) || r >= 0x1F000 || r >= 0xFF00 && r < 0xFF61:
			w += 102
		default:
			w += 70
		}
	}
	return w * size / 100
}

// wrap breaks a text into lines no wider than width; the last of at most most lines ends in an
// ellipsis if the text is longer. cut says that it is.
func wrap(text string, size, width float64, most int) (lines []string, cut bool) {
	line := ""
	flush := func() {
		if line != "" {
			lines = append(lines, line)
			line = ""
		}
	}
	for word := range strings.FieldsSeq(text) {
		if line != "" && measure(line+" "+word, size) <= width {
			line += " " + word
			continue
		}
		flush()
		for measure(word, size) > width {
			head := breakWord(word, size, width)
			lines = append(lines, head)
			word = word[len(head):]
		}
		line = word
	}
	flush()
	if len(lines) <= most {
		return lines, false
	}
	lines = lines[:most]
	last := []rune(lines[most-1])
	for len(last) > 1 && measure(string(last)+"…", size) > width {
		last = last[:len(last)-1]
	}
	lines[most-1] = strings.TrimRight(string(last), " ,.;:") + "…"
	return lines, true
}

// breakWord returns the longest part of a word that fits, at least one letter; it prefers to break
// after a dot or an underscore, where the names of files have their joints.
func breakWord(word string, size, width float64) string {
	end, joint := 0, 0
	for i, r := range word {
		next := i + len(string(r))
		if end > 0 && measure(word[:next], size) > width {
			break
		}
		end = next
		if strings.ContainsRune("._-/", r) {
			joint = next
		}
	}
	if joint > end/2 {
		return word[:joint]
	}
	return word[:end]
}
