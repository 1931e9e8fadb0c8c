package extract

import (
	"slices"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/extract/internal/names"
	"github.com/slotway/slotway/classifier/extract/internal/talk"
	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config/shapes"
)

// matchNames finds the people and places that a message introduces by a phrase and writes
// with capitals: "my name is Ada Lovelace", "this is Bob calling", "from Bath to York".
func (x *Extractor) matchNames(s *reading, in *classifier.Input, c *collector) {
	if x.builtin["person"] {
		if p := x.holders("person"); len(p) == 1 {
			s.introduced(p[0], c)
		}
		x.fullNames(s, in, c)
	}
	if len(x.holders("location")) > 0 {
		x.places(s, c)
	}
}

// holders lists the params of a type without patterns.
func (x *Extractor) holders(kind string) (params []string) {
	for _, r := range x.byKind[kind] {
		if len(r.Patterns) == 0 {
			params = append(params, r.params...)
		}
	}
	return params
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

// places finds places behind a preposition. Where several params hold one, only the ends of a way are
// read, each as either: the words around them tell which is which.
func (x *Extractor) places(s *reading, c *collector) {
	holders := x.holders("location")
	for i := range s.Tokens {
		n := s.LongestOf(i, "place_intro")
		if n == 0 || len(holders) > 1 && !s.Says(i+n-1, "from", "to") {
			continue
		}
		k := names.Capitals(s.Message, i+n, "place_particle")
		if k == 0 || s.In(i-1, "place_verb") || s.Low(i+n-1) == "to" && n == 1 && !names.LeadsSomewhere(s.Message, i) || s.Shouts() {
			continue
		}
		if len(holders) > 1 || !c.has(holders[0]) {
			s.place(holders, i+n, i+n+k, unaskedPlace, c)
		}
	}
}

// placeAnswer reads the answer to the question for a place. Of one with both ends of a way, "Paris to
// Rome", and of "to Rome" each place may be for any param that holds one. Where there is no other param
// such an answer is not read: it is not one place.
func (x *Extractor) placeAnswer(s *reading, asked string, c *collector) {
	holders := x.holders("location")
	from, to := talk.Core(s.Message, "place_opening", "")
	for i := from + 1; i < to-1; i++ {
		second := i + s.Skip(i, "to")
		for s.SymbolAt(second, "-–—→>") {
			second++ // ->
		}
		if second == i || s.Glued(i) || s.Glued(second) {
			continue
		}
		if len(holders) > 1 && s.likeName(from, i) && s.likeName(second, to) {
			s.place(holders, from, i, placeConfidence, c)
			s.place(holders, second, to, placeConfidence, c)
		}
		return
	}
	if len(holders) > 1 && s.Says(from-1, "from", "to") && s.likeName(from, to) {
		s.place(holders, from, to, placeConfidence, c)
		return
	}
	s.name(asked, c, "place_opening", placeConfidence)
}

// How sure a place is that was asked for, and one that nobody asked for.
const (
	placeConfidence = 0.6
	unaskedPlace    = 0.65
)

func (s *reading) place(params []string, from, to int, confidence float64, c *collector) {
	for _, p := range params {
		c.tokens(s, p, s.Text[s.Tokens[from].Start:s.Tokens[to-1].End], from, to, "builtin", confidence)
	}
}

// likeName reports whether some tokens look like a name.
func (s *reading) likeName(from, to int) bool {
	return from < to && shapes.LooksLike(shapes.Name, s.Text[s.Tokens[from].Start:s.Tokens[to-1].End])
}

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
