package extract

import (
	"testing"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/config"
)

// TestSamplesAreValues: what is shown as a value of a built-in type is taken as one.
func TestSamplesAreValues(t *testing.T) {
	x := New(agent(), nil)
	for _, kind := range config.BuiltinTypes {
		sample := (&config.Type{Builtin: kind}).Looks()
		if kind == "text" {
			continue
		}
		in := classifier.Input{Text: sample, Now: now, Asked: &classifier.Asked{Param: kind}}
		if heard(x, &in, kind) == "" {
			t.Errorf("%q is no %s", sample, kind)
		}
	}
}
