package turnset

import (
	"github.com/slotway/slotway/classifier/extract"
)

// Said is a labelled value and what the recognisers read in its words alone.
type Said struct {
	Type  string // of the param; "enum" for its own values
	Param string
	Text  string
	Want  any
	Got   any // nil where they read none
	Right bool
}

// Values reads the words of each value that a file labels, as the answer to the question for its
// param. Texts, people, addresses and lists take any words and are left out, as is what changes a
// known value: its words may be a part of it.
func (f *File) Values() ([]Said, error) {
	readers := map[*Sketch]*extract.Extractor{}
	var out []Said
	for _, t := range f.Turns {
		x := readers[t.Sketch]
		if x == nil {
			agent, err := definition(t.Sketch, "", func(string, string) bool { return false })
			if err != nil {
				return nil, err
			}
			x = extract.New(agent, nil)
			readers[t.Sketch] = x
		}
		for _, c := range t.Commands {
			p := t.Sketch.Param(c.Param)
			if c.Do != Set || p == nil || open[p.Type.Name] || c.Text == "" || t.State.Known[c.Param] != nil {
				continue
			}
			out = append(out, read(x, p, c))
		}
	}
	return out, nil
}

// open are the types that take any words.
var open = map[string]bool{"text": true, "person": true, "address": true, "list": true}

func read(x *extract.Extractor, p *Param, c Command) Said {
	s := Said{Type: p.Type.Name, Param: p.Name, Text: c.Text, Want: c.Value}
	if len(p.Type.Values) > 0 {
		s.Type = "enum"
	}
	s.Got, s.Right = x.Read(p.Name, c.Text, Now)
	s.Right = s.Right && sameValue(*p, s.Want, s.Got)
	return s
}
