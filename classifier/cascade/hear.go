package cascade

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/extract"
	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/classifier/reader"
	"github.com/slotway/slotway/config"
)

// readWith makes the reader of question and message for an English agent, where the settings have an
// encoder.
func (c *Classifier) readWith(agent *config.Agent, o *Options) (err error) {
	if o.Encoder == nil || !agent.English() {
		return nil
	}
	of := &reader.Agent{}
	known := map[string]bool{}
	for _, in := range agent.Intents {
		if in.Internal {
			continue
		}
		task := reader.Task{ID: in.ID, Title: in.Called(), Writes: agent.Writes(in)}
		for _, p := range in.AllParams() {
			task.Params = append(task.Params, p.Name)
			if !known[p.Name] {
				known[p.Name] = true
				of.Params = append(of.Params, readable(p))
			}
		}
		of.Tasks = append(of.Tasks, task)
	}
	c.readerOf = of
	if options := spelling(agent, o); options != nil {
		c.knows = options.Knows
	}
	if c.reader, err = reader.New(of); err != nil {
		return fmt.Errorf("read with the encoder: %w", err)
	}
	return nil
}

// readable is a param as the reader knows it.
func readable(p *config.Param) reader.Param {
	shape := cmp.Or(p.Shape, config.GuessShape(p))
	out := reader.Param{Name: p.Name, Label: p.Label, Type: reader.TypeNamed(p.Type.Builtin)}
	switch {
	case len(p.Type.Values) > 0:
		out.Type = reader.Enum
		for _, v := range p.Type.Values {
			out.Values = append(out.Values, v.Value)
		}
	case p.List:
		out.Type = reader.List
	case len(p.Type.Patterns) > 0 || shape == "code":
		out.Type = reader.Code
	case shape == "address" || p.Type.Builtin == "location":
		out.Type = reader.Address
	case shape == "name":
		out.Type = reader.Person
	}
	return out
}

// hear lets the message be read together with the question, unless it is a phrase that means one thing. It is
// read when somebody needs it: a pass of the encoder takes longer than all else.
func (c *Classifier) hear(in classifier.Input, r *message.Result) {
	if c.reader != nil && !r.Exact && !c.gibberish(in.Text) {
		r.Hear = func() []message.Command { return c.heard(in) }
	}
}

// heard returns the commands that the message may say.
func (c *Classifier) heard(in classifier.Input) []message.Command {
	read := c.reader.Read(c.readState(in), in.Text)
	var out []message.Command
	add := func(x message.Command, p float32) {
		if x.P = float64(p); x.P >= leastHeard {
			out = append(out, x)
		}
	}
	for do := range message.Do(message.NumDo) {
		switch p := read.Heads[do]; do {
		case message.DoSet, message.DoAdd, message.DoRemove, message.DoCorrect: // with their params, below
		case message.DoStart, message.DoAskTask, message.DoChoose:
			add(message.Command{Do: do, Any: true}, p)
		case message.DoYes:
			if in.Confirming {
				p = read.Heads[reader.PlainYes]
			}
			add(message.Command{Do: do}, p)
		default:
			add(message.Command{Do: do}, p)
		}
	}
	for i := range c.readerOf.Tasks {
		id := c.readerOf.Tasks[i].ID
		add(message.Command{Do: message.DoStart, Task: id}, read.Start[i])
		add(message.Command{Do: message.DoAskTask, Task: id}, read.Ask[i])
	}
	for i, p := range read.Choose {
		add(message.Command{Do: message.DoChoose, Option: i}, p)
	}
	for i, p := range read.Correct {
		add(message.Command{Do: message.DoCorrect, Param: c.readerOf.Params[i].Name}, p)
	}
	words := c.extract.Cut(in.Text)
	for _, s := range c.whole(read.Spans) {
		add(c.setting(in, words, s, read.Remove[s.Param]), s.P)
	}
	return out
}

// gibberish reports whether nobody knows half of the words: they are about any task a little.
func (c *Classifier) gibberish(text string) bool {
	known, unknown := 0, 0
	for _, w := range message.WordsOf(text) {
		switch {
		case strings.ContainsFunc(w, func(r rune) bool { return !unicode.IsLetter(r) && r != '\'' }):
		case c.knows == nil || c.knows(w):
			known++
		default:
			unknown++
		}
	}
	return unknown > 1 && unknown >= known
}

// whole returns one span for each param that has no list: a text goes from its first word to its last,
// of other types the likeliest counts. Words of a list that only a space parts are one element.
func (c *Classifier) whole(spans []reader.Span) []reader.Span {
	var out []reader.Span
	for _, s := range spans {
		param := &c.readerOf.Params[s.Param]
		at := slices.IndexFunc(out, func(o reader.Span) bool {
			return o.Param == s.Param && (param.Type != reader.List || s.Start-o.End <= 1)
		})
		switch {
		case at < 0:
			out = append(out, s)
		case param.Type == reader.List, c.extract.Open(param.Name) && s.Start-out[at].End <= mostGap:
			out[at].End = s.End
		case s.P > out[at].P:
			out[at] = s
		}
	}
	return out
}

// mostGap is how many bytes may lie between two parts of one text: a short word of which the reader is unsure.
const mostGap = 8

// leastHeard is the probability below which a command is no candidate.
const leastHeard = 0.001

// setting is the command to fill a param with the words of a span, or to take them out of it.
func (c *Classifier) setting(in classifier.Input, words *message.Message, s reader.Span, removed float32) message.Command {
	param, do := &c.readerOf.Params[s.Param], message.DoSet
	name := param.Name
	if param.Type == reader.List {
		s.Start = extract.WithArticle(words, s.Start)
	}
	v := message.Value{Param: name, Text: in.Text[s.Start:s.End], Source: "tagger", Confidence: float64(s.P)}
	v.Start = utf8.RuneCountInString(in.Text[:s.Start])
	v.End = v.Start + utf8.RuneCountInString(v.Text)
	read, ok := c.extract.Read(name, v.Text, in.Now)
	denied := extract.Denies(words, s.Start, s.End)
	switch {
	case param.Type == reader.Boolean:
		if v.Value = read; !ok && denied {
			v.Value = false // that it answers, the reader knows; what, the words
		}
		return message.Command{Do: do, Param: name, Value: v}
	case removed > 0.5, denied && !c.extract.Open(name):
		do = message.DoRemove
	}
	switch {
	case ok:
		v.Value = read
	case param.Type == reader.Text || param.Type == reader.List:
		v.Value = v.Text
	}
	return message.Command{Do: do, Param: name, Value: v}
}

// readState is the state of the conversation as the reader was trained with it.
func (c *Classifier) readState(in classifier.Input) *reader.State {
	s := &reader.State{Text: lastPart(in.Said), Task: in.Active, Last: in.Finished, Offered: in.Offered, Known: map[string]bool{}}
	for _, name := range in.Filled {
		s.Known[name] = true
	}
	for name := range in.Params {
		s.Known[name] = true
	}
	switch {
	case in.Offered == classifier.Person:
		s.Kind = reader.OfferHuman
	case in.Offered != "":
		s.Kind = reader.Offer
	case in.Confirming && in.Active != "" && c.writes[in.Active]:
		s.Kind = reader.ConfirmWrite
	case in.Confirming:
		s.Kind = reader.Confirm
	case in.Asked != nil && len(in.Asked.Options) > 0:
		s.Kind, s.Asked = reader.Choice, in.Asked.Param
		for _, o := range in.Asked.Options {
			s.Options = append(s.Options, o.Label)
		}
	case in.Asked != nil:
		s.Kind, s.Asked = reader.AskParam, in.Asked.Param
	case s.Last != "":
		s.Kind = reader.Ended
	default:
		s.Kind, s.Text = reader.None, ""
	}
	return s
}

// mostSaid is how much of the last reply is read, in bytes: the question is at its end.
const mostSaid = 200

// lastPart returns the end of a reply, from the beginning of a word.
func lastPart(said string) string {
	if len(said) <= mostSaid {
		return said
	}
	for at := len(said) - mostSaid; at < len(said); at++ {
		if said[at] == ' ' {
			return said[at+1:]
		}
	}
	return ""
}
