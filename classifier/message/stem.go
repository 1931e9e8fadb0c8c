package message

// Stem reduces an English word in lower-case ASCII letters to its stem, by the algorithm
// of M. F. Porter, "An algorithm for suffix stripping", Program 14(3), 1980, with the two
// departures of its author's own later version (-logi becomes -log, -abli and -bli become
// -ble). It works in place and returns a part of w; words of one or two letters stay.
//
// Stems are stored in the documents of memory/archive. github.com/kljensen/snowball (v0.10.0) has
// the later algorithm, Porter2: it gives 3 in 100 words another stem, allocates, and takes six
// times as long.
func Stem(w []byte) []byte {
	if len(w) <= 2 {
		return w
	}
	w = plural(w)
	w = past(w)
	if n := len(w) - 1; w[n] == 'y' && hasVowel(w[:n]) {
		w[n] = 'i'
	}
	w = replaceFirst(w, doubleSuffixes, 0)
	w = replaceFirst(w, longSuffixes, 0)
	w = dropSuffix(w)
	return tidy(w)
}

// StemOf is the stem of an English word in lower case; other words are their own.
func StemOf(word string) string {
	if !isASCII(word) {
		return word
	}
	return string(Stem([]byte(word)))
}

// Singular takes the ending of a plural from a word: boxes, cities, shoes. Words that only
// look like one keep theirs, since both sides of a comparison are treated alike.
func Singular(w string) string {
	n := len(w)
	switch {
	case n < 4 || w[n-1] != 's' || w[n-2] == 's' || w[n-2] == 'u' || w[n-2] == 'i' || w == "this":
		return w
	case w[n-2] == 'e' && n > 4:
		switch {
		case w[n-3] == 'i':
			return w[:n-3] + "y"
		case w[n-3] == 'x' || w[n-3] == 's' || w[n-3] == 'h' && (w[n-4] == 's' || w[n-4] == 'c'):
			return w[:n-2]
		}
	}
	return w[:n-1]
}

// suffix is a rule: the end of a word and its replacement.
type suffix struct{ from, to string }

// doubleSuffixes are the rules of step 2. Among those with the same penultimate letter the longer
// comes first.
var doubleSuffixes = []suffix{
	{"ational", "ate"},
	{"tional", "tion"},
	{"enci", "ence"},
	{"anci", "ance"},
	{"izer", "ize"},
	{"bli", "ble"},
	{"alli", "al"},
	{"entli", "ent"},
	{"eli", "e"},
	{"ousli", "ous"},
	{"ization", "ize"},
	{"ation", "ate"},
	{"ator", "ate"},
	{"alism", "al"},
	{"iveness", "ive"},
	{"fulness", "ful"},
	{"ousness", "ous"},
	{"aliti", "al"},
	{"iviti", "ive"},
	{"biliti", "ble"},
	{"logi", "log"},
}

// longSuffixes are the rules of step 3.
var longSuffixes = []suffix{
	{"icate", "ic"}, {"ative", ""}, {"alize", "al"}, {"iciti", "ic"}, {"ical", "ic"}, {"ful", ""}, {"ness", ""},
}

// lastSuffixes are dropped in step 4.
var lastSuffixes = []string{
	"al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ion", "ou", "ism", "ate", "iti",
	"ous", "ive", "ize",
}

// plural is step 1a.
func plural(w []byte) []byte {
	switch n := len(w); {
	case ends(w, "sses"), ends(w, "ies"):
		return w[:n-2]
	case ends(w, "s") && !ends(w, "ss"):
		return w[:n-1]
	}
	return w
}

// past is step 1b.
func past(w []byte) []byte {
	n := len(w)
	switch {
	case ends(w, "eed"):
		if measure(w[:n-3]) > 0 {
			return w[:n-1]
		}
		return w
	case ends(w, "ed") && hasVowel(w[:n-2]):
		w = w[:n-2]
	case ends(w, "ing") && hasVowel(w[:n-3]):
		w = w[:n-3]
	default:
		return w
	}
	n = len(w)
	switch {
	case ends(w, "at"), ends(w, "bl"), ends(w, "iz"):
		return append(w, 'e')
	case doubled(w) && w[n-1] != 'l' && w[n-1] != 's' && w[n-1] != 'z':
		return w[:n-1]
	case measure(w) == 1 && shortEnd(w):
		return append(w, 'e')
	}
	return w
}

// replaceFirst applies the first rule whose suffix the word has, if the measure of the rest is more
// than least.
func replaceFirst(w []byte, rules []suffix, least int) []byte {
	for _, r := range rules {
		if ends(w, r.from) {
			if root := w[:len(w)-len(r.from)]; measure(root) > least {
				return append(root, r.to...)
			}
			return w
		}
	}
	return w
}

// dropSuffix is step 4.
func dropSuffix(w []byte) []byte {
	for _, s := range lastSuffixes {
		if !ends(w, s) {
			continue
		}
		root := w[:len(w)-len(s)]
		if s == "ion" && !ends(root, "s") && !ends(root, "t") {
			return w
		}
		if measure(root) > 1 {
			return root
		}
		return w
	}
	return w
}

// tidy is step 5.
func tidy(w []byte) []byte {
	if n := len(w) - 1; w[n] == 'e' {
		if m := measure(w[:n]); m > 1 || m == 1 && !shortEnd(w[:n]) {
			w = w[:n]
		}
	}
	if n := len(w); ends(w, "ll") && measure(w[:n-1]) > 1 {
		w = w[:n-1]
	}
	return w
}

func ends(w []byte, s string) bool {
	return len(w) > len(s) && string(w[len(w)-len(s):]) == s
}

// consonant reports whether letter i is a consonant: y is one at the beginning or after a vowel.
func consonant(w []byte, i int) bool {
	switch w[i] {
	case 'a', 'e', 'i', 'o', 'u':
		return false
	case 'y':
		return i == 0 || !consonant(w, i-1)
	}
	return true
}

// measure counts the sequences of a vowel and a consonant, Porter's m.
func measure(w []byte) int {
	m, vowel := 0, false
	for i := range w {
		c := consonant(w, i)
		if c && vowel {
			m++
		}
		vowel = !c
	}
	return m
}

func hasVowel(w []byte) bool {
	for i := range w {
		if !consonant(w, i) {
			return true
		}
	}
	return false
}

func doubled(w []byte) bool {
	n := len(w)
	return n >= 2 && w[n-1] == w[n-2] && consonant(w, n-1)
}

// shortEnd reports whether a word ends in consonant, vowel, consonant, where the last one is not w,
// x or y.
func shortEnd(w []byte) bool {
	n := len(w)
	if n < 3 || !consonant(w, n-3) || consonant(w, n-2) || !consonant(w, n-1) {
		return false
	}
	return w[n-1] != 'w' && w[n-1] != 'x' && w[n-1] != 'y'
}
