package extract

import (
	"slices"
	"strings"
	"testing"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/message"
)

// A length behind which a day stands is no range of that day alone.
func TestLengthFromADay(t *testing.T) {
	in := classifier.Input{Text: "a week from 3 May 2027", Now: now, Asked: &classifier.Asked{Param: "daterange"}}
	if got := New(rangeAgent("daterange"), nil).Extract(in, nil); len(got) > 0 {
		t.Errorf("%v", got)
	}
}

// One end of a range that is known is corrected, and the other one stays.
func TestChangedEnds(t *testing.T) {
	for _, tc := range []struct{ kind, known, text, want string }{
		{"daterange", "2027-06-03/2027-06-05", "let us stay until the 8th instead", "2027-06-03/2027-06-08"},
		{"daterange", "2027-05-03/2027-05-10", "sorry, I start on the 4th", "2027-05-04/2027-05-10"},
		{"daterange", "2027-05-03/2027-05-10", "no, I'm back on the 12th", "2027-05-03/2027-05-12"},
		{"daterange", "2027-05-03/2027-05-10", "from 5 May", "2027-05-05/2027-05-10"},
		{"daterange", "2027-05-03/2027-05-10", "until 2 June 2027", "2027-05-03/2027-06-02"},
		{"daterange", "2027-05-03/2027-05-10", "by friday", "2027-05-03/2027-05-07"},
		{"daterange", "2027-05-03/2027-05-10", "from 12 to 14 May 2027", "2027-05-12/2027-05-14"},
		{"daterange", "2027-05-03/2027-05-10", "until 1 May 2027", "wrong"},
		{"daterange", "2027-05-03/2027-05-10", "5 May suits me", ""},
		{"timerange", "T14:00/T16:00", "until 5 pm instead", "T14:00/T17:00"},
		{"timerange", "T14:00/T16:00", "from 3 pm", "T15:00/T16:00"},
		{"datetimerange", "2027-05-03T14:00:00/2027-05-03T16:00:00", "until 5 pm", "2027-05-03T14:00:00/2027-05-03T17:00:00"},
	} {
		x := New(rangeAgent(tc.kind), nil)
		in := classifier.Input{Text: tc.text, Now: now, Filled: []string{tc.kind}, Params: map[string]any{tc.kind: tc.known}}
		values, wrong := x.ExtractAll(in, nil)
		var got strings.Builder
		for _, v := range values {
			got.WriteString(v.Value.(string))
		}
		if len(wrong) > 0 {
			got.WriteString("wrong")
		}
		if got.String() != tc.want {
			t.Errorf("%s of %s: %q, want %q", tc.text, tc.known, got.String(), tc.want)
		}
	}
}

// TestOrderOfARange reads a range whose figures are read again in the order of its other end, before
// more words: what was read in the first order is forgotten.
func TestOrderOfARange(t *testing.T) {
	text := "1.12.-15.12. and the number is M-5210, sorry, not 5120"
	got := New(rangeAgent("daterange", "date", "number"), nil).Extract(classifier.Input{Text: text, Now: now}, nil)
	if !slices.ContainsFunc(got, func(v message.Value) bool { return v.Value == 5120.0 }) {
		t.Errorf("no number in %v", got)
	}
}
