package extract

import (
	"testing"

	"github.com/slotway/slotway/config"
)

// TestDictated: an e-mail address or a telephone number that is asked for may be said aloud.
func TestDictated(t *testing.T) {
	a := &config.Agent{Params: map[string]*config.Param{}}
	for _, kind := range []string{"email", "phone", "text"} {
		a.Params[kind] = &config.Param{Name: kind, Type: &config.Type{Name: kind, Builtin: kind}}
	}
	checkHeard(t, New(a, nil), []heardCase{
		{"email", "rosa at example dot com", "email", "rosa@example.com"},
		{"email", "it's rosa dot lee at mail dot example dot org, thanks", "email", "rosa.lee@mail.example.org"},
		{"email", "my email is rosa underscore lee at example dot co dot uk", "email", "rosa_lee@example.co.uk"},
		{"email", "rosa (at) example (dot) com", "email", "rosa@example.com"},
		{"email", "rosa [at] example.com", "email", "rosa@example.com"},
		{"email", "rosa at example.com", "email", "rosa@example.com"},
		{"email", "rosa@example dot com", "email", "rosa@example.com"},
		{"email", "rosa @ example . com", "email", "rosa@example.com"},
		{"email", "Rosa dash 22 at Ex-ample dot com please", "email", "Rosa-22@ex-ample.com"},
		{"email", "rosa 22 at example dot com", "email", "rosa22@example.com"},
		{"email", "r o s a at g m x dot de", "email", "rosa@gmx.de"},
		{"email", "sorry, that was wrong, it's rosa at example dot com", "email", "rosa@example.com"},
		{"email", "rosa@example.com", "email", "rosa@example.com"},

		{"", "rosa at example dot com", "email", ""},
		{"text", "rosa at example dot com", "email", ""},
		{"email", "I am at work", "email", ""},
		{"email", "i am at work. sorry", "email", ""},
		{"email", "meet me at noon. thanks", "email", ""},
		{"email", "rosa at example", "email", ""},
		{"email", "rosa maria lee at example dot com", "email", ""},
		{"email", "rosa at example dot com or lee at example dot com", "email", ""},
		{"email", "look at it. it is broken", "email", ""},
		{"email", "what is that at the end dot com", "email", ""},
		{"email", "at dot com", "email", ""},

		{"phone", "five four one, seven five four, three oh one oh", "phone", "+15417543010"},
		{"phone", "it's five four one seven five four three zero one zero thanks", "phone", "+15417543010"},
		{"phone", "plus four five three two one two three four five six", "phone", "+4532123456"},
		{"phone", "five double four one seven five four three oh one", "phone", "5441754301"},
		{"", "five four one seven five four three zero one zero", "phone", ""},
		{"phone", "one moment", "phone", ""},
		{"phone", "two or three", "phone", ""},
		{"phone", "call me at five", "phone", ""},
		{"phone", "five four one", "phone", ""},
	})
}
