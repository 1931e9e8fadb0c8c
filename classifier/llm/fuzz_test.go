package llm

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/message"
)

// FuzzAnswer gives any answer to any message. Whatever it is: the intent is one that was
// listed, the values stand where they say, and those of an enumeration are declared.
func FuzzAnswer(f *testing.F) {
	for _, answer := range []string{
		`{"intent":"send_back","params":[{"param":"parcel","value":"4410","text":"4410"}]}`,
		`{"intent":"none","params":[{"param":"reason","value":"wrong size","text":"fitted"}]}`,
		"```json\n{\"intent\":\"affirm\"}\n```",
		`{"intent":"move_parcel","params":[{"param":"address","value":"ℝ","text":"ℝ"},{"param":"colours","value":"red","text":"e"}]}`,
		`{"intent":1e9,"params":[{}]}`, `[[[[`, "",
	} {
		f.Add(answer, "it never fitted, K-4410")
		f.Add(answer, "ℝ 👩‍👧 e\u0301 4410 ’tis \xff\xfe İstanbul ẞ")
	}
	c := newClassifier(f, shop(), &script{}, nil)
	f.Fuzz(func(t *testing.T, text, typed string) {
		in := classifier.Input{Text: typed, Now: noon, Active: "send_back", Confirming: true, Asked: &classifier.Asked{Param: "reason"}}
		embedded := unsure()
		said, ok := parse(text)
		if !ok {
			return
		}
		r := (&reading{c: c, q: Question{Input: in, Embedded: embedded}, list: c.listing, names: plain{}}).read(said)
		if r.Tier == "llm" && r.Intent != embedded.Intent && !slices.Contains(c.listing.ids, r.Intent) {
			t.Errorf("intent %q", r.Intent)
		}
		if r.Intent == "affirm" || r.Intent == "deny" || r.Intent == "correct" {
			t.Errorf("%s while a yes is awaited", r.Intent)
		}
		runes := utf8.RuneCountInString(typed)
		places := message.PlacesOf(typed)
		for _, v := range r.Params {
			if v.Start < 0 || v.Start >= v.End || v.End > runes {
				t.Fatalf("%s at %d:%d of %d", v.Param, v.Start, v.End, runes)
			}
			if at := places.Between(v.Start, v.End); at != v.Text {
				t.Errorf("%s is %q at %d:%d, want %q", v.Param, at, v.Start, v.End, v.Text)
			}
			p := c.agent.Params[v.Param]
			if _, exists := enumerated(p.Type, asText(v.Value)); len(p.Type.Values) > 0 && !exists {
				t.Errorf("%s has the value %v, which is not declared", v.Param, v.Value)
			}
			if v.Param == "parcel" && !strings.HasPrefix(asText(v.Value), "K-") {
				t.Errorf("parcel %v", v.Value)
			}
		}
	})
}

func asText(v any) string {
	s, _ := v.(string)
	return s
}
