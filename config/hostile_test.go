package config

import (
	"testing"
)

func FuzzParse(f *testing.F) {
	f.Add([]byte(deskAgent))
	f.Add(DefaultSource())
	f.Add([]byte("intents:\n  - id: a\n    params: {one_of: [[{name: b}]], optional: [b, 3]}\n    plan:\n      - {when: x, then: [{call: y, on_error: {z: {forget: [q]}}}]}\n"))
	f.Add([]byte("intents: 3\ntools: {a: {kind: sql}, b: []}\nparams: {a: {reprompt: [1, x], default: {}}}\nsystem: {human: 3, x: {}}\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		a, problems := parseAgent("f", data, "")
		for _, p := range problems {
			if p.Pos.Line < 1 || p.Hint == "" {
				t.Errorf("a problem without place or remedy: %+v", p)
			}
		}
		if problems.Err() == nil && (a == nil || len(a.Intents) == 0) {
			t.Error("no agent and no problem")
		}
	})
}
