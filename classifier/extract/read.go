package extract

import (
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/extract/internal/scan"
)

// Read gives the value of a param that text spells, which something else found: the
// nearest of an enumeration, a number in words, a day counted from now. What may be any
// text is taken as it is. ok is false when text is no value of the param, or holds two.
func (x *Extractor) Read(param, text string, now time.Time) (value any, ok bool) {
	text = strings.TrimSpace(text)
	if text == "" {
		return nil, false
	}
	for _, r := range x.params[param] {
		switch {
		case r.enum != nil:
			return r.enum.Nearest(scan.New(text, "", nil))
		case r.Open():
			return text, true
		}
	}
	for _, v := range x.Extract(classifier.Input{Text: text, Now: now, Asked: &classifier.Asked{Param: param}}, nil) {
		if v.Param != param {
			continue
		}
		if ok && !reflect.DeepEqual(value, v.Value) {
			return nil, false
		}
		value, ok = v.Value, true
	}
	return value, ok
}

// Open reports whether a param's values may be any text: free text, people and places
// that no pattern describes.
func (x *Extractor) Open(param string) bool {
	return slices.ContainsFunc(x.params[param], (*recogniser).Open)
}

// Open reports whether the values of the type may be any text.
func (r *recogniser) Open() bool {
	switch r.Builtin {
	case "text", "person", "location":
		return len(r.Patterns) == 0
	}
	return false
}
