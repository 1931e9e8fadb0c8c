package extract

import (
	"fmt"
	"slices"
	"testing"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/reference"
	"github.com/slotway/slotway/internal/test/referencetest"
)

// Every built-in type is explained, and every example is recognised as it says.
func TestReference(t *testing.T) {
	texts := reference.MustTexts("classifier/extract/types.yaml", typesYAML)
	for _, problem := range referencetest.Lacking(texts, Reference(), "types.") {
		t.Error(problem)
	}
	if !slices.Equal(texts.Keys(), config.BuiltinTypes) {
		t.Errorf("explained are %v, built in are %v", texts.Keys(), config.BuiltinTypes)
	}
	for _, e := range Reference().Entries {
		kind := e.Last()
		a := &config.Agent{Params: map[string]*config.Param{"asked": {Name: "asked", Type: &config.Type{Name: kind, Builtin: kind}}}}
		x := New(a, nil)
		for _, g := range e.Gives {
			got := "nothing"
			for _, v := range x.Extract(classifier.Input{Text: g.Text, Now: now, Asked: &classifier.Asked{Param: "asked"}}, nil) {
				got = fmt.Sprint(v.Value)
			}
			if got != g.Is {
				t.Errorf("%s: %q gives %s, not %s", kind, g.Text, got, g.Is)
			}
		}
	}
}
