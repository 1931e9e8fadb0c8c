package extract

import (
	"fmt"
	"strings"
	"testing"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/config"
)

// office is an agent of a task with params of many types.
func office() *config.Agent {
	a := inn()
	for _, kind := range []string{"date", "time", "money", "datetime", "boolean", "email", "phone", "zip", "duration", "percentage"} {
		a.Params["the_"+kind] = &config.Param{Name: "the_" + kind, Label: kind, Type: &config.Type{Name: kind, Builtin: kind}}
	}
	a.Params["parcel_id"] = desk().Params["parcel_id"]
	a.Params["locator"] = desk().Params["locator"]
	return a
}

// bares renders the bare values of a message, and the surer ones of the params.
func bares(x *Extractor, text string, filled ...string) string {
	var out []string
	for _, v := range x.Extract(classifier.Input{Text: text, Now: now, Filled: filled}, nil) {
		for _, p := range filled {
			if v.Param == p && v.Confidence >= 0.5 {
				out = append(out, fmt.Sprintf("%s=%v<%s>", p, v.Value, v.Text))
			}
		}
	}
	return strings.Join(out, " ")
}

// TestCorrectionsAreBare: what corrects a known value is read as an answer to its question.
func TestCorrectionsAreBare(t *testing.T) {
	x := New(office(), nil)
	for _, tc := range []struct{ filled, text, want string }{
		{"the_date", "no, the 6th", "the_date=2026-12-06<the 6th>"},
		{"the_date", "rather the twelfth please", "the_date=2026-12-12<the twelfth>"},
		{"the_time", "make it 11", "the_time=11:00<11>"},
		{"the_time", "oh wait, half past five", "the_time=17:30<half past five>"},
		{"the_money", "no, 45", "the_money=45.00 USD<45>"},
		{"the_money", "it should be 45", "the_money=45.00 USD<45>"},
		{"the_money quantity", "change that to 45", "quantity=45<45> the_money=45.00 USD<45>"},
		{"the_percentage", "sorry, I meant 15", "the_percentage=15<15>"},
		{"quantity", "not 5, 6", "quantity=5<5> quantity=6<6>"},
		{"quantity", "not 5 but 6", "quantity=5<5> quantity=6<6>"},
		{"quantity", "6 instead of 5", "quantity=6<6> quantity=5<5>"},
		{"quantity", "from 2 to 3", "quantity=2<2> quantity=3<3>"},
		{"quantity", "actually two", "quantity=2<two>"},
		{"nights", "no, 4 nights", "nights=4<4>"},
		{"guests", "no, just me", "guests=1<just me>"},
		{"guests", "no, me and my brother", "guests=2<me and my brother>"},
		{"parcel_id", "no wait, 20076", "parcel_id=O-20076<20076>"},
		{"parcel_id", "two zero zero seven six, I meant", "parcel_id=O-20076<two zero zero seven six>"},
		{"locator", "sorry it's xk42lq", "locator=xk42lq<xk42lq>"},
		{"room", "the doubel one please", "room=double<doubel>"},
		{"guests", "we are 3", "guests=3<3>"},
		{"the_time", "can we do 11", "the_time=11:00<11>"},
		{"the_date", "an hour later", ""},
		{"the_phone", "no, 555 2300", "the_phone=5552300<555 2300>"},
		{"the_duration", "make that 2 hours", "the_duration=PT2H<2 hours>"},

		{"quantity the_money the_time the_date", "no, 12 Main St", ""},
		{"quantity the_money nights", "no, number 14", ""},
		{"quantity the_money the_date the_time", "no thank you, maybe another day", ""},
		{"quantity the_money the_date the_time the_boolean", "no", ""},
		{"the_boolean", "no, not that", ""},
		{"quantity the_money", "my uncle has 3 of these in the garage", ""},
		{"quantity the_money", "quarter to five", ""},
		{"guests", "it's me", ""},
		{"locator", "no, please wait", ""},
		{"locator", "never", ""},
		{"the_date the_time", "let me think for one minute", ""},
		{"the_money", "no, the one before", ""},
		{"parcel_id", "no, 200", ""},
		{"address", "no, 12 Main St", "address=12 Main St<12 Main St>"},
		{"room", "not that", ""},
	} {
		if got := bares(x, tc.text, strings.Fields(tc.filled)...); got != tc.want {
			t.Errorf("%q with %s known: %q, want %q", tc.text, tc.filled, got, tc.want)
		}
	}
}

// TestCountsAreNoTimes: a number that counts something is no hour, though one is asked for.
func TestCountsAreNoTimes(t *testing.T) {
	checkHeard(t, New(office(), nil), []heardCase{
		{"the_time", "3 pm with 6 people", "the_time", "15:00"},
		{"the_time", "3 pm for 4 nights", "the_time", "15:00"},
		{"the_time", "10 please", "the_time", "10:00"},
	})
}

// TestCorrectionOfOthers: the param that is asked for has answers, not corrections, and what
// is known of other tasks is not corrected.
func TestCorrectionOfOthers(t *testing.T) {
	x := New(office(), nil)
	in := classifier.Input{Text: "45", Now: now, Filled: []string{"quantity", "the_money"}, Asked: &classifier.Asked{Param: "quantity"}}
	for _, v := range x.Extract(in, nil) {
		switch {
		case v.Param == "quantity" && v.Source == "bare":
			t.Errorf("the answer is bare: %+v", v)
		case v.Param == "the_percentage":
			t.Errorf("%+v is of nothing that is known", v)
		}
	}
	for _, tc := range []string{"no, 45", "not 5, 6", "the 6th"} {
		for _, v := range x.Extract(classifier.Input{Text: tc, Now: now}, nil) {
			if v.Source == "bare" {
				t.Errorf("%q: %+v where nothing is known", tc, v)
			}
		}
	}
}

// FuzzCorrections holds that bare values lie within the message and repeat.
func FuzzCorrections(f *testing.F) {
	for _, seed := range []string{
		"no, the 6th", "not 5, 6", "é no wait, half past five", "make it 11 – 12", "O-2\u200b0075 instead of o two oh oh seven five",
		"double double five", "me, me and me and 2", "triple", "\xff no 5", "x k 4 2 l p i mean", "from 2 to to 3 or or", "0-", "O-O-O", "5 - - 6", "#0 0",
	} {
		f.Add(seed)
	}
	a := office()
	x := New(a, nil)
	var filled []string
	for name := range a.Params {
		filled = append(filled, name)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1000 {
			return
		}
		checkValues(t, text, x.Extract(classifier.Input{Text: text, Now: now, Filled: filled}, nil))
		checkValues(t, text, x.Extract(classifier.Input{Text: text, Now: now, Filled: filled, Asked: &classifier.Asked{Param: "parcel_id"}}, nil))
	})
}
