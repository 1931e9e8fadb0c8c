package extract

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/config"
)

// everything is an agent with a param of every built-in type, ids and enumerations.
func everything() *config.Agent {
	a := agent()
	a.Params["delivery"] = &config.Param{Name: "delivery", Type: &config.Type{Name: "delivery", Fuzzy: 2, Values: []config.EnumValue{
		{Value: "standard", Synonyms: []string{"normal", "regular"}}, {Value: "express", Synonyms: []string{"overnight", "next day"}}, {Value: "pickup", Synonyms: []string{"store pickup"}},
	}}}
	a.Params["defect"] = &config.Param{Name: "defect", Type: &config.Type{Name: "defect", Fuzzy: 1, Values: []config.EnumValue{
		{Value: "wrong_size", Synonyms: []string{"wrong size", "does not fit"}}, {Value: "damaged", Synonyms: []string{"broken", "scratched"}}, {Value: "match", Synonyms: []string{"matching"}},
	}}}
	return a
}

// TestNoFalseFinds holds phrases in which a careless recogniser finds a value of one of
// the named types, "*" for any built-in type and enumeration.
func TestNoFalseFinds(t *testing.T) {
	x := New(everything(), nil)
	for _, tc := range []struct{ text, never string }{
		{"order 12345", "phone zip date time money"},
		{"my order number is 5417543010", "phone zip"},
		{"order no. 541-754-3010", "phone"},
		{"invoice 20261118 please", "phone zip date"},
		{"ticket #48120", "phone zip"},
		{"tracking 1Z999AA10123456784", "phone zip number money"},
		{"card 4111 1111 1111 1111", "phone zip date"},
		{"4111111111111111", "phone zip"},
		{"amex 3782 822463 10005 on file", "phone"},
		{"my ssn is 123-45-6789", "phone zip date"},
		{"it happened on 16-04-2010", "phone zip"},
		{"between 2019/2020 and now", "phone zip"},
		{"2026-11-21 10:30:00", "phone zip"},
		{"ping 192.168.100.200 again", "phone url money date time number"},
		{"host 10.0.0.1", "phone url date number"},
		{"id 550e8400-e29b-41d4-a716-446655440000", "phone zip number date money"},
		{"version 2.0.1", "date number phone url time"},
		{"3.14.15 build", "number phone time"},
		{"v1.2.3-beta4", "date number phone"},
		{"node.js is broken in it", "url"},
		{"open file.txt", "url"},
		{"see readme.md", "url"},
		{"run main.py and setup.sh", "url"},
		{"the zip is photos.zip", "url zip"},
		{"e.g. this", "url email"},
		{"i.e. that", "url"},
		{"do it.please", "url"},
		{"thanks.it works", "url"},
		{"ok.so what now", "url"},
		{"U.S. citizens", "url money"},
		{"Dr. No", "url"},
		{"at 6.pm", "url"},
		{"a...b", "url email"},
		{"httpd://x", "url"},
		{"x@y", "email url"},
		{"@anna said hi", "email url"},
		{"a..b@example.com", "email url"},
		{"5@example", "email"},
		{"coupon SAVE20", "number money percentage"},
		{"a1 quality", "*"},
		{"A4 paper", "*"},
		{"the 4K model", "date time money"},
		{"mp3 player", "*"},
		{"covid19 rules", "*"},
		{"catch22", "*"},
		{"b2b customers", "*"},
		{"24/7 support", "number time phone"},
		{"one moment", "*"},
		{"just one sec", "*"},
		{"give me a minute", "*"},
		{"second opinion", "*"},
		{"a second thought", "*"},
		{"first of all", "ordinal date number"},
		{"first thing", "*"},
		{"at first sight", "date number"},
		{"on second thoughts", "*"},
		{"may I ask", "*"},
		{"you may go", "*"},
		{"march on", "*"},
		{"sat on the sofa", "*"},
		{"the sun shines", "*"},
		{"no one", "*"},
		{"someone called", "*"},
		{"anyone there", "*"},
		{"once again", "*"},
		{"I'm on it", "*"},
		{"that's the one", "*"},
		{"which one is better", "*"},
		{"not a problem", "*"},
		{"thanks a million", "*"},
		{"a dozen times", "date time money"},
		{"pound the table", "money"},
		{"a real bargain", "money"},
		{"we won", "money"},
		{"penny for your thoughts", "money"},
		{"5 pounds of flour", "money"},
		{"my two cents worth", "phone"},
		{"at this point two things matter", "money percentage"},
		{"half of it", "number money"},
		{"a third party app", "number date"},
		{"a quarter past", "money"},
		{"percent sign", "*"},
		{"what now", "*"},
		{"I don't know much", "*"},
		{"do they fit with each other", "*"},
		{"please express my thanks", "date number"},
		{"stand up", "*"},
		{"the standing order", "*"},
		{"watch it", "*"},
		{"when does it expire", "*"},
		{"near Stanford I think", "delivery"},
		{"a march in the park", "*"},
		{"it brought joy", "*"},
		{"brokers", "*"},
		{"press enter", "*"},
		{"I like English breakfast", "location person"},
		{"say it in English", "location person"},
		{"in March", "location person"},
		{"talk to Sarah", "location"},
		{"this is Important", "person"},
		{"this is great", "person"},
		{"I'm Fine", "person"},
		{"to be honest", "location"},
		{"in fact", "location"},
		{"from now on", "location"},
	} {
		for _, v := range x.Extract(classifier.Input{Text: tc.text, Now: now}, nil) {
			if tc.never == "*" || slices.Contains(strings.Fields(tc.never), v.Param) {
				t.Errorf("Extract(%q) finds %s=%v in %q", tc.text, v.Param, v.Value, v.Text)
			}
		}
	}
}

// TestAskedAnswers holds replies to a question, and "" where there is no answer in them.
func TestAskedAnswers(t *testing.T) {
	x := New(everything(), nil)
	for _, tc := range []struct{ asked, text, want string }{
		{"boolean", "yep", "true"},
		{"boolean", "sure thing", "true"},
		{"boolean", "i guess so", "true"},
		{"boolean", "absolutely", "true"},
		{"boolean", "you bet", "true"},
		{"boolean", "👍🏽", "true"},
		{"boolean", "well, of course", "true"},
		{"boolean", "nope", "false"},
		{"boolean", "of course not", "false"},
		{"boolean", "not really", "false"},
		{"boolean", "absolutely not!", "false"},
		{"boolean", "I don't think so", "false"},
		{"boolean", "👎", "false"},
		{"boolean", "not sure", ""},
		{"boolean", "I'm not sure", ""},
		{"boolean", "no problem", ""},
		{"boolean", "no idea", ""},
		{"boolean", "I don't know", ""},
		{"boolean", "never mind", ""},
		{"delivery", "expres", "express"},
		{"delivery", "overnihgt", "express"},
		{"delivery", "the standrad one", "standard"},
		{"delivery", "pick", ""},
		{"defect", "the size is wrong", "wrong_size"},
		{"defect", "size is not wrong", ""},
		{"defect", "it's brokn", "damaged"},
		{"defect", "march", ""},
		{"person", "it's Ada Lovelace", "Ada Lovelace"},
		{"person", "my name is Jean-Luc O'Neill, thanks", "Jean-Luc O'Neill"},
		{"location", "I live in Paris", "Paris"},
		{"money", "twenty", "20.00 USD"},
		{"money", "two and a half million", "2500000.00 USD"},
		{"phone", "it's 000 111 82-2100", "000111822100"},
		{"phone", "12345678", "12345678"},
		{"percentage", "twelve point five", "12.5"},
		{"ordinal", "the last one", "-1"},
	} {
		got := ""
		for _, v := range x.Extract(classifier.Input{Text: tc.text, Now: now, Asked: &classifier.Asked{Param: tc.asked}}, nil) {
			if v.Param == tc.asked {
				got = fmt.Sprint(v.Value)
			}
		}
		if got != tc.want {
			t.Errorf("Extract(%q, asked %s) = %q, want %q", tc.text, tc.asked, got, tc.want)
		}
	}
}

// TestUnasked holds messages that bring a value along.
func TestUnasked(t *testing.T) {
	x := New(everything(), nil)
	for _, tc := range []struct{ param, text, want string }{
		{"person", "hi, my name is Ada Lovelace and I need help", "Ada Lovelace"},
		{"person", "this is Bob calling about my order", "Bob"},
		{"person", "a table for Ms Li please", "Li"},
		{"person", "book it under the name of Ludwig van Dyck", "Ludwig van Dyck"},
		{"location", "I need a room in Paris tomorrow", "Paris"},
		{"location", "we live in New York City", "New York City"},
		{"location", "is there a shop near São Paulo?", "São Paulo"},
		{"delivery", "send it overnight", "express"},
		{"delivery", "I want exprses shipping", "express"},
		{"phone", "call me at 541-754-3010 ext. 12", "+15417543010;ext=12"},
		{"phone", "Tel: +44 20 7946 0958", "+442079460958"},
		{"phone", "my mobile is 07700 900873", "07700900873"},
		{"email", `write to "jo doe"@example.org`, `"jo doe"@example.org`},
		{"email", "jo@[192.0.2.1] is mine", "jo@[192.0.2.1]"},
		{"url", "it's at http://localhost:8080/x", "http://localhost:8080/x"},
		{"url", "look at shop.example.co.uk/cart?id=1.", "shop.example.co.uk/cart?id=1"},
		{"url", "go to bit.ly/3xYz, please", "bit.ly/3xYz"},
		{"money", "about half a million dollars", "500000.00 USD"},
		{"money", "two dollars and 30 cents", "2.30 USD"},
		{"money", "SEK 250", "250.00 SEK"},
		{"money", "1,250.50 swiss francs", "1250.50 CHF"},
		{"money", "14.27 cents", "0.1427 USD"},
		{"percentage", "minus five percent", "-5"},
		{"ordinal", "the one hundred twenty-fifth visitor", "125"},
		{"number", "two thirds of it", "0.6666666666666666"},
		{"number", "½ of them", "0.5"},
	} {
		var got []string
		for _, v := range x.Extract(classifier.Input{Text: tc.text, Now: now}, nil) {
			if v.Param == tc.param {
				got = append(got, fmt.Sprint(v.Value))
			}
		}
		if !slices.Equal(got, []string{tc.want}) {
			t.Errorf("Extract(%q): %s = %q, want %q", tc.text, tc.param, got, tc.want)
		}
	}
}

func TestNameEndsWithItsLine(t *testing.T) {
	x := New(everything(), nil)
	for _, v := range x.Extract(classifier.Input{Text: "we live in Bath\nAND it rains", Now: now}, nil) {
		if v.Param == "location" && v.Text != "Bath" {
			t.Errorf("location is %q", v.Text)
		}
	}
}

func TestDollarOfTheAgent(t *testing.T) {
	for _, tc := range []struct{ own, text, want string }{
		{"CAD", "$20", "20.00 CAD"},
		{"CAD", "20 US dollars", "20.00 USD"},
		{"EUR", "20 bucks", "20.00 USD"},
		{"EUR", "50 cents", "0.50 EUR"},
		{"", "50 cents", "0.50 USD"},
		{"SEK", "100 kr", "100.00 SEK"},
	} {
		got := RecognizeKind("money", tc.text, now, &Options{Currency: tc.own})
		if len(got) != 1 || got[0].Value != tc.want {
			t.Errorf("RecognizeKind(money, %q) with %s = %+v, want %s", tc.text, tc.own, got, tc.want)
		}
	}
}
