package extract

import (
	"fmt"
	"strings"
	"testing"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
)

// counter is an agent with one param of a built-in type.
func counter(kind, label string) *Extractor {
	return New(&config.Agent{Params: map[string]*config.Param{"value": {Name: "value", Label: label, Type: &config.Type{Name: kind, Builtin: kind}}}}, nil)
}

// TestWholeReadings: what leaves a sign, a fraction or a unit unread is no reading, and one that takes
// all of it is the value that was said.
func TestWholeReadings(t *testing.T) {
	for _, tc := range []struct{ kind, text, want string }{
		{"number", "3½", "3.5"},
		{"number", "3 3/4", "3.75"},
		{"number", "4⅓", "4.333333333333333"},
		{"number", "12²", ""},
		{"number", "8⁶", ""},
		{"number", "2,25", "2.25"},
		{"number", "2,250", "2250"},
		{"number", "it is 0,75 litres", "0.75"},
		{"number", "seven point oh four", "7.04"},
		{"number", "half a litre", "0.5"},
		{"number", "half a bucket please", "0.5"},
		{"number", "nought point three", "0.3"},
		{"number", "+6", "6"},
		{"number", "6-8", ""},
		{"number", "6 to 8", "6 8"},
		{"ordinal", "the 4th one please", "4"},
		{"money", "75p", "0.75 GBP"},
		{"money", "forty quid", "40.00 GBP"},
		{"money", "$3½", "3.50 USD"},
		{"money", "€14,20", "14.20 EUR"},
		{"money", "a buck twenty", "1.20 USD"},
		{"money", "two fivers", "10.00 USD"},
		{"money", "3 pounds 20", "3.20 GBP"},
		{"money", "1.500 euros", ""},
		{"money", "1,500 euros", "1500.00 EUR"},
		{"money", "$30-40", ""},
		{"money", "30 or 40 pounds", "30.00 GBP 40.00 GBP"},
		{"money", "between 30 and 40 pounds", "30.00 GBP 40.00 GBP"},
		{"money", "20.- francs", "20.00 CHF"},
		{"percentage", "4 or 5 percent", "4 5"},
		{"percentage", "1,5 %", "1.5"},
	} {
		in := classifier.Input{Text: tc.text, Now: now, Asked: &classifier.Asked{Param: "value"}}
		if got := heard(counter(tc.kind, ""), &in, "value"); got != tc.want {
			t.Errorf("%s, %q: %q, want %q", tc.kind, tc.text, got, tc.want)
		}
	}
}

// TestTurnedRound: a number behind a word that turns it round is no plain value, asked for or not, and
// an end of a range is none where the number itself is asked for.
func TestTurnedRound(t *testing.T) {
	for _, tc := range []struct{ kind, text string }{
		{"money", "all but 30 dollars"},
		{"money", "everything except 15 euros"},
		{"money", "less 15 euros"},
		{"number", "all except 4"},
		{"number", "anything but 4"},
		{"integer", "everyone except 12"},
		{"ordinal", "all but the fourth"},
		{"percentage", "anything but 5%"},
	} {
		x := counter(tc.kind, "")
		for _, asked := range []*classifier.Asked{nil, {Param: "value"}} {
			values, wrong := x.ExtractAll(classifier.Input{Text: tc.text, Now: now, Asked: asked}, nil)
			if len(values) > 0 || len(wrong) != 1 || wrong[0].Wrong != message.WrongAmount {
				t.Errorf("%s, %q: %v, refused %v", tc.kind, tc.text, values, wrong)
			}
		}
	}
	for _, tc := range []struct{ label, text, want string }{
		{"", "no more than 30", ""},
		{"", "at most 30", ""},
		{"", "why not 30", "30"},
		{"the maximum", "no more than 30", "30"},
		{"budget limit", "at most 30", "30"},
	} {
		in := classifier.Input{Text: tc.text, Now: now, Asked: &classifier.Asked{Param: "value"}}
		if got := heard(counter("number", tc.label), &in, "value"); got != tc.want {
			t.Errorf("%q for %q: %q, want %q", tc.text, tc.label, got, tc.want)
		}
	}
}

// TestOpenTimes: a time that is only an end of what is meant is a range, and no time.
func TestOpenTimes(t *testing.T) {
	x := New(rangeAgent("time", "datetime", "timerange"), nil)
	for _, tc := range []struct{ text, asked, want string }{
		{"not before 4", "time", "[amount]"},
		{"no earlier than 4 pm", "time", "[amount]"},
		{"4pm or later", "time", "[amount]"},
		{"after 4 pm please", "time", "[amount]"},
		{"tomorrow, but not before 4 pm", "datetime", "[half]"},
		{"half an hour before 4 pm", "", ""},
		{"ten minutes before 4 pm", "time", "15:50"},
		{"no earlier than 4 pm", "timerange", "T16:00/.."},
		{"by 4 pm", "time", "16:00"},
	} {
		in := classifier.Input{Text: tc.text, Now: now, Asked: &classifier.Asked{Param: tc.asked}}
		values, wrong := x.ExtractAll(in, nil)
		var got []string
		for _, v := range values {
			if v.Param == tc.asked {
				got = append(got, fmt.Sprint(v.Value))
			}
		}
		for _, v := range wrong {
			if v.Param == tc.asked {
				got = append(got, "["+v.Wrong+"]")
			}
		}
		if have := strings.Join(got, " "); have != tc.want {
			t.Errorf("%q asked for %s: %q, want %q", tc.text, tc.asked, have, tc.want)
		}
	}
	in := classifier.Input{Text: "Saturday, back on Tuesday", Now: now, Asked: &classifier.Asked{Param: "daterange"}}
	values := New(rangeAgent("daterange"), nil).Extract(in, nil)
	if len(values) != 1 || values[0].Value != "2026-11-21/2026-11-24" {
		t.Errorf("a way there and back: %v", values)
	}
}
