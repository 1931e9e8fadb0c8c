package review

import (
	"errors"
	"fmt"
	"slices"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/edit"
)

// MostTexts is how many texts of a group become examples unless a person names others.
const MostTexts = 5

// ErrNothing reports that every text of a group is an example already.
var ErrNothing = errors.New("there is nothing to add: all of it is an example already")

// RefusedError reports that nothing was written, and why: a text for the author.
type RefusedError struct{ Err error }

// Error returns the text of the cause.
func (e *RefusedError) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *RefusedError) Unwrap() error { return e.Err }

// Labelled says what a label has changed.
type Labelled struct {
	File     string   `json:"file"`
	Intent   string   `json:"intent"`
	Added    []string `json:"added"`    // with their values marked
	Warnings []string `json:"warnings"` // that the agent has because of them
}

// Label adds texts of a group, by default the first MostTexts, as examples of an intent to the agent at
// path. An intent not_served.NAME that the agent lacks is a new group of requests. The error is
// ErrNothing or a RefusedError.
func (r *Reader) Label(path string, g *Alike, texts []string, intent string) (*Labelled, error) {
	examples, err := r.examplesOf(g, texts, intent)
	if errors.Is(err, ErrNothing) {
		return nil, err
	}
	if err != nil {
		return nil, &RefusedError{err}
	}
	file, after, err := edit.Add(path, intent, examples)
	if err != nil {
		return nil, &RefusedError{err}
	}
	out := &Labelled{File: file, Intent: intent, Added: []string{}, Warnings: newWarnings(r.agent, after)}
	for _, e := range examples {
		marks, err := edit.Marked(e)
		if err != nil {
			return nil, err
		}
		out.Added = append(out.Added, marks)
		r.examples[keyOf(e.Text)], r.examples[keyOf(marked(e.Text, e.Spans))] = true, true
	}
	r.agent = after
	return out, nil
}

// examplesOf makes examples of the texts that are none yet.
func (r *Reader) examplesOf(g *Alike, texts []string, intent string) ([]config.Example, error) {
	if len(texts) == 0 {
		for i := range g.Texts[:min(len(g.Texts), MostTexts)] {
			texts = append(texts, g.Texts[i].Text)
		}
	}
	var out []config.Example
	for _, text := range texts {
		i := slices.IndexFunc(g.Texts, func(s Said) bool { return s.Text == text })
		if i < 0 {
			return nil, fmt.Errorf("the group %s has no text %q", g.ID, text)
		}
		if r.known(g.Texts[i].Reading) {
			continue
		}
		e, err := r.Example(g.Texts[i].Reading, intent)
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(out, func(o config.Example) bool { return o.Text == e.Text }) {
			out = append(out, e)
		}
	}
	if len(out) == 0 {
		return nil, ErrNothing
	}
	return out, nil
}

// newWarnings returns the lints that only the later definition has.
func newWarnings(before, after *config.Agent) []string {
	had := map[string]int{}
	for _, w := range before.Warnings {
		had[w.Message]++
	}
	out := []string{}
	for _, w := range after.Warnings {
		if had[w.Message]--; had[w.Message] < 0 {
			out = append(out, w.String())
		}
	}
	return out
}
