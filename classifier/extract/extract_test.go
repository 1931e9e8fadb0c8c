package extract

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
)

// now is a Wednesday afternoon.
var now = time.Date(2026, 11, 18, 14, 30, 0, 0, time.UTC)

// show renders finds as kind=value.
func show(text string) string {
	var out []string
	for _, e := range Recognize(text, now, nil) {
		out = append(out, fmt.Sprintf("%s=%v", e.Kind, e.Value))
	}
	return strings.Join(out, " ")
}

func TestRecognize(t *testing.T) {
	for _, tc := range []struct{ text, want string }{
		{"today", "date=2026-11-18"},
		{"tomorrow please", "date=2026-11-19"},
		{"the day after tomorrow", "date=2026-11-20"},
		{"yesterday", "date=2026-11-17"},
		{"on friday", "date=2026-11-20"},
		{"next friday", "date=2026-11-27"},
		{"this friday", "date=2026-11-20"},
		{"last monday", "date=2026-11-09"},
		{"wednesday", "date=2026-11-25"},
		{"friday next week", "date=2026-11-27"},
		{"on Sat", "date=2026-11-21"},
		{"in 3 days", "date=2026-11-21"},
		{"in two weeks", "date=2026-12-02"},
		{"a week from now", "date=2026-11-25"},
		{"3 days ago", "date=2026-11-15"},
		{"Nov 21", "date=2026-11-21"},
		{"november 21st, 2027", "date=2027-11-21"},
		{"21st of November", "date=2026-11-21"},
		{"the 2nd of May", "date=2027-05-02"},
		{"21 Nov 2026", "date=2026-11-21"},
		{"on may 5", "date=2027-05-05"},
		{"11/21/2026", "date=2026-11-21"},
		{"21/11/2026", "date=2026-11-21"},
		{"2026-11-21", "date=2026-11-21"},
		{"21.11.2026", "date=2026-11-21"},
		{"on 12/5", "date=2026-12-05"},
		{"friday, November 20", "date=2026-11-20"},
		{"by the 21st", "daterange=../2026-11-21"},
		{"is it open today?", "date=2026-11-18"},
		{"ship it tomorrow.", "date=2026-11-19"},
		{"a viewing for the 24th for me", "date=2026-11-24"},
		{"from the 20th to the 22nd of this month", "daterange=2026-11-20/2026-11-22"},
		{"on 21st of this month", "date=2026-11-21"},
		{"the third of next month", "date=2026-12-03"},
		{"a table on the 21st if there is any", "date=2026-11-21"},
		{"until the 25th. Thanks", "daterange=../2026-11-25"},
		{"christmas eve", "date=2026-12-24"},
		{"the day after christmas", "date=2026-12-26"},
		{"3pm", "time=15:00"},
		{"3:30 pm", "time=15:30"},
		{"at 15:45", "time=15:45"},
		{"half past two", "time=14:30"},
		{"quarter to five", "time=16:45"},
		{"at 5", "time=17:00"},
		{"at 9", "time=09:00"},
		{"9 o'clock", "time=09:00"},
		{"noon", "time=12:00"},
		{"7 in the evening", "time=19:00"},
		{"5 in the morning", "time=05:00"},
		{"12 a.m.", "time=00:00"},
		{"tomorrow at 5", "datetime=2026-11-19T17:00:00"},
		{"tomorrow at 5 am", "datetime=2026-11-19T05:00:00"},
		{"3pm on friday", "datetime=2026-11-20T15:00:00"},
		{"2026-11-21T15:04", "datetime=2026-11-21T15:04:00"},
		{"tonight at 8", "datetime=2026-11-18T20:00:00"},
		{"in 2 hours", "datetime=2026-11-18T16:30:00"},
		{"for 2 hours", "duration=PT2H"},
		{"half an hour", "duration=PT30M"},
		{"2 hours and 30 minutes", "duration=PT2H30M"},
		{"three weeks", "duration=P3W"},
		{"an hour and a half", "duration=PT1.5H"},
		{"42", "number=42"},
		{"a table for one", "number=1"},
		{"for one is fine", "number=1"},
		{"just one.", "number=1"},
		{"one ticket", "number=1"},
		{"1,234.5", "number=1234.5"},
		{"-3", "number=-3"},
		{"twenty-one", "number=21"},
		{"one hundred and five", "number=105"},
		{"two and a half", "number=2.5"},
		{"twenty and three fifths", "number=20.6"},
		{"two and a quarter", "number=2.25"},
		{"one and three quarters", "number=1.75"},
		{"10k", "number=10000"},
		{"2 million", "number=2e+06"},
		{"the third", "ordinal=3"},
		{"22nd", "ordinal=22"},
		{"20%", "percentage=20"},
		{"twenty percent", "percentage=20"},
		{"$12.50", "money=12.50 USD"},
		{"12 euros", "money=12.00 EUR"},
		{"EUR 20", "money=20.00 EUR"},
		{"50 cents", "money=0.50 USD"},
		{"£5", "money=5.00 GBP"},
		{"jo.doe+x@Example.com", "email=jo.doe+x@example.com"},
		{"see https://example.com/a?b=1.", "url=https://example.com/a?b=1"},
		{"541-754-3010", "phone=+15417543010"},
		{"(+45) 32 12 34 56", "phone=+4532123456"},
		{"541-754-3010 X 12", "phone=+15417543010;ext=12"},
		{"+44 20 7946 0958", "phone=+442079460958"},
		{"jo2@example.com, 3 of them tomorrow", "email=jo2@example.com number=3 date=2026-11-19"},
	} {
		if got := show(tc.text); got != tc.want {
			t.Errorf("Recognize(%q) = %q, want %q", tc.text, got, tc.want)
		}
	}
}

// TestNothingThere holds messages in which a careless recogniser finds something.
func TestNothingThere(t *testing.T) {
	for _, text := range []string{
		"may I ask a question", "it may be late", "she sat on it", "the sun is out", "march on", "we wed in style",
		"I want a second opinion", "one moment", "just a second", "wait a minute", "give me a sec", "no one called",
		"that one", "the right one", "this is the one I want", "one of them", "at first I was afraid", "first class service",
		"second hand", "O-12345", "W2378156", "order-9x", "abc123", "v1.2.3", "A4 paper", "at all", "at last", "at home",
		"the mon calamari", "decent", "augustus", "a real deal", "half of it", "per se",
		"today's special", "fri3nd", "x@y", "http", "#hashtag", "u2", "mp3",
		"find me one", "I'd like to book one.", "a cheaper one, please", "the blue one", "that's all for today", "that is all today",
		"for one moment", "just one second", "I need one",
	} {
		if got := show(text); got != "" {
			t.Errorf("Recognize(%q) = %q, want nothing", text, got)
		}
	}
	for _, text := range []string{
		"order 12345", "room 2045", "may 5 people come", "there are two to four people", "3/4 of them", "in 2045 units", "6.45 percent", "10 stars",
		"I want the 2nd", "to the 21st floor", "for the 3rd time", "on the 5th attempt", "the 22nd customer", "the second of them", "today's special",
	} {
		for _, e := range Recognize(text, now, nil) {
			if strings.Contains("date time datetime", e.Kind) {
				t.Errorf("Recognize(%q) finds a %s", text, e.Kind)
			}
		}
	}
}

func agent() *config.Agent {
	a := &config.Agent{Params: map[string]*config.Param{}}
	for _, name := range config.BuiltinTypes {
		a.Params[name] = &config.Param{Name: name, Type: &config.Type{Name: name, Builtin: name}}
	}
	a.Params["other_email"] = &config.Param{Name: "other_email", Type: a.Params["email"].Type}
	a.Params["order_id"] = &config.Param{Name: "order_id", Type: &config.Type{
		Name: "order_id", Patterns: []*regexp.Regexp{regexp.MustCompile(`\bO-(\d{4,10})\b`)}, Bare: regexp.MustCompile(`\d{4,10}`),
		Normalize: []config.Normalizer{{Op: "digits"}, {Op: "prefix", Arg: "O-"}},
	}}
	a.Params["colour"] = &config.Param{Name: "colour", Type: &config.Type{Name: "colour", Fuzzy: 1, Values: []config.EnumValue{
		{Value: "red"}, {Value: "dark red", Synonyms: []string{"crimson"}}, {Value: "turquoise", Synonyms: []string{"blue-green"}},
	}}}
	return a
}

func TestExtract(t *testing.T) {
	x := New(agent(), nil)
	for _, tc := range []struct{ asked, text, want string }{
		{"", "O-12345", "order_id=O-12345@pattern[2:7]"},
		{"order_id", "it's 12345 thanks", "order_id=O-12345@bare[5:10] zip=12345@builtin[5:10]"},
		{"", "é jo@example.com", "email=jo@example.com@builtin[2:16] other_email=jo@example.com@builtin[2:16]"},
		{"", "a crimson hat", "colour=dark red@enum[2:9]"},
		{"", "dark red, not red", "colour=dark red@enum[0:8] colour=red@enum[14:17]"},
		{"", "turqoise", "colour=turquoise@enum[0:8]"},
		{"", "Blue Green", "colour=turquoise@enum[0:10]"},
		{"", "read it", ""},
		{"", "tomorrow at 5pm", "datetime=2026-11-19T17:00:00@builtin[0:15] date=2026-11-19@builtin[0:8] time=17:00@builtin[12:15]"},
		{"", "zip code 02139", "zip=02139@builtin[9:14]"},
		{"boolean", "yeah, why not", "boolean=true@builtin[0:4]"},
		{"boolean", "no", "boolean=false@builtin[0:2]"},
		{"boolean", "where is my order", ""},
		{"boolean", "no problem", ""},
		{"person", "I'm Anna de Vries", "person=Anna de Vries@builtin[4:17]"},
		{"person", "what do you need my name for", ""},
		{"location", "from São Paulo", "location=São Paulo@builtin[5:14]"},
		{"text", "Please leave it at the back door, thanks!", "text=leave it at the back door@text[7:32]"},
		{"text", "my dog is sick", "text=my dog is sick@text[0:14]"},
		{"percentage", "20", "integer=20@builtin[0:2] number=20@builtin[0:2] percentage=20@builtin[0:2]"},
		{"number", "$20", "money=20.00 USD@builtin[0:3] number=20@builtin[1:3]"},
		{"number", "12345", "integer=12345@builtin[0:5] number=12345@builtin[0:5] zip=12345@builtin[0:5]"},
		{"date", "the 21st", "date=2026-11-21@builtin[0:8]"},
		{"time", "5", "datetime=2026-11-18T17:00:00@builtin[0:1] time=17:00@builtin[0:1]"},
		{"", "", ""},
	} {
		in := classifier.Input{Text: tc.text, Now: now}
		if tc.asked != "" {
			in.Asked = &classifier.Asked{Param: tc.asked}
		}
		var got []string
		for _, v := range x.Extract(in, nil) {
			got = append(got, fmt.Sprintf("%s=%v@%s[%d:%d]", v.Param, v.Value, v.Source, v.Start, v.End))
		}
		want := strings.Split(tc.want, " ")
		if have := strings.Join(got, " "); !slices.Equal(sorted(have), sorted(strings.Join(want, " "))) {
			t.Errorf("Extract(%q, asked %q)\n got %s\nwant %s", tc.text, tc.asked, have, tc.want)
		}
	}
}

func TestYesOrNoEnumeration(t *testing.T) {
	a := &config.Agent{Params: map[string]*config.Param{
		"furnished": {Name: "furnished", Type: &config.Type{Name: "furnished", Fuzzy: 1, Values: []config.EnumValue{
			{Value: "True", Synonyms: []string{"furnished", "yes", "sure"}}, {Value: "False", Synonyms: []string{"unfurnished", "no"}},
		}}},
		"note": {Name: "note", Type: &config.Type{Name: "text", Builtin: "text"}},
	}}
	x := New(a, nil)
	for _, tc := range []struct {
		asked, text string
		want        any
	}{
		{"", "yes", nil},
		{"", "sure, go ahead", nil},
		{"", "no, book it", nil},
		{"note", "no", nil},
		{"", "a furnished flat", "True"},
		{"", "an unfurnished one", "False"},
		{"furnished", "yes", "True"},
		{"furnished", "sure", "True"},
		{"furnished", "yeah, that's fine", "True"},
		{"furnished", "that works", "True"},
		{"furnished", "I don't mind", "True"},
		{"furnished", "I don't need it", "False"},
		{"furnished", "nope", "False"},
		{"furnished", "where is it", nil},
	} {
		in := classifier.Input{Text: tc.text, Now: now}
		if tc.asked != "" {
			in.Asked = &classifier.Asked{Param: tc.asked}
		}
		var got any
		for _, v := range x.Extract(in, nil) {
			if v.Param == "furnished" {
				got = v.Value
			}
		}
		if got != tc.want {
			t.Errorf("Extract(%q, asked %q): furnished is %v, want %v", tc.text, tc.asked, got, tc.want)
		}
	}
}

func sorted(s string) []string {
	f := strings.Fields(s)
	slices.Sort(f)
	return f
}

// checkValues fails unless every candidate is a span of the text at the borders of code
// points.
func checkValues(tb interface{ Fatalf(string, ...any) }, text string, values []message.Value) {
	at := runeOffsets(text)
	last := 0
	for _, v := range values {
		if v.Start < last || v.Start >= v.End || v.End >= len(at) || v.Param == "" || v.Source == "" {
			tb.Fatalf("bad candidate %+v in %q", v, text)
		}
		last = v.Start
		if got := text[at[v.Start]:at[v.End]]; got != v.Text {
			tb.Fatalf("span [%d:%d] of %q is %q, not %q", v.Start, v.End, text, got, v.Text)
		}
	}
}

// checkEntities is the same for recognised spans, which do not overlap either.
func checkEntities(tb interface{ Fatalf(string, ...any) }, text string, found []Entity) {
	at := runeOffsets(text)
	last := 0
	for _, e := range found {
		if e.Start < last || e.Start >= e.End || e.End >= len(at) || text[at[e.Start]:at[e.End]] != e.Text {
			tb.Fatalf("bad or overlapping span %+v in %q", e, text)
		}
		last = e.End
	}
}

// runeOffsets lists the byte where each code point starts, and the end.
func runeOffsets(text string) []int {
	var at []int
	for i := range text {
		at = append(at, i)
	}
	return append(at, len(text))
}

func FuzzExtract(f *testing.F) {
	names := append([]string{"order_id", "colour", "delivery", "defect"}, config.BuiltinTypes...)
	for _, seed := range []string{"O-12345", "tomorrow at 5pm, jo@example.com", "$1,234.5 and 20%", "half past two", "the 31st of feb", "’’'", "\xff1\xfe", "9999999999999999999", "in 99999 years", "a a a and a half", "+1 (541) 754-3010 x12", "é́5pm", "1:2:3:4", "24:00", "0/0/0", "- 1 4/5", "1.1^--23", "one one hundred and fifths", "\"a b\"@x.org j@[::1]", "http://[::1]:80/(a)", "(+45) 12 34 56 78 x9", "12 €  5 $ 30 cent", "my name is Ada’s", "مرحبا 12 شكرا a@b.cd", "👍🏽👌", "１２３", "40\u202f000 ½", "a hundred million billion trillion thousandths", "ord # o two zero oh 7\u200b5", "INC 10 - 42 case 1042 2 days ago", "rosa (at) example dot com", "double double five", "me, my wife with our two kids", "monday the 25th of november before that", "the second one and number 3", "12 Elm, Bath 73301"} {
		for i := range names {
			f.Add(seed, i)
		}
	}
	x := New(everything(), nil)
	f.Fuzz(func(t *testing.T, text string, asked int) {
		if len(text) > 2000 {
			return
		}
		in := classifier.Input{Text: text, Now: now}
		if asked >= 0 && asked < len(names) {
			in.Asked = &classifier.Asked{Param: names[asked]}
			if asked%2 == 0 {
				in.Asked.Options = []classifier.Option{{Value: 1.0, Label: "one " + text}, {Value: "b", Label: "B"}}
			}
		}
		checkValues(t, text, x.Extract(in, nil))
		checkEntities(t, text, Recognize(text, now, nil))
		for _, kind := range config.BuiltinTypes {
			checkEntities(t, text, RecognizeKind(kind, text, now, nil))
		}
	})
}

func TestExtractIsDeterministic(t *testing.T) {
	x, y := New(agent(), nil), New(agent(), nil)
	rapid.Check(t, func(rt *rapid.T) {
		in := classifier.Input{Text: rapid.StringMatching(`([a-z]{1,6}|[0-9]{1,4}|tomorrow|at|pm|[ ,.$%/:-]){0,20}`).Draw(rt, "text"), Now: now}
		if diff := cmp.Diff(x.Extract(in, nil), y.Extract(in, nil)); diff != "" {
			rt.Fatalf("two extractors differ on %q: %s", in.Text, diff)
		}
		checkValues(rt, in.Text, x.Extract(in, nil))
	})
}
