package cues

import (
	"slices"
	"strings"

	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/shapes"
)

// open is a param that takes any text. Its values are found only where words announce them.
type open struct {
	*config.Param
	shape string
	label []string
	many  bool // several of its intent have its shape
	group *group
	ends  map[string]bool // words that follow its annotated values
}

// how is the way from an announcement to its value.
type how uint8

const (
	straight how = iota // the value follows the phrase
	labelled            // a colon, "is" or the like must lie between
)

// announcer is a phrase that announces a value of an open param.
type announcer struct {
	open       *open
	how        how
	strict     bool // the value must have its shape beyond doubt
	value      bool // relaxes strict where the phrase follows another value, as in the examples
	any        bool // one word will do: "because damaged"
	confidence float64
}

// Confidence of announced texts.
const (
	labelConfidence   = 0.8
	learnedConfidence = 0.7
	roleShape         = 0.6
	plainConfidence   = 0.55
)

// isOpen reports whether a param takes any text.
func isOpen(p *config.Param) bool {
	if p.Type == nil || len(p.Type.Patterns) > 0 || len(p.Type.Values) > 0 || p.Type.Bare != nil {
		return false
	}
	return p.Type.Builtin == "text" || p.Type.Builtin == "person" || p.Type.Builtin == "location"
}

// openParams finds the open params and the phrases that announce them.
func (r *Reader) openParams(agent *config.Agent) {
	r.open = map[string]*open{}
	samples := samplesOf(agent)
	for _, in := range agent.Intents {
		byShape := map[string][]*config.Param{}
		for _, p := range in.AllParams() {
			if isOpen(p) {
				shape := shapeOf(p, samples[p.Name])
				byShape[shape] = append(byShape[shape], p)
			}
		}
		for shape, list := range byShape {
			for _, p := range list {
				o := r.open[p.Name]
				if o == nil {
					o = &open{Param: p, shape: shape, label: nameWords(p.Label), ends: map[string]bool{}}
					r.open[p.Name] = o
				}
				o.many = o.many || len(list) > 1
			}
			if len(list) > 1 && len(list) <= mostMembers && (shape == shapes.Address || shape == shapes.Name || shape == shapePlace) {
				r.openGroup(list)
			}
		}
	}
	for _, in := range agent.Intents {
		for _, p := range in.AllParams() {
			if o := r.open[p.Name]; o != nil && o.Param == p {
				r.announceBy(in, o)
			}
		}
	}
}

// shapeOf returns the shape of a param's texts, by its name or by its annotated values.
func shapeOf(p *config.Param, samples []string) string {
	if p.Type.Builtin == "location" {
		return shapePlace
	}
	if shape := config.GuessShape(p); shape != "" || len(samples) < fewSamples {
		return shape
	}
	like := func(shape string) bool {
		return !slices.ContainsFunc(samples, func(s string) bool { return !shapes.LooksLike(shape, s) })
	}
	m := &cutMessage{}
	switch {
	case like(shapes.Address):
		return shapes.Address
	case like(shapes.Name) && !slices.ContainsFunc(samples, func(s string) bool {
		m.cut(s)
		return !m.capitals(span{0, len(m.words)})
	}):
		return shapes.Name
	}
	return ""
}

// shapePlace is the shape of a location: words as those of a name, or an address.
const shapePlace = "place"

// fewSamples is the least number of annotated values that show the shape of a param's texts.
const fewSamples = 3

// samplesOf returns the annotated values of each param.
func samplesOf(agent *config.Agent) map[string][]string {
	out := map[string][]string{}
	for _, in := range agent.Intents {
		for _, e := range in.Examples {
			runes := []rune(e.Text)
			for _, s := range e.Spans {
				if s.Start < s.End && s.End <= len(runes) {
					out[s.Param] = append(out[s.Param], string(runes[s.Start:s.End]))
				}
			}
		}
	}
	return out
}

// openGroup makes a group of open params of one shape; their roles are told apart as those
// of other types.
func (r *Reader) openGroup(list []*config.Param) {
	g := newGroup(slices.Clone(list))
	at := slices.IndexFunc(r.openGroups, func(h *group) bool { return slices.Equal(h.params, g.params) })
	if at < 0 {
		g.english = r.english
		r.openGroups = append(r.openGroups, g)
	} else {
		g = r.openGroups[at]
	}
	for _, name := range g.params {
		r.open[name].group = g
	}
}

// announceBy enters the phrases that a param's name, label and shape give.
func (r *Reader) announceBy(in *config.Intent, o *open) {
	for _, phrase := range r.labelsOf(in, o) {
		r.announce(phrase, announcer{open: o, how: labelled, confidence: labelConfidence})
	}
	if !r.english {
		return
	}
	list := append(nameWords(o.Name), nameWords(o.Label)...)
	if o.shape == shapes.Sentence && slices.ContainsFunc(list, func(w string) bool { return reasonNames[w] }) {
		r.announceAll("reason", announcer{open: o, any: true, confidence: learnedConfidence})
	}
	if o.shape == shapes.Name && !o.other(list) {
		r.announceAll("name", announcer{open: o, confidence: learnedConfidence})
		r.announceAll("called", announcer{open: o, strict: true, confidence: roleShape})
	}
	if o.shape == shapes.Name && !o.many && sideOf(o.Param, namedEnds[place]) == tail && !o.rivalled(in) {
		r.announceAll("recipient", announcer{open: o, strict: true, value: true, confidence: roleShape})
	}
	if o.shape == shapes.Address && !o.many {
		r.announceAll("lives", announcer{open: o, strict: true, confidence: roleShape})
	}
	if o.shape == shapePlace && o.many {
		r.announceAll("one of places", announcer{open: o, strict: true, confidence: roleShape})
	}
	if o.shape == shapes.Address && o.many {
		r.announceAll("one of addresses", announcer{open: o, strict: true, confidence: roleShape})
	}
}

// rivalled reports whether another param of the intent may stand behind "to".
func (o *open) rivalled(in *config.Intent) bool {
	return slices.ContainsFunc(in.AllParams(), func(p *config.Param) bool {
		return p.Name != o.Name && (sideOf(p, namedEnds[place]) == tail || isOpen(p) && config.GuessShape(p) == shapes.Address || p.Type != nil && p.Type.Builtin == "location")
	})
}

// other reports whether a name is that of someone other than the user.
func (o *open) other(list []string) bool {
	return slices.ContainsFunc(list, func(w string) bool {
		return namedEnds[place][message.Singular(w)] != neither || othersNames[w]
	})
}

// labelsOf returns the phrases that may stand for a param before "is" or a colon: its label, its
// name, and the last word of these unless another param of the intent ends in it.
func (r *Reader) labelsOf(in *config.Intent, o *open) [][]string {
	var out [][]string
	for _, text := range []string{o.Label, o.Name} {
		words := nameWords(text)
		for len(words) > 1 && (articles[words[0]] || words[0] == "new") {
			words = words[1:]
		}
		if i := slices.IndexFunc(words, func(w string) bool { return labelEnds[w] }); i > 0 {
			out = append(out, words) // "note for the driver" is a note
			words = words[:i]
		}
		if len(words) == 0 {
			continue
		}
		out = append(out, words)
		last := words[len(words)-1]
		if len(words) > 1 && !o.sharesLast(in, last) {
			out = append(out, []string{last})
		}
	}
	return out
}

func (o *open) sharesLast(in *config.Intent, last string) bool {
	for _, p := range in.AllParams() {
		if p.Name == o.Name {
			continue
		}
		if slices.Contains(nameWords(p.Name), last) || slices.Contains(nameWords(p.Label), last) {
			return true
		}
	}
	return false
}

// Words of the names of params.
var (
	reasonNames = words("reason names") // of a reason
	othersNames = words("others names") // of somebody else's name
	labelEnds   = words("label ends")   // what is labelled ends before these
)

func (r *Reader) announceAll(class string, a announcer) {
	for _, p := range phrases(class) {
		r.announce(strings.Fields(p), a)
	}
}

// announce enters one phrase, under its first word.
func (r *Reader) announce(phrase []string, a announcer) {
	list := r.announcers[phrase[0]]
	for _, e := range list {
		if slices.Equal(e.words, phrase) && e.says.open == a.open && e.says.how == a.how {
			return
		}
	}
	r.announcers[phrase[0]] = append(list, entry[announcer]{phrase, a})
}
