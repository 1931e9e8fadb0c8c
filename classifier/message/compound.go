package message

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// morph is a part of a number that is one word.
type morph struct {
	text  string
	value float64
}

// readMorphs collects the parts of numbers that are one word.
func (t *Language) readMorphs() error {
	for _, class := range [...]string{"unit", "ten", "compound"} {
		for _, e := range t.Classes[class] {
			if len(e.Words) == 1 {
				t.morphs = append(t.morphs, morph{e.Words[0], e.Num})
			}
		}
	}
	slices.SortStableFunc(t.morphs, func(a, b morph) int { return cmp.Compare(len(b.text), len(a.text)) })
	for _, class := range [...]string{"unit", "ten"} {
		if t.Classes[class] == nil {
			return fmt.Errorf("the list %q is missing", class)
		}
	}
	return nil
}

// Compounded reads a number that is one word: "dreihundertvierundzwanzig", also with a half
// behind it, "zweieinhalb".
func (t *Language) Compounded(w string) (v float64, ok bool) {
	for _, half := range t.Classes["half_ending"] {
		if base, cut := strings.CutSuffix(w, half.Words[0]); cut && base != "" {
			if v, ok = t.below(base, 1e6); ok {
				return v + half.Num, true
			}
		}
	}
	return t.below(w, 1e9)
}

// below reads a number of one word that is smaller than limit.
func (t *Language) below(w string, limit float64) (v float64, ok bool) {
	for _, scale := range t.Classes["compound_scale"] {
		head, tail, cut := strings.Cut(w, scale.Words[0])
		if !cut || scale.Num >= limit {
			continue
		}
		many, rest := 1.0, 0.0
		if head != "" {
			if many, ok = t.below(head, scale.Num); !ok {
				return 0, false
			}
		}
		if tail = t.withoutLink(tail); tail != "" {
			if rest, ok = t.below(tail, scale.Num); !ok {
				return 0, false
			}
		}
		return many*scale.Num + rest, true
	}
	return t.belowHundred(w)
}

func (t *Language) withoutLink(w string) string {
	for _, l := range t.Classes["compound_link"] {
		if rest, cut := strings.CutPrefix(w, l.Words[0]); cut {
			return rest
		}
	}
	return w
}

// belowHundred reads "drei", "dreizehn" and "dreiundzwanzig".
func (t *Language) belowHundred(w string) (float64, bool) {
	for _, m := range t.morphs {
		rest, cut := strings.CutPrefix(w, m.text)
		switch {
		case !cut:
		case rest == "":
			return m.value, true
		case m.value >= 1 && m.value <= 9:
			if ten := t.withoutLink(rest); ten != rest {
				if v, ok := t.ten(ten); ok {
					return v + m.value, true
				}
			}
		}
	}
	return 0, false
}

func (t *Language) ten(w string) (float64, bool) {
	for _, e := range t.Words[w] {
		if e.Class == "ten" && len(e.Words) == 1 {
			return e.Num, true
		}
	}
	return 0, false
}

// CompoundOrdinal reads an ordinal that is one word: "einundzwanzigste", "dreizehnten".
func (t *Language) CompoundOrdinal(w string) (float64, bool) {
	for _, end := range t.Classes["ordinal_ending"] {
		base := len(w) - len(end.Words[0])
		if base <= 0 || w[base:] != end.Words[0] {
			continue
		}
		if v, ok := t.below(w[:base], 1e6); ok && v == float64(int(v)) && (v >= 20) == (end.Num >= 20) && v > 3 {
			return v, true
		}
	}
	return 0, false
}

// startsCode are the classes of words that a code may start with.
var startsCode = Words("unit ten repeat nought")

// StartsCode reports whether a code may start with a word: a digit that is said.
func (t *Language) StartsCode(w string) bool {
	if slices.ContainsFunc(t.Words[w], func(e Term) bool { return startsCode[e.Class] }) || strings.Trim(w, "o") == "" {
		return true
	}
	_, whole := t.Compounded(w)
	return t.Compound && whole
}
