package extract

import (
	"strings"
	"unicode"

	"github.com/slotway/slotway/classifier"
)

// Words behind which a name stands though nobody asked for one.
var (
	nameIntros   = newBook(split("my name is,my name's,my full name is,the name is,name is,i am called,call me,under the name of,under the name,in the name of,for mr,for mrs,for ms,for dr,for mr .,for mrs .,for ms .,for dr .,mr,mrs,ms"))
	speakerIntro = newBook(split("this is,it's,i'm,i am,here is"))
	speakers     = words("calling speaking here")
	placeIntros  = newBook(split("i live in,we live in,living in,based in,located in,staying in,born in,in,near,from,to,flight to,flying to,travel to,travelling to,traveling to"))
	placeVerbs   = words("talk speak send give write mail say listen listened spoke sent gave connect transfer belongs according due thanks related used similar want need forward")
	noPlaces     = words("english french german spanish italian dutch portuguese chinese japanese russian arabic mr mrs ms dr god internet monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec christmas easter")
	placeMarks   = words("de la le les du des saint st san new los las upon of the")
)

// matchNames finds the people and places that a message introduces by a phrase and writes
// with capitals: "my name is Ada Lovelace", "this is Bob calling", "from Bath to York". A
// place is given to a param only where it is the only one, or where the words say which
// end of a way it is.
func (x *Extractor) matchNames(s *scan, in *classifier.Input, c *collector) {
	if x.builtin["person"] {
		if p := x.only("person"); p != "" {
			s.introduced(p, c)
		}
		x.fullNames(s, in, c)
	}
	if x.builtin["location"] {
		x.places(s, c)
	}
}

// only returns the one param of a type without patterns, or "".
func (x *Extractor) only(kind string) string {
	found := ""
	for _, r := range x.types {
		if r.Builtin != kind || len(r.Patterns) > 0 {
			continue
		}
		if found != "" || len(r.params) != 1 {
			return ""
		}
		found = r.params[0]
	}
	return found
}

func (s *scan) introduced(param string, c *collector) {
	for i := range s.tokens {
		n, confidence := s.longest(i, nameIntros), 0.75
		if n == 0 {
			n, confidence = s.longest(i, speakerIntro), 0.7
			if k := s.capitals(i+n, nameParticles); n == 0 || k == 0 || !s.is(i+n+k, speakers) {
				continue
			}
		}
		if k := s.capitals(i+n, nameParticles); k > 0 && !c.has(param) {
			c.tokens(s, param, s.text[s.tokens[i+n].start:s.tokens[i+n+k-1].end], i+n, i+n+k, "builtin", confidence)
		}
	}
}

// capitals counts the words of a name at token i: with capitals, joined by particles,
// hyphens or apostrophes, at most five.
func (s *scan) capitals(i int, particles set) int {
	n, count := 0, 0
	for count < 5 {
		k := i + n
		switch {
		case s.low(k) != "" && k > 0 && strings.Contains(s.text[s.tokens[k-1].end:s.tokens[k].start], "\n"):
		case s.capital(k) && s.tokens[k].class == letters && !remarks[s.low(k)] && !noPlaces[s.low(k)] && !fillers[s.low(k)]:
			n, count = n+1, count+1
			continue
		case count > 0 && s.is(k, particles) && s.capital(k+1) && !remarks[s.low(k+1)]:
			n++
			continue
		case count > 0 && s.symbolAt(k, "-’'.") && s.glued(k) && (s.glued(k+1) || s.symbolAt(k, ".") && len(s.tokens[k-1].text) <= 2) && s.capital(k+1):
			n++
			continue
		}
		break
	}
	if count == 0 || s.glued(i) && s.tokens[i-1].class != symbol {
		return 0
	}
	return n
}

// places finds places behind a preposition.
func (x *Extractor) places(s *scan, c *collector) {
	single := x.only("location")
	for i := range s.tokens {
		n := s.longest(i, placeIntros)
		if n == 0 {
			continue
		}
		k := s.capitals(i+n, placeMarks)
		if k == 0 || s.is(i-1, placeVerbs) || s.low(i+n-1) == "to" && n == 1 && !s.leadsSomewhere(i) || s.shouts() {
			continue
		}
		param := single
		if param == "" {
			param = x.endOfWay(s.low(i + n - 1))
		}
		if param == "" || c.has(param) {
			continue
		}
		c.tokens(s, param, s.text[s.tokens[i+n].start:s.tokens[i+n+k-1].end], i+n, i+n+k, "builtin", 0.65)
	}
}

// leadsSomewhere reports whether the "to" at token i is that of a way: "from X to", "a
// train to".
func (s *scan) leadsSomewhere(i int) bool {
	if s.is(i-1, ways) {
		return true
	}
	for k := i - 1; k >= 0 && k >= i-6; k-- {
		if s.low(k) == "from" {
			return true
		}
	}
	return false
}

var ways = words("flight flights train trains bus ticket tickets trip way go going fly flying travel travelling traveling drive driving move moving get getting ship shipping taxi ride journey route back over return returning")

// shouts reports whether the message is all capitals, so that these say nothing.
func (s *scan) shouts() bool {
	return len(s.tokens) > 2 && !strings.ContainsFunc(s.text, unicode.IsLower)
}

// endOfWay returns the only location param whose name says that it is the start ("from")
// or the end ("to") of a way.
func (x *Extractor) endOfWay(preposition string) string {
	var list set
	switch preposition {
	case "from":
		list = headNames
	case "to":
		list = endNames
	default:
		return ""
	}
	found := ""
	for _, r := range x.types {
		if r.Builtin != "location" || len(r.Patterns) > 0 {
			continue
		}
		for _, p := range r.params {
			for w := range strings.SplitSeq(strings.ToLower(p), "_") {
				if !list[w] && !(preposition == "from" && w == "origin") && !(preposition == "to" && (w == "destination" || w == "dest")) {
					continue
				}
				if found != "" && found != p {
					return ""
				}
				found = p
			}
		}
	}
	return found
}
