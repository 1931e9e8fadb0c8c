package extract

import (
	"testing"

	"github.com/slotway/slotway/config"
)

// TestFullNames: a person that nobody asked for is found by a full name where one may stand, and
// what only looks like one is none.
func TestFullNames(t *testing.T) {
	a := &config.Agent{Params: map[string]*config.Param{}}
	for name, kind := range map[string]string{"child": "person", "day": "date"} {
		a.Params[name] = &config.Param{Name: name, Label: name, Type: &config.Type{Name: name, Builtin: kind}}
	}
	checkHeard(t, New(a, nil), []heardCase{
		{"", "a seat for Omar Haddad on friday", "child", "Omar Haddad"},
		{"", "Ben Hart is ill", "child", "Ben Hart"},
		{"", "Ida Holm, she is ill", "child", "Ida Holm"},
		{"child", "it's about Leo Martin", "child", "Leo Martin"},
		{"child", "put it under Nowak, Petra Nowak", "child", "Petra Nowak"},

		{"", "Remind Omar Haddad please", "child", ""}, // three words: the first may be a verb
		{"", "meet me at Market Square", "child", ""},
		{"", "a pitch in Hyde Park", "child", ""},
		{"", "GO AHEAD", "child", ""},
		{"", "for MARCH MADNESS please do", "child", ""},
		{"child", "starting tomorrow", "child", ""},
	})
}
