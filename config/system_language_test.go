package config

import (
	"maps"
	"slices"
	"testing"

	"github.com/slotway/slotway/config/language"
)

// Every language of the house has all built-in responses and examples of all built-in intents,
// and an agent in it hears of nothing that stays English but what no folder has.
func TestSystemLanguages(t *testing.T) {
	for _, tag := range []string{"de", "es", "fr"} {
		own := systemOf(tag)
		if own == nil {
			t.Errorf("%s has no %s", tag, systemTable)
			continue
		}
		a, problems := parseAgent(tag+".yaml", []byte("agent:\n  id: demo\n  language: "+tag+"-ZZ\nintents:\n  - id: hours\n    examples: [eins, zwei]\n    plan:\n      - respond: hours\nresponses:\n  hours: ok\n"), "")
		if a == nil {
			t.Fatal(problems)
		}
		for _, id := range slices.Sorted(maps.Keys(systemResponses)) {
			if !own.Get("responses").Has(id) {
				t.Errorf("%s: response %s is missing", tag, id)
			}
		}
		for id, r := range a.BuiltIn {
			for _, v := range r.Variants {
				for _, name := range v.Names() {
					if !slices.Contains(systemResponses[id], name) && !slices.Contains(factNames, name) {
						t.Errorf("%s: nothing fills {%s} of %s", tag, name, id)
					}
				}
			}
		}
		for _, id := range SystemIntents {
			if n := len(own.Get("system").Get(id).Get("examples").Items()); n < 6 {
				t.Errorf("%s: %s has %d examples", tag, id, n)
			}
		}
		if own, english := a.SystemResponse("greet").Variants[0].Source, systemFile().Get("responses").Get("greet").Text(); own == english {
			t.Errorf("%s greets in English: %s", tag, own)
		}
		for _, p := range problems {
			if p.Path == "agent.language" && language.Has(tag, "values.txt") {
				t.Error(p)
			}
		}
		for _, e := range a.Intent("affirm").Examples {
			if e.Text == "yes please" {
				t.Errorf("%s: yes is English", tag)
			}
		}
	}
}
