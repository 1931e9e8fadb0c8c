package extract

import (
	"slices"
	"strings"

	"github.com/slotway/slotway/classifier/extract/internal/lexicon"
	"github.com/slotway/slotway/classifier/extract/internal/scan"
)

var (
	// idWords stand for any id: "number 20075", "ref 1042", "#1042".
	idWords = scan.Words("number numbers num no nr nbr id ids code ref reference #")
	// announceLinks may stand between a noun and its id.
	announceLinks = scan.Words("is was are it's its : # . my the = of")
	// ownedNumbers are nouns whose numbers are of another kind than an agent's own ids.
	ownedNumbers = scan.Words("house street apartment apt room suite unit floor gate flight seat table page model serial part building zip postal postcode phone telephone tel mobile cell fax contact account card passport tax vat iban social security license licence lucky version line bus train track channel extension ext employee customer member invoice policy pin")
)

// announced tells for which params of a type a word before token i announces an id: a word
// of the label or of the type, in full or cut short, or a plain "number" or "#" that belongs
// to nothing else. Where something else is asked for, a plain one does not do.
func (x *Extractor) announced(s *reading, r *recogniser, i int, asked string) (params []string, ok bool) {
	plain := false
	for k := i - 1; k >= 0 && k >= i-5; k-- {
		w := s.Tokens[k].Low
		switch {
		case w == "no" && k == i-1: // "no 20075" may as well be a no
			return nil, false
		case idWords[w], s.Tongue != nil && s.IsTerm(k, "id_word"):
			plain = true
			continue
		case announceLinks[w], s.Tongue != nil && s.IsTerm(k, "id_link"):
			continue
		}
		if s.Tokens[k].Class != scan.Letters {
			break
		}
		for _, p := range r.params {
			if nounOf(w, x.about[p].words) || nounOf(w, r.nouns) {
				params = append(params, p)
			}
		}
		if len(params) > 0 {
			return params, true
		}
		if ownedNumbers[w] || x.otherNoun(w, r) {
			return nil, false
		}
		break
	}
	if !plain || asked != "" && !slices.Contains(r.params, asked) {
		return nil, false
	}
	return r.params, true
}

// otherNoun reports whether a word is one of another param's label.
func (x *Extractor) otherNoun(w string, r *recogniser) bool {
	for p, a := range x.about {
		if !slices.Contains(r.params, p) && nounOf(w, a.words) {
			return true
		}
	}
	return false
}

// nounOf reports whether a word is one of a list, in either number or cut short: "ord" for
// order, "tkt" is not read.
func nounOf(w string, list []string) bool {
	return slices.ContainsFunc(list, func(noun string) bool {
		return lexicon.Singular(w) == lexicon.Singular(noun) || len(w) >= 3 && len(noun) > len(w)+1 && strings.HasPrefix(noun, w) && !lexicon.IsPlain(w)
	})
}
