package cascade

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/extract"
	"github.com/slotway/slotway/classifier/extract/tagger"
	"github.com/slotway/slotway/classifier/message"
)

// The learned tagger joins in only where it has learned enough: with a handful of
// examples it is wrong as often as right. What it then finds counts by its confidence, and
// that by what a wrong value would do: one that is looked up with shows in the answer, one
// that is written has a person confirm what was never said.
const (
	someSpans    = 10   // one param must have as many, or all together severalSpans, or nothing is learned
	severalSpans = 30   // the same of all params together
	enoughSpans  = 20   // below, words are not taken from another param
	manyReplies  = 100  // from here on, what the answers to a question look like is known
	minTagged    = 0.5  // confidence that a span needs
	sureTagged   = 0.7  // the same where the task writes, unless the param was asked for
	firmTagged   = 0.8  // above, a span decides between params that fit the same words
	minTopIntent = 0.3  // confidence of an intent whose params are looked for
	taggedCap    = 0.95 // what a pattern finds is surer
)

// mayTag reports whether the tagger may fill a param: what a pattern describes is found
// by the pattern or not at all.
func (c *Classifier) mayTag(param string) bool {
	p := c.param[param]
	return p != nil && p.Type != nil && len(p.Type.Patterns) == 0 && p.Type.Builtin != "boolean"
}

// hits returns the recognised values that the tagger gets with a message: where built-in types were
// found, whatever params there are, and the finds of the agent's own types. A text is easier to
// tell from its neighbours when these are known to be a time or a number.
func (c *Classifier) hits(in classifier.Input, values []message.Value, found []extract.Found) []tagger.Hit {
	var hits []tagger.Hit
	if !c.extract.Scans() {
		for _, e := range extract.Recognize(in.Text, in.Now, c.options) {
			hits = append(hits, tagger.Hit{Kind: e.Kind, Start: e.Start, End: e.End})
		}
	}
	for _, f := range found {
		hits = append(hits, tagger.Hit(f))
	}
	for _, v := range values {
		p := c.param[v.Param]
		if p == nil {
			continue
		}
		kind := v.Source + " " + p.Type.Name
		switch v.Source {
		case "text", "option", "tagger":
			continue
		case "builtin":
			kind = p.Type.Builtin
		}
		if hit := (tagger.Hit{Kind: kind, Start: v.Start, End: v.End}); !slices.Contains(hits, hit) {
			hits = append(hits, hit)
		}
	}
	return hits
}

// tagging is one message for the tagger. What the recognisers find in it is looked up for the
// first intent whose params it may hold: most messages never come to that.
type tagging struct {
	c     *Classifier
	in    classifier.Input
	found []extract.Found
	hits  []tagger.Hit
	ready bool // hits are known
}

// tagging prepares a message, nil where there is nothing to tag or nobody to tag it.
func (c *Classifier) tagging(in classifier.Input, values []message.Value, found []extract.Found) *tagging {
	if c.tagger == nil || explained(in.Text, values) {
		return nil
	}
	return &tagging{c: c, in: in, found: found}
}

// worthwhile reports whether the tagger could change anything for an intent: a param that it may
// fill may stand in the text, or two params claim the same words.
func (c *Classifier) worthwhile(in classifier.Input, intent string, found []message.Value) bool {
	return slices.ContainsFunc(c.tags[intent], func(param string) bool {
		return c.tagger.Spans(param) > 0 && c.mayTag(param) && c.extract.MayHold(param, in.Text)
	}) || c.contested(intent, found)
}

// contested reports whether words were read as values of two params of an intent.
func (c *Classifier) contested(intent string, found []message.Value) bool {
	tags := c.tags[intent]
	for i, v := range found {
		for _, w := range found[:i] {
			if v.Param != w.Param && overlap(v, w) && slices.Contains(tags, v.Param) && slices.Contains(tags, w.Param) {
				return true
			}
		}
	}
	return false
}

// explained reports whether patterns have found a value of one param in every word of a message:
// there is nothing left to tag.
func explained(text string, found []message.Value) bool {
	if len(found) == 0 {
		return false
	}
	for _, v := range found {
		if v.Source != "pattern" || v.Param != found[0].Param {
			return false
		}
	}
	spans := byteSpans(text, found)
	for i, c := range text {
		if (unicode.IsLetter(c) || unicode.IsDigit(c)) && !slices.ContainsFunc(spans, func(s byteSpan) bool { return s.start <= i && i < s.end }) {
			return false
		}
	}
	return true
}

// sentence returns the message in the tagger's form.
func sentence(in classifier.Input, tags []string, hits []tagger.Hit) tagger.Sentence {
	s := tagger.Sentence{Text: in.Text, Cut: in.Cut(), Tags: tags, Hits: hits}
	if in.Asked != nil {
		s.Asked = []string{in.Asked.Param}
	}
	return s
}

// add adds the values that the tagger finds for the params of an intent to r.
func (t *tagging) add(intent string, r *message.Result) {
	if t == nil || len(t.c.tags[intent]) == 0 {
		return
	}
	if !slices.IsSortedFunc(r.Params, byPlace) || t.c.worthwhile(t.in, intent, r.Params) {
		t.tag(intent, r)
	}
}

// tag runs the tagger on the message for the params of an intent.
func (t *tagging) tag(intent string, r *message.Result) {
	c, in := t.c, t.in
	if !t.ready {
		t.hits, t.ready = c.hits(in, r.Params, t.found), true
	}
	var values []message.Value
	for _, s := range c.tagger.Tag(sentence(in, c.tags[intent], t.hits), nil) {
		values = append(values, message.Value{
			Param: s.Tag, Start: s.Start, End: s.End, Source: "tagger", Confidence: min(taggedCap, c.tagger.Confidence(s)),
		})
	}
	values = slices.DeleteFunc(values, func(v message.Value) bool { return !c.trusted(in, intent, v) })
	for i, at := range byteSpans(in.Text, values) {
		v := &values[i]
		wide := whole(in.Text, at)
		v.Text = strings.TrimRight(in.Text[wide.start:wide.end], ",;:!?")
		v.Start -= utf8.RuneCountInString(in.Text[wide.start:at.start])
		v.End = v.Start + utf8.RuneCountInString(v.Text)
	}
	values = slices.DeleteFunc(values, func(v message.Value) bool { return v.Text == "" })
	for _, v := range values {
		c.arbitrate(in, intent, v, r)
	}
	for _, v := range values {
		c.admit(in, v, values, r)
	}
	slices.SortStableFunc(r.Params, byPlace)
}

// byPlace orders values by start, the longer first, then by param.
func byPlace(a, b message.Value) int {
	return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(b.End, a.End), cmp.Compare(a.Param, b.Param))
}

// trusted reports whether a span is sure enough for the effect that a wrong value would have in the
// intent.
func (c *Classifier) trusted(in classifier.Input, intent string, v message.Value) bool {
	if c.writes[intent] && (in.Asked == nil || in.Asked.Param != v.Param) {
		return v.Confidence >= sureTagged
	}
	return v.Confidence >= minTagged
}

// arbitrate leaves words that fit several params of one type to the param that the tagger chose,
// such as the return of two dates.
func (c *Classifier) arbitrate(in classifier.Input, intent string, v message.Value, r *message.Result) {
	if v.Confidence < firmTagged {
		return
	}
	at := slices.IndexFunc(r.Params, func(w message.Value) bool {
		return w.Param == v.Param && overlap(v, w) && !c.soft(w)
	})
	if at < 0 {
		return
	}
	own := r.Params[at]
	r.Params = slices.DeleteFunc(r.Params, func(w message.Value) bool {
		return w.Param != v.Param && overlap(own, w) && (w.Source == "builtin" || w.Source == "enum") &&
			!c.needed(in, w, r) &&
			slices.Contains(c.tags[intent], w.Param) && c.tagger.Spans(w.Param) >= enoughSpans
	})
}

// needed reports whether a value is the only one of the message for the param of the open question.
func (c *Classifier) needed(in classifier.Input, v message.Value, r *message.Result) bool {
	return in.Asked != nil && in.Asked.Param == v.Param && !slices.ContainsFunc(r.Params, func(w message.Value) bool {
		return w.Param == v.Param && !overlap(v, w) && !c.soft(w)
	})
}

// admit adds a span unless something surer gave its param a value.
func (c *Classifier) admit(in classifier.Input, v message.Value, all []message.Value, r *message.Result) {
	p := c.param[v.Param]
	if !c.mayTag(v.Param) || slices.ContainsFunc(r.Params, func(w message.Value) bool { return c.surer(w, v, p.List) }) {
		return
	}
	rival := slices.ContainsFunc(all, func(w message.Value) bool {
		return w.Param == v.Param && w.Start != v.Start && w.Confidence > v.Confidence
	})
	if rival && v.Confidence < firmTagged && !p.List {
		return
	}
	var ok bool
	if v.Value, ok = c.extract.Read(v.Param, v.Text, in.Now); !ok {
		return
	}
	cuts := c.cutsAnswer(in, v, all, r)
	r.Params = slices.DeleteFunc(r.Params, func(w message.Value) bool {
		return w.Param == v.Param && c.soft(w) && !cuts || v.Confidence >= firmTagged && c.partOf(w, v) && !c.needed(in, w, r)
	})
	r.Params = append(r.Params, v)
}

// surer reports whether a value that was found keeps a span from being added: it is of the same
// param, and the two overlap or the param takes one value. Overlapping values of the tagger were
// found for another intent that has the param too.
func (c *Classifier) surer(found, v message.Value, list bool) bool {
	if found.Param != v.Param {
		return false
	}
	if found.Source == "tagger" {
		return overlap(v, found)
	}
	return !c.soft(found) && (overlap(v, found) || !list)
}

// partOf reports whether a value is only a part of a longer one, such as the number in an address.
func (c *Classifier) partOf(w, v message.Value) bool {
	return w.Param != v.Param && (w.Source == "builtin" || w.Source == "enum") &&
		v.Start <= w.Start && w.End <= v.End && w.End-w.Start < v.End-v.Start
}

// doubt lowers the confidence of a whole reply as free text where the tagger has learned from many
// replies what an answer looks like, and sees none: it may be a remark or another wish.
func (c *Classifier) doubt(in classifier.Input, r *message.Result) {
	if in.Asked == nil || c.replies[in.Asked.Param] < manyReplies || slices.ContainsFunc(r.Params, func(v message.Value) bool { return v.Param == in.Asked.Param && v.Source != "text" }) {
		return
	}
	for i := range r.Params {
		if v := &r.Params[i]; v.Param == in.Asked.Param {
			v.Confidence = message.Doubtful
		}
	}
}

// soft reports whether a value is the whole reply, taken because nothing better was found.
func (c *Classifier) soft(v message.Value) bool {
	return v.Source == "text" || v.Source == "builtin" && c.extract.Open(v.Param)
}

func overlap(a, b message.Value) bool { return a.Start < b.End && b.Start < a.End }
