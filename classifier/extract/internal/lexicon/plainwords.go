// Package lexicon tells common words of English and forms of one word apart from other words.
package lexicon

import (
	"slices"
	"strings"

	"github.com/slotway/slotway/classifier/extract/internal/numbers"
	"github.com/slotway/slotway/classifier/extract/internal/scan"
	"github.com/slotway/slotway/classifier/extract/internal/talk"
)

// plainWords are frequent English words, of four letters or more, that one or two edits
// make of other words. None of them is a typo of an enumerated value.
var plainWords = scan.Words(`
	about above accept account across address after again against agree ahead allow alone along already also although always among amount answer
	anyone anything apply around arrive asked assume available away back based because become been before began begin behind being believe
	below beside best better between both break bring brought build built call called came cancel card care case cases catch cause certain chance change
	charge check choice choose claim clean clear close closed come comes common complete contact cost could count country couple course cover create
	current customer daily date deal decide delay delete deliver detail different does doing done door down drive drop during each early easy
	either else email empty end enough enter even ever every exact except expect explain extra fact fail fall family fast favor feel feet few
	field fill final find fine finish first five fixed follow food form forward found four free friend from front full gave general getting girl give
	given glad goes going gone good great group grow guess half hand happen happy hard have having head hear heard help here high hold home hope hour
	house however idea important include inside instead issue item items itself just keep kept kind knew know known large last late later least
	leave left less letter level life light like likely line list listen little live lives local long look looking lost lots love lower made mail main
	make making manage many match matter maybe mean means member mention might mind mine minute miss missing money month more morning most move
	much must name near need needed never next nice night none normal note nothing notice number offer often once only open option order other
	ought outside over page paid part party past people perhaps person phone pick piece place plan play please point post present price private problem
	provide pull purchase push question quick quickly quite raise rather reach read ready real reason receive recent record refund regular remove
	repeat reply report request rest result return right room round said same save saying seat second seem seems seen sell send sent service several shall
	share ship short should show shown side sign simple since site small some someone something soon sorry sort sound space speak special spend
	stand start state stay still stop store street strong such suggest suit support suppose sure system table take taken talk tell than thank thanks that
	their them then there these they thing things think third this those though thought three through ticket till time times today together told
	tomorrow tonight took total touch toward track train travel trip true trust turn twice type under understand unless until update upon
	used useful using usual very view visit voice wait walk want wanted watch water ways week well went were what when where whether which while
	whole whom whose wide will wish with within without wonder word words work working world worry worse worst would write wrong yeah year
	yesterday young your yours
	black white gold cold bold hold told sold dear deer bear beer pear peer port part cart dark bark park mark mask task risk disk dish wish fish
	bill bell ball ballot fall tall tell till toll poll pool tool cool fool foot boot book cook look hook lack rack pack back tack sack sick pick kick
	trial trail train trait plane plate place plant plain chain chair china clock block black slack flack click brick trick trunk drunk drink
	brown crown frown grown groan green greet great treat trend bread broad board beard heard heart hears years tears
	expire expires espresso broke broker brokers math maths marching searching reading writing heading leading sharing wearing
	march april august sunday monday tuesday wednesday thursday friday saturday
`)

// IsPlain reports whether a word is one that people write on purpose: a frequent word, a
// number, a weekday, a filler.
func IsPlain(word string) bool {
	return plainWords[word] || talk.Fillers[word] || numbers.WordValues[word].Kind != numbers.NoNumber || numbers.OrdinalWords[word] > 0
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
