package extract

import (
	"slices"
	"strings"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/extract/internal/names"
	"github.com/slotway/slotway/classifier/extract/internal/talk"
	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config/shapes"
)

// matchNames finds the people and places that a message introduces by a phrase and writes
// with capitals: "my name is Ada Lovelace", "this is Bob calling", "from Bath to York". A
// place is given to a param only where it is the only one, or where the words say which
// end of a way it is.
func (x *Extractor) matchNames(s *reading, in *classifier.Input, c *collector) {
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

func (s *reading) introduced(param string, c *collector) {
	for i := range s.Tokens {
		n, confidence := s.LongestOf(i, "name_intro"), 0.75
		if n == 0 {
			n, confidence = s.LongestOf(i, "speaker_intro"), 0.7
			if k := names.Capitals(s.Message, i+n, "name_particle"); n == 0 || k == 0 || !s.In(i+n+k, "speaker") && !s.introducesSelf(i) {
				continue
			}
		}
		if k := names.Capitals(s.Message, i+n, "name_particle"); k > 0 && !c.has(param) {
			c.tokens(s, param, s.Text[s.Tokens[i+n].Start:s.Tokens[i+n+k-1].End], i+n, i+n+k, "builtin", confidence)
		}
	}
}

// introducesSelf reports whether a part of the message begins at token i, leads to the speaker's full
// name and ends with it: "I'm Tom Berg, I need a filling". "It's Winter Journal" may be about anything.
func (s *reading) introducesSelf(i int) bool {
	n := s.LongestOf(i, "self_intro")
	k := names.FullName(s.Message, i+n)
	if n == 0 || k == 0 || i > 0 && s.Tokens[i-1].Class != message.Symbol {
		return false
	}
	end := i + n + k
	return end == len(s.Tokens) || s.Tokens[end].Class == message.Symbol || s.Low(end) == "and"
}

// places finds places behind a preposition.
func (x *Extractor) places(s *reading, c *collector) {
	single := x.only("location")
	for i := range s.Tokens {
		n := s.LongestOf(i, "place_intro")
		if n == 0 {
			continue
		}
		k := names.Capitals(s.Message, i+n, "place_particle")
		if k == 0 || s.In(i-1, "place_verb") || s.Low(i+n-1) == "to" && n == 1 && !names.LeadsSomewhere(s.Message, i) || s.Shouts() {
			continue
		}
		param := single
		if param == "" {
			param = x.endOfWay(s.Low(i + n - 1))
		}
		if param == "" || c.has(param) {
			continue
		}
		c.tokens(s, param, s.Text[s.Tokens[i+n].Start:s.Tokens[i+n+k-1].End], i+n, i+n+k, "builtin", 0.65)
	}
}

// placeAnswer reads the answer to the question for a place. An answer with both ends of a way, "Paris
// to Rome", gives each to its own param, and "to Rome" is the end, whatever was asked. Where no other
// param takes the other end it is not read: it is not one place.
func (x *Extractor) placeAnswer(s *reading, asked string, c *collector) {
	from, to := talk.Core(s.Message, "place_opening", "")
	for i := from + 1; i < to-1; i++ {
		if s.Low(i) != "to" && (!s.SymbolAt(i, "-–—→>") || s.Glued(i) || s.Glued(i+1)) {
			continue
		}
		end := i
		for end > from && s.SymbolAt(end-1, "-") { // ->
			end--
		}
		head, tail := x.endOfWay("from"), x.endOfWay("to")
		if head != "" && tail != "" && s.likeName(from, end) && s.likeName(i+1, to) {
			s.place(head, from, end, c)
			s.place(tail, i+1, to, c)
		}
		return
	}
	if from > 0 {
		if end := x.endOfWay(s.Low(from - 1)); end != "" && end != asked && s.likeName(from, to) {
			s.place(end, from, to, c)
			return
		}
	}
	s.name(asked, c, "place_opening", placeConfidence)
}

// placeConfidence is that of a place that is asked for.
const placeConfidence = 0.6

func (s *reading) place(param string, from, to int, c *collector) {
	if !c.has(param) {
		c.tokens(s, param, s.Text[s.Tokens[from].Start:s.Tokens[to-1].End], from, to, "builtin", placeConfidence)
	}
}

// likeName reports whether some tokens look like a name.
func (s *reading) likeName(from, to int) bool {
	return from < to && shapes.LooksLike(shapes.Name, s.Text[s.Tokens[from].Start:s.Tokens[to-1].End])
}

// endOfWay returns the only location param whose name says that it is the start ("from")
// or the end ("to") of a way.
func (x *Extractor) endOfWay(preposition string) string {
	class := wayEnds[preposition]
	if class == "" {
		return ""
	}
	found := ""
	for _, r := range x.types {
		if r.Builtin != "location" || len(r.Patterns) > 0 {
			continue
		}
		for _, p := range r.params {
			for w := range strings.SplitSeq(strings.ToLower(p), "_") {
				if !isNoun(w, class) {
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

// wayEnds are, by preposition, the classes of the names of params that hold this end of a way.
var wayEnds = map[string]string{"from": "head_name", "to": "end_name"}

// A person may be named without a word that introduces them: "Ben Hart from 5d is ill", "for Omar
// Haddad". Two words with capitals are a full name where a person may stand.

const (
	fullName      = 0.7  // how sure a full name is that nobody asked for
	askedFullName = 0.62 // and the only one of an answer with other words
)

// fullNames finds full names that nobody asked for, for every param that holds a person; the task
// decides which of them it is. It does nothing for an agent with places, where a name with capitals
// is rather a place. An answer to a question for a text is that text, and where params hold texts a
// name alone corrects no person: it may be a title.
func (x *Extractor) fullNames(s *reading, in *classifier.Input, c *collector) {
	if x.builtin["location"] || s.Shouts() || x.askedType(in.Asked) == "text" {
		return
	}
	for i := 0; i < len(s.Tokens); i++ {
		n := names.FullName(s.Message, i)
		if n == 0 {
			continue
		}
		if names.NameStands(s.Message, i, n) && !x.ownWord(s, i, n) && !c.meets(s.Tokens[i].Start, s.Tokens[i+n-1].End) {
			for _, r := range x.byKind["person"] {
				for _, p := range r.params {
					if len(r.Patterns) == 0 && !c.has(p) && !(x.builtin["text"] && slices.Contains(in.Filled, p)) {
						c.tokens(s, p, s.Text[s.Tokens[i].Start:s.Tokens[i+n-1].End], i, i+n, "builtin", fullName)
					}
				}
			}
		}
		i += n - 1
	}
}

// ownWord reports whether the agent calls a param or a task by one of the n tokens at i.
func (x *Extractor) ownWord(s *reading, i, n int) bool {
	for k := i; k < i+n; k++ {
		if x.own[s.Low(k)] {
			return true
		}
	}
	return false
}

// onlyFullName takes the full name in an answer with other words: "put it under Nowak, Petra
// Nowak", "Max Stein, 2c". With two names neither is taken.
func (s *reading) onlyFullName(param string, c *collector) {
	from, n := 0, 0
	for i := 0; i < len(s.Tokens); i++ {
		k := names.FullName(s.Message, i)
		if k == 0 {
			continue
		}
		if n > 0 {
			return
		}
		from, n = i, k
		i += k - 1
	}
	if n > 0 && !s.Shouts() && !c.meets(s.Tokens[from].Start, s.Tokens[from+n-1].End) {
		c.tokens(s, param, s.Text[s.Tokens[from].Start:s.Tokens[from+n-1].End], from, from+n, "builtin", askedFullName)
	}
}
