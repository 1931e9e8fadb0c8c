package llm

import (
	"reflect"
	"slices"
	"strings"

	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/phrase"
)

// valueConfidence is the confidence of a value from the model: below that of any recogniser.
const valueConfidence = 0.7

// reading checks one answer against the definition and the message.
type reading struct {
	c     *Classifier
	q     Question
	list  *listing
	names Names
	taken []place // of the values so far
}

// read puts the parts of an answer that hold over the embedded result.
func (r *reading) read(a answer) message.Result {
	intent := strings.TrimSpace(a.Intent)
	if intent == none || intent == r.c.agent.Classifier.Fallback || r.waits() && intent == r.q.Input.Active {
		intent = ""
	}
	if intent != "" && !slices.Contains(r.list.ids, intent) {
		return fallen(r.q, message.FallbackRefused)
	}
	var values []message.Value
	for _, g := range a.Params {
		if v, ok := r.value(intent, g); ok {
			values = append(values, v)
		}
	}
	out, added := r.merge(intent, values)
	switch {
	case intent != "" || added:
		return out
	case len(values) < len(a.Params):
		return fallen(r.q, message.FallbackRefused)
	}
	return fallen(r.q, message.FallbackNothing)
}

// waits reports whether a question is open. The task under way is no answer then: a reply that does
// no more than belong to it was not understood and counts as an attempt.
func (r *reading) waits() bool { return r.q.Input.Asked != nil || r.q.Input.Confirming }

// value returns the value of an answer if it holds.
func (r *reading) value(intent string, g given) (message.Value, bool) {
	p := r.param(intent, g.Param)
	if p == nil || p.Type == nil {
		return message.Value{}, false
	}
	said := strings.TrimSpace(r.names.Restore(g.Text))
	at, ok := locate(r.q.Input.Text, said, r.taken)
	if !ok {
		return message.Value{}, false
	}
	text := r.q.Input.Text[at.startByte:at.endByte]
	v, ok := r.normal(p, strings.TrimSpace(r.names.Restore(string(g.Value))), text)
	if !ok {
		return message.Value{}, false
	}
	r.taken = append(r.taken, at)
	return message.Value{
		Param: p.Name, Value: v, Text: text, Start: at.start, End: at.end, Source: "llm", Confidence: valueConfidence,
	}, true
}

// param returns the param of that name from the answer's intent, the task under way, or the open
// question.
func (r *reading) param(intent, name string) *config.Param {
	for _, id := range []string{intent, r.q.Input.Active} {
		if in := r.c.agent.Intent(id); in != nil {
			if p := in.Param(name); p != nil {
				return p
			}
		}
	}
	if a := r.q.Input.Asked; a != nil && a.Param == name {
		return r.c.agent.Params[name]
	}
	return nil
}

// normal returns the value that the extractor reads from text, given the value in the answer.
func (r *reading) normal(p *config.Param, value, text string) (any, bool) {
	if value == "" {
		return nil, false
	}
	if v, ok := r.offered(p.Name, value); ok {
		return v, true
	}
	own, ok := r.c.extract.Read(p.Name, text, r.q.Input.Now)
	if len(p.Type.Values) > 0 {
		v, exists := enumerated(p.Type, value)
		return v, exists && (!ok || own == any(v))
	}
	if !ok {
		return nil, false
	}
	if alike(value, text) || alike(value, phrase.Display(own)) {
		return own, true
	}
	again, ok := r.c.extract.Read(p.Name, value, r.q.Input.Now)
	return own, ok && reflect.DeepEqual(own, again)
}

// offered returns the choice with a value, by the choice's own value or by its label.
func (r *reading) offered(param, value string) (any, bool) {
	a := r.q.Input.Asked
	if a == nil || a.Param != param {
		return nil, false
	}
	var found any
	for _, o := range a.Options {
		if !alike(value, o.Label) && !alike(value, phrase.Display(o.Value)) {
			continue
		}
		if found != nil && !reflect.DeepEqual(found, o.Value) {
			return nil, false // two look the same
		}
		found = o.Value
	}
	return found, found != nil
}

// enumerated returns the declared spelling of a value.
func enumerated(t *config.Type, value string) (string, bool) {
	for _, v := range t.Values {
		if alike(v.Value, value) {
			return v.Value, true
		}
	}
	return "", false
}

// alike reports whether two texts differ in case and the way of writing at most.
func alike(a, b string) bool { return message.Fold(a) == message.Fold(b) }
