package extract

import (
	"fmt"
	"strings"
	"testing"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/config"
)

// siblingAgent has several params of one type for each of its types.
func siblingAgent() *config.Agent {
	a := &config.Agent{Params: map[string]*config.Param{}}
	for builtin, names := range map[string]string{
		"integer": "number_of_beds number_of_baths",
		"number":  "rating",
	} {
		t := &config.Type{Name: builtin, Builtin: builtin}
		for name := range strings.FieldsSeq(names) {
			a.Params[name] = &config.Param{Name: name, Type: t}
		}
	}
	return a
}

func TestOwnersOfNumbers(t *testing.T) {
	x := New(siblingAgent(), nil)
	for _, tc := range []struct{ asked, text, want string }{
		{"number_of_beds", "3 bedrooms and 2 baths", "number_of_beds=3 number_of_baths=2"},
		{"", "two bathrooms", "number_of_baths=2"},
		{"", "rated at least 4, 2 beds", "rating=4 number_of_beds=2"},
		{"", "a rating of 4 and 2 beds", "rating=4 number_of_beds=2"},
		{"", "3 beds for 4", "number_of_beds=3 number_of_baths=4 number_of_beds=4 rating=4"},
		{"", "a bed for 4", "number_of_baths=4 number_of_beds=4 rating=4"},
		{"number_of_beds", "4 with a rating of 3", "number_of_baths=4 number_of_beds=4 rating=4 rating=3"},
	} {
		in := classifier.Input{Text: tc.text, Now: now}
		if tc.asked != "" {
			in.Asked = &classifier.Asked{Param: tc.asked}
		}
		var got []string
		for _, v := range x.Extract(in, nil) {
			got = append(got, fmt.Sprintf("%s=%v", v.Param, v.Value))
		}
		if have := strings.Join(got, " "); have != tc.want {
			t.Errorf("Extract(%q, asked %q)\n got %s\nwant %s", tc.text, tc.asked, have, tc.want)
		}
	}
}
