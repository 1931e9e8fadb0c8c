package lexicon

import (
	"slices"
	"strings"

	"github.com/slotway/slotway/classifier/extract/internal/scan"
)

// OneOf reports whether token i is a form of one of some words.
func OneOf(s *scan.Message, i int, list []string) bool {
	return slices.ContainsFunc(list, func(w string) bool { return Inflected(s, i, w) })
}

// Inflected reports whether token i, perhaps with the one before it, is a form of the
// word of a name: "returning" of return, "picking up" of pickup, "bathroom" of baths.
func Inflected(s *scan.Message, i int, name string) bool {
	w := s.Low(i)
	if w == name {
		return true
	}
	if first := stem(s.Low(i - 1)); first != "" && (first+w == name || strings.TrimSuffix(s.Low(i-1), "s")+w == name) {
		return true
	}
	if name = stem(name); len(name) < 3 {
		return false
	}
	return strings.HasPrefix(w, name)
}

// stem drops the endings of a verb or a plural.
func stem(w string) string {
	if base, ok := strings.CutSuffix(w, "ing"); ok && len(base) > 2 {
		if n := len(base); base[n-1] == base[n-2] {
			base = base[:n-1] // dropping
		}
		return base
	}
	if len(w) > 3 {
		return strings.TrimSuffix(w, "s")
	}
	return w
}
