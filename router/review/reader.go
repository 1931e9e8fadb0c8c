package review

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/edit"
	"github.com/slotway/slotway/router/telemetry"
)

// Reader reads masked messages as an agent understands them now.
type Reader struct {
	agent    *config.Agent
	redactor *telemetry.Redactor
	classes  classifier.Classifier
	examples map[string]bool // their keys: what is labelled already
	samples  map[string]string
}

// NewReader returns a reader. classes is the agent's classifier.
func NewReader(agent *config.Agent, classes classifier.Classifier) *Reader {
	r := &Reader{agent: agent, redactor: telemetry.NewRedactor(agent), classes: classes, examples: map[string]bool{}, samples: map[string]string{}}
	for _, list := range [][]*config.Intent{agent.Intents, agent.System, agent.NotServed} {
		for _, in := range list {
			for _, e := range in.Examples {
				r.examples[keyOf(e.Text)], r.examples[keyOf(marked(e.Text, e.Spans))] = true, true
				for _, s := range e.Spans {
					if r.samples[s.Param] == "" {
						r.samples[s.Param] = string([]rune(e.Text)[s.Start:s.End])
					}
				}
			}
		}
	}
	return r
}

// Reading is a message as the agent understands it now, on its own.
type Reading struct {
	Text    string          // what is shown: values of params are marks, such as {order_id}
	Ranking []message.Score // best first

	plain  string          // with samples for what is hidden
	values []message.Value // in plain
	filled bool            // every mask has its sample
}

// Read reads a masked message.
func (r *Reader) Read(ctx context.Context, text string, at time.Time) (Reading, error) {
	out := Reading{}
	out.plain, out.filled = r.redactor.Fill(text, r.sample)
	out.plain = strings.Join(strings.Fields(out.plain), " ")
	res, err := r.classify(ctx, out.plain, at)
	if err != nil {
		return out, err
	}
	out.values = res.Params
	if err := r.hide(&out); err != nil {
		return out, err
	}
	out.Ranking = slices.DeleteFunc(slices.Clone(res.Ranking), func(s message.Score) bool {
		in := r.agent.Intent(s.Intent)
		return in == nil || in.System
	})
	out.Text = marked(out.plain, spansOf(out.values, nil))
	return out, nil
}

// hide puts samples in the place of values of redacted params that the mask did not know.
func (r *Reader) hide(out *Reading) error {
	runes := []rune(out.plain)
	secret := slices.DeleteFunc(slices.Clone(out.values), func(v message.Value) bool {
		return !r.redactor.Hides(v.Param) || v.End > len(runes) || string(runes[v.Start:v.End]) == r.sample(v.Param)
	})
	if len(secret) == 0 {
		return nil
	}
	slices.SortFunc(secret, func(a, b message.Value) int { return b.Start - a.Start })
	last := len(runes)
	for _, v := range secret {
		if v.End > last {
			continue // within one that is replaced already
		}
		sample := r.sample(v.Param)
		if sample == "" {
			sample, out.filled = "{"+v.Param+"}", false
		}
		runes = append(append(slices.Clone(runes[:v.Start]), []rune(sample)...), runes[v.End:]...)
		last = v.Start
		shift(out.values, v, len([]rune(sample)))
	}
	out.plain = string(runes)
	return nil
}

// shift moves the values behind one that got another length, and drops those that overlap it.
func shift(values []message.Value, at message.Value, length int) {
	by := length - (at.End - at.Start)
	for i := range values {
		v := &values[i]
		switch {
		case v.Start == at.Start && v.End == at.End:
			v.End += by
		case v.Start >= at.End:
			v.Start, v.End = v.Start+by, v.End+by
		case v.End > at.Start:
			v.End = v.Start // empty: no value any more
		}
	}
}

func (r *Reader) classify(ctx context.Context, text string, at time.Time) (message.Result, error) {
	res, err := r.classes.Classify(ctx, classifier.Input{Text: text, Now: at.In(r.agent.Location)})
	if err != nil {
		return res, fmt.Errorf("classify a message: %w", err)
	}
	return res, nil
}

// plain returns a masked text with samples.
func (r *Reader) plain(text string) string {
	filled, _ := r.redactor.Fill(text, r.sample)
	return filled
}

// patternSamples are samples for the redaction's patterns, of ranges that nobody has.
var patternSamples = map[string]string{
	"email": "jo@example.org", "phone": "+1 202 555 0123", "card": "4111 1111 1111 1111", "iban": "GB33 BUKB 2020 1555 5555 55",
}

// sample returns a value for a param or a pattern that is no customer's: the example of its type, one
// of the agent's own examples, or a usual one; "" if there is none.
func (r *Reader) sample(name string) string {
	if p := r.agent.Params[name]; p != nil && p.Type != nil {
		return cmp.Or(p.Type.Example, r.samples[name], p.Type.Looks())
	}
	return patternSamples[name]
}

// Example makes an example of a reading for an intent: values of its params are marked.
func (r *Reader) Example(reading *Reading, intent string) (config.Example, error) {
	if !reading.filled {
		return config.Example{}, fmt.Errorf("%q holds a value that is hidden, and %w; give its type an example: in the agent's file", reading.Text, errNoSample)
	}
	var params []*config.Param
	if in := r.agent.Intent(intent); in != nil {
		params = in.AllParams()
	}
	e := config.Example{Text: reading.plain, Spans: spansOf(reading.values, func(name string) bool {
		return slices.ContainsFunc(params, func(p *config.Param) bool { return p.Name == name })
	})}
	if _, err := edit.Marked(e); err != nil {
		return e, err
	}
	return e, nil
}

// spansOf chooses values that do not overlap, of the params that fit accepts: the longer of two, then
// the surer.
func spansOf(values []message.Value, fit func(param string) bool) []config.Span {
	list := slices.DeleteFunc(slices.Clone(values), func(v message.Value) bool {
		return v.End <= v.Start || v.Wrong != "" || (fit != nil && !fit(v.Param))
	})
	slices.SortStableFunc(list, func(a, b message.Value) int {
		return cmp.Or((b.End-b.Start)-(a.End-a.Start), cmp.Compare(b.Confidence, a.Confidence), a.Start-b.Start)
	})
	var out []config.Span
	for _, v := range list {
		if !slices.ContainsFunc(out, func(s config.Span) bool { return v.Start < s.End && s.Start < v.End }) {
			out = append(out, config.Span{Param: v.Param, Start: v.Start, End: v.End, Value: v.Text})
		}
	}
	slices.SortFunc(out, func(a, b config.Span) int { return a.Start - b.Start })
	for i := range out {
		out[i].Value = "" // the text itself
	}
	return out
}

// marked returns a text with marks for its spans.
func marked(text string, spans []config.Span) string {
	runes := []rune(text)
	var b strings.Builder
	at := 0
	for _, s := range spans {
		if s.Start < at || s.End > len(runes) {
			continue
		}
		b.WriteString(string(runes[at:s.Start]) + "{" + s.Param + "}")
		at = s.End
	}
	b.WriteString(string(runes[at:]))
	return b.String()
}

// keyOf is the same for texts that differ in case, punctuation and spaces alone.
func keyOf(text string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '{' && r != '}' && r != '_'
	}), " ")
}

// known reports whether a reading is an example already.
func (r *Reader) known(reading *Reading) bool {
	return r.examples[keyOf(reading.Text)] || r.examples[keyOf(reading.plain)]
}
