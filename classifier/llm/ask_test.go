package llm

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/message"
)

// got is what a test compares of a result: the intent or the reason for none, and the
// values that the model added as param=value[start:end text].
func got(r message.Result) (string, []string) {
	what := r.Intent
	if r.Fallback != "" {
		what = "! " + string(r.Fallback)
	}
	var values []string
	for _, v := range r.Params {
		if v.Source == "llm" {
			values = append(values, fmt.Sprintf("%s=%v[%d:%d %s]", v.Param, v.Value, v.Start, v.End, v.Text))
		}
	}
	return what, values
}

func TestAnswers(t *testing.T) {
	const hello = "my jumper never fitted, take the thing from 4410 off me"
	asked := func(param string, options ...classifier.Option) classifier.Input {
		return classifier.Input{Active: "send_back", Asked: &classifier.Asked{Param: param, Options: options}}
	}
	tests := []struct {
		name, text, answer string
		in                 classifier.Input
		found              []message.Value
		want               string
		values             []string
	}{
		// answers that are none
		{name: "empty", answer: ``, want: "! invalid"},
		{name: "words", answer: `I think the customer wants to return it.`, want: "! invalid"},
		{name: "half", answer: `{"intent":"send_back","params":[{"param":"par`, want: "! invalid"},
		{name: "two objects", answer: `{"intent":"send_back","params":[]}{"intent":"cancel"}`, want: "! invalid"},
		{name: "words behind", answer: `{"intent":"send_back","params":[]} as you wished`, want: "! invalid"},
		{name: "a list", answer: `["send_back"]`, want: "! invalid"},
		{name: "null", answer: `null`, want: "! invalid"},
		{name: "no intent", answer: `{"params":[]}`, want: "! invalid"},
		{name: "an intent that is a number", answer: `{"intent":7,"params":[]}`, want: "! invalid"},
		{name: "params that are an object", answer: `{"intent":"send_back","params":{"parcel":"K-1234"}}`, want: "! invalid"},
		{name: "a value that is an object", answer: `{"intent":"send_back","params":[{"param":"parcel","value":{"a":1},"text":"4410"}]}`, want: "! invalid"},
		{name: "huge", answer: `{"intent":"send_back","params":[],"why":"` + strings.Repeat("x", maxAnswer) + `"}`, want: "! invalid"},
		{name: "too many params", answer: `{"intent":"send_back","params":[` + strings.Repeat(`{},`, maxGiven) + `{}]}`, want: "! invalid"},

		// answers in some dress
		{name: "plain", answer: `{"intent":"send_back","params":[]}`, want: "send_back"},
		{name: "a key more", answer: `{"thoughts":"hm","intent":"send_back","params":null}`, want: "send_back"},
		{name: "spaces", answer: " {\"intent\": \" send_back \"} ", want: "send_back"},

		// intents
		{name: "unknown intent", answer: `{"intent":"refund_everything","params":[]}`, want: "! refused"},
		{name: "nothing", answer: `{"intent":"none","params":[]}`, want: "! nothing"},
		{name: "null intent", answer: `{"intent":null,"params":[]}`, want: "! nothing"},
		{name: "the fallback", answer: `{"intent":"other","params":[]}`, want: "! nothing"},
		{name: "cancel", answer: `{"intent":"cancel","params":[]}`, want: "cancel"},

		// params
		{name: "unknown param", answer: `{"intent":"send_back","params":[{"param":"iban","value":"4410","text":"4410"}]}`, want: "send_back"},
		{name: "another task's param", answer: `{"intent":"opening_hours","params":[{"param":"parcel","value":"4410","text":"4410"}]}`, want: "opening_hours"},
		{name: "no intent and another task's param", answer: `{"intent":"none","params":[{"param":"parcel","value":"4410","text":"4410"}]}`, want: "! refused"},
		{name: "an id without its form", answer: `{"intent":"send_back","params":[{"param":"parcel","value":"4410","text":"4410"}]}`, want: "send_back", values: []string{"parcel=K-4410[44:48 4410]"}},
		{name: "its normal form", answer: `{"intent":"send_back","params":[{"param":"parcel","value":"K-4410","text":"4410"}]}`, want: "send_back", values: []string{"parcel=K-4410[44:48 4410]"}},
		{name: "a number as such", answer: `{"intent":"send_back","params":[{"param":"parcel","value":4410,"text":"4410"}]}`, want: "send_back", values: []string{"parcel=K-4410[44:48 4410]"}},
		{name: "another id for the text", answer: `{"intent":"send_back","params":[{"param":"parcel","value":"K-9999","text":"4410"}]}`, want: "send_back"},
		{name: "an id that is not there", answer: `{"intent":"send_back","params":[{"param":"parcel","value":"K-9999","text":"K-9999"}]}`, want: "send_back"},
		{name: "a part of a number", answer: `{"intent":"send_back","params":[{"param":"parcel","value":"K-4410","text":"K-4410"},{"param":"parcel","value":"441","text":"441"}]}`, want: "send_back"},
		{name: "no value", answer: `{"intent":"send_back","params":[{"param":"parcel","text":"4410"},{"param":"parcel","value":null,"text":"4410"}]}`, want: "send_back"},
		{name: "no text", answer: `{"intent":"send_back","params":[{"param":"parcel","value":"4410"}]}`, want: "send_back"},

		// enumerations
		{name: "own words for a value", answer: `{"intent":"send_back","params":[{"param":"reason","value":"wrong size","text":"never fitted"}]}`, want: "send_back", values: []string{"reason=wrong size[10:22 never fitted]"}},
		{name: "its spelling is the file's", answer: `{"intent":"send_back","params":[{"param":"reason","value":"Wrong Size","text":"Never Fitted"}]}`, want: "send_back", values: []string{"reason=wrong size[10:22 never fitted]"}},
		{name: "a value that does not exist", answer: `{"intent":"send_back","params":[{"param":"reason","value":"ugly","text":"never fitted"}]}`, want: "send_back"},
		{name: "own words that are not there", answer: `{"intent":"send_back","params":[{"param":"reason","value":"damaged","text":"it has a hole"}]}`, want: "send_back"},
		{name: "words that say another value", text: "it was broken, that thing", answer: `{"intent":"send_back","params":[{"param":"reason","value":"wrong size","text":"broken"}]}`, want: "send_back"},
		{name: "an answer and no task", in: asked("reason"), answer: `{"intent":"none","params":[{"param":"reason","value":"wrong size","text":"never fitted"}]}`, want: "opening_hours", values: []string{"reason=wrong size[10:22 never fitted]"}},
		{name: "an answer that is none", in: asked("reason"), answer: `{"intent":"none","params":[{"param":"reason","value":"ugly","text":"never fitted"}]}`, want: "! refused"},
		{name: "several of a list", text: "the crimson one and the sky coloured one", answer: `{"intent":"send_back","params":[{"param":"colours","value":"red","text":"crimson"},{"param":"colours","value":"blue","text":"sky coloured"}]}`, want: "send_back", values: []string{"colours=red[4:11 crimson]", "colours=blue[24:36 sky coloured]"}},

		// other types
		{name: "a day", text: "come for it the day after tomorrow", answer: `{"intent":"send_back","params":[{"param":"pickup","value":"2026-03-04","text":"the day after tomorrow"}]}`, want: "send_back", values: []string{"pickup=2026-03-04[12:34 the day after tomorrow]"}},
		{name: "another day", text: "come for it the day after tomorrow", answer: `{"intent":"send_back","params":[{"param":"pickup","value":"2026-03-09","text":"the day after tomorrow"}]}`, want: "send_back"},
		{name: "no day", text: "come for it when the swallows return", answer: `{"intent":"send_back","params":[{"param":"pickup","value":"2026-04-20","text":"when the swallows return"}]}`, want: "send_back"},
		{name: "a yes that is none", text: "one for my niece would be lovely", answer: `{"intent":"send_back","params":[{"param":"gift","value":"true","text":"for my niece"}]}`, want: "send_back"},
		{name: "free text", text: "have it brought to Mill Lane 4 in Ely, would you", answer: `{"intent":"move_parcel","params":[{"param":"address","value":"Mill Lane 4 in Ely","text":"Mill Lane 4 in Ely"}]}`, want: "move_parcel", values: []string{"address=Mill Lane 4 in Ely[19:37 Mill Lane 4 in Ely]"}},
		{name: "free text embellished", text: "have it brought to Mill Lane 4 in Ely, would you", answer: `{"intent":"move_parcel","params":[{"param":"address","value":"4 Mill Lane, Ely, Cambridgeshire","text":"Mill Lane 4 in Ely"}]}`, want: "move_parcel"},

		// places
		{name: "behind emoji", text: "😤👩‍👧 Größe paßt nie – 4410", answer: `{"intent":"send_back","params":[{"param":"parcel","value":"4410","text":"4410"},{"param":"reason","value":"wrong size","text":"Größe paßt nie"}]}`, want: "send_back", values: []string{"reason=wrong size[5:19 Größe paßt nie]", "parcel=K-4410[22:26 4410]"}},
		{name: "half a family", text: "👩‍👧 e\u0301tude 4410", answer: `{"intent":"send_back","params":[{"param":"reason","value":"damaged","text":"e"}]}`, want: "send_back"},
		{name: "no spaces", text: "尺码不合适4410", answer: `{"intent":"send_back","params":[{"param":"reason","value":"wrong size","text":"不合适"},{"param":"parcel","value":"4410","text":"4410"}]}`, want: "send_back", values: []string{"reason=wrong size[2:5 不合适]", "parcel=K-4410[5:9 4410]"}},
		{name: "the same words twice", text: "red for me and red for her", answer: `{"intent":"send_back","params":[{"param":"colours","value":"red","text":"red"},{"param":"colours","value":"red","text":"red"},{"param":"colours","value":"red","text":"red"}]}`, want: "send_back", values: []string{"colours=red[0:3 red]", "colours=red[15:18 red]"}},

		// choices
		{name: "a choice by what it was called", in: asked("parcel", classifier.Option{Value: "K-5001", Label: "K-5001 (lamp)"}, classifier.Option{Value: "K-5002", Label: "K-5002 (rug)"}), text: "the thing for the floor", answer: `{"intent":"none","params":[{"param":"parcel","value":"K-5002 (rug)","text":"thing for the floor"}]}`, want: "opening_hours", values: []string{"parcel=K-5002[4:23 thing for the floor]"}},
		{name: "a choice that was not offered", in: asked("parcel", classifier.Option{Value: "K-5001", Label: "K-5001 (lamp)"}), text: "the thing for the floor", answer: `{"intent":"none","params":[{"param":"parcel","value":"K-5002","text":"thing for the floor"}]}`, want: "! refused"},
		{name: "two choices that look the same", in: asked("parcel", classifier.Option{Value: "K-5001", Label: "lamp"}, classifier.Option{Value: "K-5002", Label: "lamp"}), text: "that shiny one", answer: `{"intent":"none","params":[{"param":"parcel","value":"lamp","text":"shiny one"}]}`, want: "! refused"},

		// what was found before
		{name: "a pattern stands", text: "K-1234 no K-5678", found: []message.Value{{Param: "parcel", Value: "K-1234", Text: "K-1234", End: 6, Source: "pattern", Confidence: 0.97}}, answer: `{"intent":"send_back","params":[{"param":"parcel","value":"K-5678","text":"K-5678"}]}`, want: "send_back"},
		{name: "so does its text", text: "K-1234 it is", found: []message.Value{{Param: "parcel", Value: "K-1234", Text: "K-1234", End: 6, Source: "pattern", Confidence: 0.97}}, answer: `{"intent":"move_parcel","params":[{"param":"address","value":"K-1234","text":"K-1234"}]}`, want: "move_parcel"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			in := tt.in
			in.Now, in.Text = noon, tt.text
			if in.Text == "" {
				in.Text = hello
			}
			c := newClassifier(t, shop(), &script{answer: tt.answer}, nil)
			embedded := unsure(tt.found...)
			r, err := c.Ask(t.Context(), Question{Input: in, Embedded: embedded})
			if err != nil {
				t.Fatal(err)
			}
			what, values := got(r)
			if what != tt.want {
				t.Errorf("Ask(%q) = %s, want %s", in.Text, what, tt.want)
			}
			if diff := cmp.Diff(tt.values, values); diff != "" {
				t.Errorf("values (-want +got):\n%s", diff)
			}
			if tier := map[bool]string{true: "linear", false: "llm"}[r.Fallback != ""]; r.Tier != tier {
				t.Errorf("tier %q, want %q", r.Tier, tier)
			}
			if r.Fallback != "" {
				embedded.Fallback = r.Fallback
				if diff := cmp.Diff(embedded, r); diff != "" {
					t.Errorf("the embedded result does not stand (-want +got):\n%s", diff)
				}
			}
		})
	}
}

// TestItNeverGuesses holds the model to what it may not decide: what a pending
// confirmation is answered with, and everything that a yes or a no sets off.
func TestItNeverGuesses(t *testing.T) {
	for _, intent := range []string{"affirm", "deny", "correct", "resume", "reset"} {
		for _, confirming := range []bool{true, false} {
			m := &script{answer: `{"intent":"` + intent + `","params":[]}`}
			c := newClassifier(t, shop(), m, nil)
			in := classifier.Input{Text: "well go on then do your thing", Now: noon, Active: "send_back", Confirming: confirming}
			r, err := c.Ask(t.Context(), Question{Input: in, Embedded: unsure()})
			if err != nil {
				t.Fatal(err)
			}
			if r.Fallback != message.FallbackRefused || r.Intent == intent || r.Lead.Intent != "" {
				t.Errorf("%s (confirming %v): %+v, want it refused", intent, confirming, r)
			}
			if strings.Contains(string(m.asked[0].Schema), `"`+intent+`"`) || strings.Contains(m.asked[0].System, "- "+intent) {
				t.Errorf("%s is offered to the model", intent)
			}
		}
	}
}

func TestConfidenceAndRanking(t *testing.T) {
	agent := shop()
	for _, tt := range []struct {
		threshold, top, want float64
	}{{0.55, 0.5, 0.75}, {0.9, 0.89, 0.9}, {0.75, 0.7, 0.75}} {
		agent.Classifier.Threshold = tt.threshold
		embedded := unsure()
		embedded.Ranking[0].Confidence = tt.top
		c := newClassifier(t, agent, &script{answer: `{"intent":"move_parcel"}`}, nil)
		r, err := c.Ask(t.Context(), Question{Input: classifier.Input{Text: "somewhere else with it"}, Embedded: embedded})
		if err != nil {
			t.Fatal(err)
		}
		if r.Confidence != tt.want || r.Ranking[0] != (message.Score{Intent: "move_parcel", Confidence: tt.want}) || r.Exact {
			t.Errorf("threshold %v: confidence %v, ranking %v", tt.threshold, r.Confidence, r.Ranking)
		}
		if len(r.Ranking) != 4 || r.Ranking[1].Intent != "opening_hours" || r.Ranking[0].Confidence-r.Ranking[1].Confidence < agent.Classifier.Ambiguity {
			t.Errorf("runners-up %v, want the embedded ones, too far behind for a question", r.Ranking[1:])
		}
	}
}

// TestReplyOrTask: the whole reply is no address where the message asks for something else,
// and the shorter reading of it is the better one.
func TestReplyOrTask(t *testing.T) {
	const text = "erm when do you close, and it is Mill Lane 4"
	whole := message.Value{Param: "address", Value: text, Text: text, End: len(text), Source: "text", Confidence: 0.5}
	in := classifier.Input{Text: text, Active: "move_parcel", Asked: &classifier.Asked{Param: "address"}}
	tests := []struct{ name, answer, want string }{
		{"another task", `{"intent":"opening_hours"}`, ""},
		{"the same task", `{"intent":"move_parcel"}`, "text"},
		{"none", `{"intent":"none"}`, "text"},
		{"a part of it", `{"intent":"none","params":[{"param":"address","value":"Mill Lane 4","text":"Mill Lane 4"}]}`, "llm"},
		{"all of it", `{"intent":"none","params":[{"param":"address","value":"` + text + `","text":"` + text + `"}]}`, "text"},
	}
	for _, tt := range tests {
		c := newClassifier(t, shop(), &script{answer: tt.answer}, nil)
		r, err := c.Ask(t.Context(), Question{Input: in, Embedded: unsure(whole)})
		if err != nil {
			t.Fatal(err)
		}
		var source strings.Builder
		for _, v := range r.Params {
			source.WriteString(v.Source)
		}
		if source.String() != tt.want {
			t.Errorf("%s: the address comes from %q, want %q", tt.name, source.String(), tt.want)
		}
	}
}

// TestTheTaskUnderWay is no answer to an open question: the reply was not understood.
func TestTheTaskUnderWay(t *testing.T) {
	in := classifier.Input{Text: "well that is about it", Active: "send_back"}
	asked, confirming := in, in
	asked.Asked, confirming.Confirming = &classifier.Asked{Param: "reason"}, true
	for _, tt := range []struct {
		name string
		in   classifier.Input
		want string
	}{{"nothing open", in, "send_back"}, {"asked", asked, "! nothing"}, {"confirming", confirming, "! nothing"}} {
		c := newClassifier(t, shop(), &script{answer: `{"intent":"send_back","params":[]}`}, nil)
		r, err := c.Ask(t.Context(), Question{Input: tt.in, Embedded: unsure()})
		if err != nil {
			t.Fatal(err)
		}
		if what, _ := got(r); what != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, what, tt.want)
		}
	}
}

// TestTwoDates: the model says which of two params a date is for.
func TestTwoDates(t *testing.T) {
	date := func(param string) message.Value {
		return message.Value{Param: param, Value: "2026-03-04", Text: "wednesday", Start: 6, End: 15, Source: "builtin", Confidence: 0.9}
	}
	in := classifier.Input{Text: "until wednesday, that is", Now: noon, Active: "send_back"}
	m := &script{answer: `{"intent":"none","params":[{"param":"back_by","value":"wednesday","text":"wednesday"}]}`}
	c := newClassifier(t, shop(), m, nil)
	r, err := c.Ask(t.Context(), Question{Input: in, Embedded: unsure(date("back_by"), date("pickup"))})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]message.Value{date("back_by")}, r.Params); diff != "" || r.Tier != "llm" {
		t.Errorf("tier %s, params (-want +got):\n%s", r.Tier, diff)
	}
	in.Asked = &classifier.Asked{Param: "pickup"}
	r, err = c.Ask(t.Context(), Question{Input: in, Embedded: unsure(date("back_by"), date("pickup"))})
	if err != nil || len(r.Params) != 2 {
		t.Errorf("what is asked for keeps its value: %v, %v", r.Params, err)
	}
}
