package cascade

import (
	"context"
	"fmt"
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

func newClassifier(tb testing.TB) *Classifier {
	tb.Helper()
	c, err := New(supportAgent(), nil)
	if err != nil {
		tb.Fatal(err)
	}
	return c
}

func classify(tb testing.TB, c *Classifier, in classifier.Input) message.Result {
	tb.Helper()
	in.Now = now
	r, err := c.Classify(context.Background(), in)
	if err != nil {
		tb.Fatal(err)
	}
	return r
}

// clear requests must be sure; the threshold of an agent is 0.55 by default.
const sure = 0.7

func TestRequests(t *testing.T) {
	c := newClassifier(t)
	for _, tc := range []struct{ intent, texts string }{
		{"order_status", `where's my order
where is my package
Where is my ORDER???
track my order O-55555
can you tell me the status of order 12345?
when will my package get here
has order W2378156 shipped yet
the package never arrived
my delivery has not arrived
track order #O-99887 please
when does my order arrive
status of my order`},
		{"cancel_order", `I would like to cancel my order please
cancel O-99999
cancel order O-12345
please cancel my order
I changed my mind about the order
can I cancel an order
i don't want my order anymore
cancle my ordr`},
		{"change_address", `need to change the address on my order
change the shipping address
I have moved
update my delivery address please
send O-77777 to a different address
can you ship it somewhere else`},
		{"return_item", `I want to return the shoes
start a return please
i'd like to send my jacket back
how can i send this back
I want to return something from O-12345`},
		{"refund_status", `when will I get my refund
where's my refund
i have not received my refund
where is the refund for O-12345
has my refund been paid`},
		{"schedule_pickup", `schedule a pickup for next friday at 3pm
can somebody collect the parcel
book a courier
please schedule a pickup`},
		{"request_callback", `could you call me back tomorrow at 5
please call me back
I'd like someone to phone me
request a call back`},
		{"order_gift", `i want to buy 3 gift cards
order a gift card
buy a gift card`},
		{"shipping_cost", `how much does shipping cost
do you deliver for free
is the delivery free?
how much is the shipping`},
		{"opening_hours", `what time do you open
when are you open on sunday
your opening hours?`},
		{"human", `let me talk to a real person
I need to speak with an agent
can i talk to a human`},
	} {
		for text := range strings.SplitSeq(tc.texts, "\n") {
			r := classify(t, c, classifier.Input{Text: text})
			if r.Intent != tc.intent || r.Confidence < sure {
				t.Errorf("Classify(%q) = %s %.2f %v, want %s at %.2f or more", text, r.Intent, r.Confidence, r.Ranking, tc.intent, sure)
			}
		}
	}
}

func TestStockPhrases(t *testing.T) {
	c := newClassifier(t)
	for _, tc := range []struct{ intent, texts string }{
		{"affirm", "yes\nYes!\nyeah\nyes please\nsure\nok\nOkay.\ngo ahead please\nsounds good\nthat's right\nThat’s right\num, yes\nyes, sure"},
		{"deny", "no\nNope\nno thanks\nNo.\nno way\ni don't think so\nno, nope"},
		{"cancel", "cancel\nStop!\nnever mind\nforget it please\ncancel that"},
		{"reset", "start over\nplease reset"},
		{"help", "help\nwhat can you do?\nwhy do you need this"},
		{"repeat", "say that again please\npardon?"},
		{"skip", "skip\nskip it\npass"},
		{"human", "agent please\nTalk to a human!"},
		{"greet", "hello\nHi!\nhi there"},
		{"goodbye", "bye\nthat's all\nthat's all, thanks"},
		{"thanks", "thanks\nthank you!\nthanks a lot"},
		{"resume", "continue\nwhere were we?"},
		{"order_status", "where is my order\nWhere is my order, please?\ntrack order O-98765"},
		{"cancel_order", "cancel my order\nplease cancel W1234567\ncancel my order, thanks"},
	} {
		for text := range strings.SplitSeq(tc.texts, "\n") {
			r := classify(t, c, classifier.Input{Text: text})
			if r.Intent != tc.intent || !r.Exact || r.Confidence != 1 {
				t.Errorf("Classify(%q) = %s %.2f exact=%v, want %s exactly", text, r.Intent, r.Confidence, r.Exact, tc.intent)
			}
		}
	}
}

func TestNothingToGoBy(t *testing.T) {
	c := newClassifier(t)
	for _, text := range []string{
		// off topic
		"what's the weather", "what's the weather like in Paris", "tell me a joke", "who won the world cup", "play some music",
		"asdf qwer", "lorem ipsum dolor sit amet", "xkcd", "zzz", "qwertyuiop asdfghjkl", "what is the capital of france",
		"no one answered my email", "sing a song", "blah blah blah", "¿dónde está la biblioteca?", "你好吗",
		// values alone
		"O-12345", "It's O-12345", "jo@example.com", "my order number is O-12345", "it is O-12345 thanks", "12345", "W2378156",
		"my email is jo@example.com", "order O-12345", "tomorrow at 5", "next friday", "02139-1234", "+1 541 754 3010", "$20",
		"jo@example.com and 02139", "please", "???", "...", "",
	} {
		r := classify(t, c, classifier.Input{Text: text})
		if r.Confidence >= 0.5 {
			t.Errorf("Classify(%q) = %s %.2f, want less than 0.5", text, r.Intent, r.Confidence)
		}
	}
}

func TestLeads(t *testing.T) {
	c := newClassifier(t)
	for _, tc := range []struct {
		text, lead, rest, intent string
	}{
		{"yes, and where is O-2222?", "affirm", "and where is O-2222?", "order_status"},
		{"yes and where is my order", "affirm", "and where is my order", "order_status"},
		{"no, make it O-22222", "deny", "make it O-22222", "correct"},
		{"no, i meant O-22222", "deny", "i meant O-22222", "correct"},
		{"never mind, cancel O-12345", "cancel", "cancel O-12345", "cancel_order"},
		{"forget it, where is my refund", "cancel", "where is my refund", "refund_status"},
		{"thanks, that's all", "thanks", "that's all", "goodbye"},
		{"ok thanks", "affirm", "thanks", "thanks"},
		{"actually, cancel my order", "correct", "cancel my order", "cancel_order"},
		{"hi, where is my order?", "greet", "where is my order?", "order_status"},
		{"Hello I want to return something", "greet", "I want to return something", "return_item"},
		{"no thanks, talk to a human", "deny", "talk to a human", "human"},
		{"skip this, cancel my order", "skip", "cancel my order", "cancel_order"},
		{"👋 hi, où est… where is my order", "greet", "où est… where is my order", ""},
	} {
		r := classify(t, c, classifier.Input{Text: tc.text})
		end := len([]rune(tc.text)) - len([]rune(tc.rest))
		if tc.intent != "cancel" && strings.HasPrefix(tc.rest, "and ") {
			end += len("and ") // connectors belong to neither
		}
		if r.Lead.Intent != tc.lead || r.Lead.End != end {
			t.Errorf("Classify(%q).Lead = %+v, want %s to %d", tc.text, r.Lead, tc.lead, end)
		}
		if tc.intent != "" && r.Intent != tc.intent || tc.intent != "" && r.Confidence < sure {
			t.Errorf("Classify(%q) = %s %.2f, want %s", tc.text, r.Intent, r.Confidence, tc.intent)
		}
	}
	for _, text := range []string{"no one answered my email", "cancel my order", "cancel O-12345", "stop sending me emails", "thanks for the refund", "yes please", "where is my order, thanks"} {
		if r := classify(t, c, classifier.Input{Text: text}); r.Lead != (message.Lead{}) {
			t.Errorf("Classify(%q).Lead = %+v, want none", text, r.Lead)
		}
	}
}

func TestValues(t *testing.T) {
	c := newClassifier(t)
	sizes := []classifier.Option{{Value: "O-11111", Label: "O-11111, red shoes"}, {Value: "O-22222", Label: "O-22222, blue hat"}}
	for _, tc := range []struct {
		text  string
		asked *classifier.Asked
		want  string
	}{
		{"track order O-12345", nil, "order_id=O-12345"},
		{"my order is #o-12345", &classifier.Asked{Param: "order_id"}, "order_id=O-12345"},
		{"It's 12345", &classifier.Asked{Param: "order_id"}, "order_id=12345"},
		{"it is o-12345 thanks", &classifier.Asked{Param: "order_id"}, "order_id=O-12345"},
		{"12345", &classifier.Asked{Param: "order_id"}, "order_id=12345"},
		{"jo@example.com and 02139", &classifier.Asked{Param: "email"}, "email=jo@example.com zip=02139"},
		{"call me back tomorrow at 5", nil, "callback_at=2026-11-19T17:00:00 pickup_day=2026-11-19 pickup_time=17:00"},
		{"cancel O-12345, i changed my mind", nil, "order_id=O-12345 reason=no longer needed"},
		{"orderd by mistake", &classifier.Asked{Param: "reason"}, "reason=ordered by mistake"},
		{"extra large", &classifier.Asked{Param: "size"}, "size=extra large"},
		{"the meduim one", &classifier.Asked{Param: "size"}, "size=medium"},
		{"$20", &classifier.Asked{Param: "amount"}, "amount=20.00 USD"},
		{"20", &classifier.Asked{Param: "amount"}, "amount=20.00 USD"},
		{"3 please", &classifier.Asked{Param: "quantity"}, "quantity=3"},
		{"yes", &classifier.Asked{Param: "gift"}, "gift=true"},
		{"no, not a gift", &classifier.Asked{Param: "gift"}, "gift=false"},
		{"John Smith", &classifier.Asked{Param: "contact"}, "contact=John Smith"},
		{"my name is Mary O'Brien", &classifier.Asked{Param: "contact"}, "contact=Mary O'Brien"},
		{"where is my order", &classifier.Asked{Param: "contact"}, ""},
		{"in New York", &classifier.Asked{Param: "city"}, "city=New York"},
		{"boston", &classifier.Asked{Param: "city"}, "city=boston"},
		{"12 Main Street, Springfield 62701 please", &classifier.Asked{Param: "address"}, "address=12 Main Street, Springfield 62701"},
		{"my new address is 5 Elm Rd", &classifier.Asked{Param: "address"}, "address=5 Elm Rd"},
		{"the second", &classifier.Asked{Param: "order_id", Options: sizes}, "order_id=O-22222"},
		{"2", &classifier.Asked{Param: "order_id", Options: sizes}, "order_id=O-22222"},
		{"last one", &classifier.Asked{Param: "order_id", Options: sizes}, "order_id=O-22222"},
		{"the first one please", &classifier.Asked{Param: "order_id", Options: sizes}, "order_id=O-11111"},
		{"not the first", &classifier.Asked{Param: "order_id", Options: sizes}, "order_id=O-22222"},
		{"the hat", &classifier.Asked{Param: "order_id", Options: sizes}, "order_id=O-22222"},
		{"O-11111", &classifier.Asked{Param: "order_id", Options: sizes}, "order_id=O-11111"},
		{"neither", &classifier.Asked{Param: "order_id", Options: sizes}, ""},
	} {
		r := classify(t, c, classifier.Input{Text: tc.text, Asked: tc.asked})
		var got []string
		for _, v := range r.Params {
			if tc.asked != nil && v.Param == "zip" && tc.asked.Param != "email" || v.Param == "quantity" && !strings.Contains(tc.want, "quantity") {
				continue // other params' candidates, which the planner leaves
			}
			if tc.asked != nil && len(tc.asked.Options) > 0 && v.Source != "option" {
				continue
			}
			got = append(got, fmt.Sprintf("%s=%v", v.Param, v.Value))
		}
		slices.Sort(got)
		if diff := cmp.Diff(tc.want, strings.Join(got, " ")); diff != "" {
			t.Errorf("params of %q (-want +got):\n%s", tc.text, diff)
		}
	}
}

func TestFallbackIsNotRanked(t *testing.T) {
	c := newClassifier(t)
	for _, text := range []string{"out of scope", "where is my order", "something else"} {
		for _, s := range classify(t, c, classifier.Input{Text: text}).Ranking {
			if s.Intent == "out_of_scope" {
				t.Errorf("Classify(%q) ranks the fallback intent", text)
			}
		}
	}
}

func TestNoExamples(t *testing.T) {
	c, err := New(&config.Agent{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if r := classify(t, c, classifier.Input{Text: "hello"}); r.Intent != "" || r.Confidence != 0 {
		t.Errorf("an agent without examples ranked %q", r.Intent)
	}
}

func TestCancelledContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := newClassifier(t).Classify(ctx, classifier.Input{Text: "hi"}); err == nil {
		t.Error("Classify ignored a cancelled context")
	}
}

func TestClassifyHolds(t *testing.T) {
	c := newClassifier(t)
	vocabulary := []string{"yes", "no", "cancel", "O-12345", "tomorrow", "at", "5", "my", "order", "…", "é", "jo@example.com", "hi", ",", "second", "👍", "\xff", "thanks", "$5", "may"}
	rapid.Check(t, func(rt *rapid.T) {
		text := strings.Join(rapid.SliceOf(rapid.SampledFrom(vocabulary)).Draw(rt, "words"), " ") + rapid.String().Draw(rt, "tail")
		in := classifier.Input{Text: text, Confirming: rapid.Bool().Draw(rt, "confirming")}
		if p := rapid.SampledFrom([]string{"", "order_id", "contact", "address", "gift", "amount", "pickup_day"}).Draw(rt, "asked"); p != "" {
			in.Asked = &classifier.Asked{Param: p}
		}
		r := classify(t, c, in)
		if diff := cmp.Diff(r, classify(t, c, in)); diff != "" {
			rt.Fatalf("two readings differ: %s", diff)
		}
		runes := []rune(text)
		last := 0
		for _, v := range r.Params {
			if v.Start < last || v.End <= v.Start || v.End > len(runes) || v.Confidence < 0 || v.Confidence > 1 {
				rt.Fatalf("candidate %+v out of order or bounds", v)
			}
			if !strings.Contains(text, "\xff") && string(runes[v.Start:v.End]) != v.Text {
				rt.Fatalf("span %q is not its text %q", string(runes[v.Start:v.End]), v.Text)
			}
			last = v.Start
		}
		if len(r.Ranking) > 5 || r.Lead.End > len(runes) || r.Confidence < 0 || r.Confidence > 1 {
			rt.Fatalf("result out of bounds: %+v", r)
		}
		if len(r.Ranking) > 0 && (r.Ranking[0].Intent != r.Intent || r.Ranking[0].Confidence != r.Confidence) {
			rt.Fatalf("%s does not head its ranking %v", r.Intent, r.Ranking)
		}
		for i := 1; i < len(r.Ranking); i++ {
			if r.Ranking[i-1].Confidence < r.Ranking[i].Confidence {
				rt.Fatalf("ranking not sorted: %v", r.Ranking)
			}
		}
	})
}

func BenchmarkClassify(b *testing.B) {
	c := newClassifier(b)
	for name, in := range map[string]classifier.Input{
		"stock":   {Text: "yes please", Now: now, Confirming: true},
		"request": {Text: "can you tell me where my order O-12345 is", Now: now},
		"value":   {Text: "It's O-12345", Now: now, Asked: &classifier.Asked{Param: "order_id"}},
		"date":    {Text: "schedule a pickup for next friday at 3pm", Now: now},
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := c.Classify(b.Context(), in); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkNew(b *testing.B) {
	agent := supportAgent()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := New(agent, nil); err != nil {
			b.Fatal(err)
		}
	}
}

func TestOverlongMessage(t *testing.T) {
	c := newClassifier(t)
	r := classify(t, c, classifier.Input{Text: strings.Repeat("é one O-12345 jo@example.com ", 5000)})
	for _, v := range r.Params {
		if v.End > defaultLongest {
			t.Fatalf("a candidate ends at %d", v.End)
		}
	}
	if len(r.Params) == 0 {
		t.Error("nothing was read of a long message")
	}
}
