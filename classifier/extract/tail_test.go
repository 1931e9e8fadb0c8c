package extract

import (
	"fmt"
	"strings"
	"testing"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/config"
)

// club is an agent with two ids whose letters people leave out.
const club = `version: 1
agent: {id: club, language: en}
types:
  member: {patterns: ['M-\d{4}'], example: M-1002}
  locker: {patterns: ['(?i)\bL-\d{4}\b'], normalize: [upper], example: L-5502}
params:
  member: {type: member, label: member number, prompt: "Your member number?"}
  locker: {type: locker, label: locker, prompt: "Which locker?"}
intents:
  - id: open
    description: open a locker
    examples: [open my locker, I need my locker opened]
    params: {required: [member, locker]}
    plan: [{respond: done}]
responses: {done: Done.}
`

// TestTailsAreRead: where an id is asked for, or its label stands before them, its digits are
// enough; elsewhere they are not.
func TestTailsAreRead(t *testing.T) {
	agent, err := config.Parse("club.yaml", []byte(club), ".")
	if err != nil {
		t.Fatal(err)
	}
	x := New(agent, nil)
	for _, tc := range []struct{ asked, filled, text, want string }{
		{"member", "", "1002", "member=M-1002"},
		{"member", "", "ah ok 1002", "member=M-1002"},
		{"member", "", "it's 1002, thanks", "member=M-1002"},
		{"member", "", "one zero zero two", "member=M-1002"},
		{"member", "", "M-1002", "member=M-1002"},
		{"locker", "", "5502", "locker=L-5502"},
		{"locker", "", "l-5502", "locker=L-5502"},
		{"locker", "member", "5502", "locker=L-5502"},
		{"", "", "locker 5502", "locker=L-5502"},
		{"", "", "my member number is 1002", "member=M-1002"},
		{"", "member", "no, 1003", "member=M-1003"},
		{"member", "", "it's for locker 5502", "locker=L-5502"},

		{"", "", "1002", ""},
		{"member", "", "100", ""},
		{"member", "", "10023", ""},
		{"member", "", "I lost it in 2019 somewhere", ""},
		{"", "", "we paid 1002 for it", ""},
	} {
		in := classifier.Input{Text: tc.text, Now: now}
		if tc.asked != "" {
			in.Asked = &classifier.Asked{Param: tc.asked}
		}
		if tc.filled != "" {
			in.Filled, in.Params = []string{tc.filled}, map[string]any{tc.filled: "M-1002"}
		}
		var out []string
		for _, v := range x.Extract(in, nil) {
			out = append(out, fmt.Sprintf("%s=%v", v.Param, v.Value))
		}
		if got := strings.Join(out, " "); got != tc.want {
			t.Errorf("%q asked for %q: %q, want %q", tc.text, tc.asked, got, tc.want)
		}
	}
}
