package eval

import (
	"slices"
	"time"

	"github.com/slotway/slotway/config"
)

// policy is an agent's where its file says nothing.
var policy = config.ClassifierPolicy{Threshold: 0.55, Ambiguity: 0.10}

// AgentOf makes an agent whose examples are rows: an intent for each label but
// [OutOfScope], and for each slot of an intent an optional param of type text, of which
// nothing is known but what the rows mark. Without params only the intents remain. It has
// no system intents, which the files know nothing of.
func AgentOf(rows []Row, params bool) *config.Agent {
	a := &config.Agent{
		ID: "eval", Language: "en", Location: time.UTC, Classifier: policy,
		Params: map[string]*config.Param{}, Types: map[string]*config.Type{},
	}
	text := &config.Type{Name: "text", Builtin: "text"}
	several := repeated(rows)
	byID := map[string]*config.Intent{}
	for _, r := range rows {
		if r.Intent == OutOfScope {
			continue
		}
		in := byID[r.Intent]
		if in == nil {
			in = &config.Intent{ID: r.Intent}
			byID[r.Intent] = in
			a.Intents = append(a.Intents, in)
		}
		e := config.Example{Text: r.Text, Pos: r.Pos}
		if params {
			e.Spans, e.Asked = r.Spans, r.Asked
			for _, name := range r.slots() {
				declare(a, in, name, text, several[name])
			}
		}
		in.Examples = append(in.Examples, e)
	}
	return a
}

func declare(a *config.Agent, in *config.Intent, name string, typ *config.Type, list bool) {
	p := a.Params[name]
	if p == nil {
		p = &config.Param{Name: name, Type: typ, List: list}
		a.Params[name] = p
	}
	if !slices.Contains(in.Optional, p) {
		in.Optional = append(in.Optional, p)
	}
}

// slots lists the slots that a row names.
func (r *Row) slots() []string {
	var out []string
	for _, s := range r.Spans {
		out = append(out, s.Param)
	}
	if r.Asked != "" {
		out = append(out, r.Asked)
	}
	return out
}

// repeated are the slots that some row marks more than once: their params take lists.
func repeated(rows []Row) map[string]bool {
	out := map[string]bool{}
	for _, r := range rows {
		for i, s := range r.Spans {
			if slices.ContainsFunc(r.Spans[:i], func(t config.Span) bool { return t.Param == s.Param }) {
				out[s.Param] = true
			}
		}
	}
	return out
}

// inScope returns the rows that are about something.
func inScope(rows []Row) []Row {
	return slices.DeleteFunc(slices.Clone(rows), func(r Row) bool { return r.Intent == OutOfScope })
}
