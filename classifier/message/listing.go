package message

import "strings"

// Listing is what a text lists, in its order and as it was written.
type Listing struct {
	Items   []string
	Without []string // behind a "no": "olives, no ham"
	Adds    bool     // to what is listed already: "Portugal too", "also Malta"
}

// Listing cuts a text at commas and at the words of the language that join the items of a list. A
// name that is joined inside is one item, where the language knows it or whole has it.
func (t *Language) Listing(text string, whole []string) Listing {
	s := New(text, "", t)
	known := NewBook(lowered(whole))
	var out Listing
	from, to := 0, len(s.Tokens)
	without := false
	for from < to {
		n := s.itemLead(from, to)
		no := s.denial(from)
		switch {
		case n == 0 && no == 0 && s.joint(from) == 0:
			end, next := s.itemAt(from, to, known, &out)
			if end > from {
				item := text[s.Tokens[from].Start:s.Tokens[end-1].End]
				if without {
					out.Without = append(out.Without, item)
				} else {
					out.Items = append(out.Items, item)
				}
			}
			from, without = max(next, from+1), false
			continue
		case no > 0:
			without = true
		case s.IsTerm(from, "list_add") && len(out.Items)+len(out.Without) == 0:
			out.Adds = true
		}
		from += max(n, no, s.joint(from))
	}
	out.Adds = out.Adds && len(out.Items) > 0
	return out
}

func lowered(names []string) []string {
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = strings.Join(strings.Fields(Fold(name)), " ")
	}
	return out
}

// itemAt returns where the item at token i ends, and where the next one may begin.
func (s *Message) itemAt(i, to int, known *Book, out *Listing) (end, next int) {
	for end = i; end < to; {
		if n := s.joint(end); n > 0 {
			next = end + n
			return s.withoutAdding(i, end, out), next
		}
		if end > i && strings.Contains(s.Text[s.Tokens[end-1].End:s.Tokens[end].Start], "\n") {
			return s.withoutAdding(i, end, out), end
		}
		_, named := s.TermAt(end, "joined_name")
		end += max(named, s.Longest(end, known), 1)
	}
	return s.withoutAdding(i, to, out), to
}

// withoutAdding drops the "too" behind an item, and marks that end a sentence.
func (s *Message) withoutAdding(from, end int, out *Listing) int {
	for end > from {
		if s.SymbolAt(end-1, ".!…") && !s.Glued(end) {
			end--
			continue
		}
		n := s.EndsTerm(end, "list_add")
		if n == 0 || end-n <= from {
			break
		}
		out.Adds = true
		end -= n
	}
	return end
}

// itemLead counts the tokens before an item that are none of it.
func (s *Message) itemLead(i, to int) int {
	if s.SymbolAt(i, "-–•*.") && (i == 0 || !s.Glued(i)) {
		return 1
	}
	_, head := s.TermAt(i, "list_head")
	_, add := s.TermAt(i, "list_add")
	if n := max(head, add); i+n < to {
		return n
	}
	return 0
}

func (s *Message) denial(i int) int {
	_, but := s.TermAt(i, "but")
	_, no := s.TermAt(i+but, "negation")
	_, lack := s.TermAt(i+but, "privation")
	if n := max(no, lack); n > 0 {
		return but + n
	}
	return 0
}

// joint counts the tokens at i that part two items: a comma, a line break, a word.
func (s *Message) joint(i int) int {
	switch {
	case i >= len(s.Tokens):
		return 0
	case s.SymbolAt(i, ",;&+") && !(s.Glued(i) && s.Glued(i+1)), s.SymbolAt(i, ",;"):
		return 1
	}
	if _, n := s.TermAt(i, "list_joint"); n > 0 && i > 0 {
		return n
	}
	if _, but := s.TermAt(i, "but"); but > 0 && s.denial(i) > 0 {
		return but
	}
	return 0
}
