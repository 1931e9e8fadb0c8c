package eval

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/cascade"
	"github.com/slotway/slotway/classifier/eval/internal/measure"
	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/source"
)

// missedMark is an annotated value that the agent would not take from the example itself.
type missedMark struct {
	Intent string
	Text   string // of the example
	Pos    source.Position
	Span   config.Span
	Found  string // what is read there for the param instead; "": nothing
	Rival  string // another param of the intent that the words fit as well; "": none
}

// annotations runs every annotated example of an agent's tasks through a classifier, its
// task being under way, and returns the marked values that are no candidates for their
// params, or are candidates for another param of the task too. A message that is marked
// from end to end tells its task's text, which the dialogue takes as a whole: it is not
// looked at.
func annotations(ctx context.Context, agent *config.Agent, c classifier.Classifier) ([]missedMark, error) {
	var out []missedMark
	for _, in := range agent.Intents {
		for _, e := range in.Examples {
			if len(e.Spans) == 0 {
				continue
			}
			said := classifier.Input{Text: e.Text, Now: measure.Now, Active: in.ID}
			if e.Asked != "" {
				said.Asked = &classifier.Asked{Param: e.Asked}
			}
			r, err := c.Classify(ctx, said)
			if err != nil {
				return nil, fmt.Errorf("classify the examples: %w", err)
			}
			for _, s := range e.Spans {
				if p := in.Param(s.Param); p == nil || wholeText(p, e, s) {
					continue
				}
				if m, ok := missed(in, e, s, r.Params); ok {
					out = append(out, m)
				}
			}
		}
	}
	return out, nil
}

// wholeText reports whether a span of free text is the whole example.
func wholeText(p *config.Param, e config.Example, s config.Span) bool {
	return p.Type != nil && p.Type.Builtin == "text" && len(p.Type.Patterns) == 0 && s.Start == 0 && s.End >= utf8.RuneCountInString(e.Text)-1
}

// missed looks for the marked value among the candidates.
func missed(in *config.Intent, e config.Example, s config.Span, found []message.Value) (missedMark, bool) {
	m := missedMark{Intent: in.ID, Text: e.Text, Pos: e.Pos, Span: s}
	at := slices.IndexFunc(found, func(v message.Value) bool { return v.Param == s.Param && means(v, s) })
	if at < 0 {
		for _, v := range found {
			if v.Param == s.Param && v.Start < s.End && s.Start < v.End {
				m.Found = v.Text
			}
		}
		return m, true
	}
	own := found[at]
	if e.Asked == s.Param {
		return m, false
	}
	for _, v := range found {
		if v.Param != s.Param && v.Start < own.End && own.Start < v.End && v.Source != "text" && v.Source != "bare" && in.Param(v.Param) != nil {
			m.Rival = v.Param
			return m, true
		}
	}
	return m, false
}

// means reports whether a candidate is the annotated value: the same words, or other words for the
// same value.
func means(v message.Value, s config.Span) bool {
	if v.Start >= s.End || s.Start >= v.End {
		return false
	}
	return v.Start == s.Start && v.End == s.End || strings.EqualFold(fmt.Sprint(v.Value), s.Value)
}

// LintAnnotations trains an agent's classifier and warns of the marked values that it would
// not take from the examples themselves. It does not check an agent
// of more than LintLimit examples.
func LintAnnotations(ctx context.Context, agent *config.Agent, learn *cascade.Options) (source.Problems, error) {
	examples, marked := 0, false
	for _, in := range agent.Intents {
		examples += len(in.Examples)
		marked = marked || slices.ContainsFunc(in.Examples, func(e config.Example) bool { return len(e.Spans) > 0 })
	}
	if !marked || examples > LintLimit {
		return nil, nil
	}
	c, err := cascade.New(agent, learn)
	if err != nil {
		return nil, fmt.Errorf("train on the examples: %w", err)
	}
	misses, err := annotations(ctx, agent, c)
	if err != nil {
		return nil, err
	}
	var out source.Problems
	for _, m := range misses {
		out = append(out, source.Problem{Code: source.ExampleUnread, Pos: m.Pos, Severity: source.SeverityWarning, Message: m.message(), Hint: m.hint()})
	}
	return out, nil
}

// marked is the text that the span marks.
func (m *missedMark) marked() string {
	runes := []rune(m.Text)
	return string(runes[m.Span.Start:min(m.Span.End, len(runes))])
}

func (m *missedMark) message() string {
	switch {
	case m.Rival != "":
		return fmt.Sprintf("example %q: %q would not be taken as %q, it fits %q as well", m.Text, m.marked(), m.Span.Param, m.Rival)
	case m.Found != "":
		return fmt.Sprintf("example %q: %q would not be taken as %q, %q is", m.Text, m.marked(), m.Span.Param, m.Found)
	}
	return fmt.Sprintf("example %q: %q would not be taken as %q", m.Text, m.marked(), m.Span.Param)
}

func (m *missedMark) hint() string {
	switch {
	case m.Rival != "":
		return "mark more examples in which words such as from and to announce each of them, or name the params by such words"
	case m.Found != "":
		return "mark the words that are its value"
	}
	return "mark more examples with the same words before it, or give the param a type that describes its values"
}
