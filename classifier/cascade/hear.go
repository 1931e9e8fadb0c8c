package cascade

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/slotway/slotway/classifier"
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

// hear reads the message together with the question, unless it is a phrase that means one thing.
func (c *Classifier) hear(in classifier.Input, r *message.Result) {
	if c.reader == nil || r.Exact || c.gibberish(in.Text) {
		return
	}
	read := c.reader.Read(c.readState(in), in.Text)
	for _, h := range heads {
		head := h.head
		if head == reader.Yes && in.Confirming {
			head = reader.PlainYes
		}
		r.Commands = append(r.Commands, message.Command{Do: h.do, Any: h.any, P: float64(read.Heads[head])})
	}
	for i := range c.readerOf.Tasks {
		id := c.readerOf.Tasks[i].ID
		r.Commands = append(r.Commands, message.Command{Do: message.DoStart, Task: id, P: float64(read.Start[i])}, message.Command{Do: message.DoAskTask, Task: id, P: float64(read.Ask[i])})
	}
	for i, p := range read.Choose {
		r.Commands = append(r.Commands, message.Command{Do: message.DoChoose, Option: i, P: float64(p)})
	}
	for i, p := range read.Correct {
		r.Commands = append(r.Commands, message.Command{Do: message.DoCorrect, Param: c.readerOf.Params[i].Name, P: float64(p)})
	}
	for _, s := range c.whole(read.Spans) {
		r.Commands = append(r.Commands, c.setting(in, s, read.Remove[s.Param]))
	}
	r.Commands = slices.DeleteFunc(r.Commands, func(x message.Command) bool { return x.P < leastHeard })
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
// of other types the likeliest counts.
func (c *Classifier) whole(spans []reader.Span) []reader.Span {
	var out []reader.Span
	for _, s := range spans {
		param := &c.readerOf.Params[s.Param]
		at := slices.IndexFunc(out, func(o reader.Span) bool { return o.Param == s.Param })
		switch {
		case at < 0 || param.Type == reader.List:
			out = append(out, s)
		case c.extract.Open(param.Name):
			out[at].End = s.End
		case s.P > out[at].P:
			out[at] = s
		}
	}
	return out
}

// leastHeard is the probability below which a command is no candidate.
const leastHeard = 0.05

// heads are the commands that stand for themselves.
var heads = []struct {
	head reader.Head
	do   message.Do
	any  bool
}{
	{reader.Yes, message.DoYes, false},
	{reader.No, message.DoNo, false},
	{reader.Hold, message.DoHold, false},
	{reader.Stop, message.DoStop, false},
	{reader.Human, message.DoHuman, false},
	{reader.Help, message.DoHelp, false},
	{reader.Repeat, message.DoRepeat, false},
	{reader.Undo, message.DoUndo, false},
	{reader.Resume, message.DoResume, false},
	{reader.Courtesy, message.DoCourtesy, false},
	{reader.OutOfScope, message.DoOutOfScope, false},
	{reader.Unclear, message.DoUnclear, false},
	{reader.Start, message.DoStart, true},
	{reader.Choose, message.DoChoose, true},
	{reader.AskTask, message.DoAskTask, true},
	{reader.AskHelp, message.DoAskHelp, false},
	{reader.AskResult, message.DoAskResult, false},
	{reader.AskOther, message.DoAskOther, false},
}

// setting is the command to fill a param with the words of a span, or to take them out of it.
func (c *Classifier) setting(in classifier.Input, s reader.Span, removed float32) message.Command {
	name := c.readerOf.Params[s.Param].Name
	v := message.Value{Param: name, Text: in.Text[s.Start:s.End], Source: "tagger", Confidence: float64(s.P)}
	v.Start = utf8.RuneCountInString(in.Text[:s.Start])
	v.End = v.Start + utf8.RuneCountInString(v.Text)
	if read, ok := c.extract.Read(name, v.Text, in.Now); ok {
		v.Value = read
	} else if param := &c.readerOf.Params[s.Param]; param.Type == reader.Text || param.Type == reader.List {
		v.Value = v.Text
	}
	do := message.DoSet
	if removed > 0.5 {
		do = message.DoRemove
	}
	return message.Command{Do: do, Param: name, Value: v, P: float64(s.P)}
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
