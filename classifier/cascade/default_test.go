package cascade

import (
	"strings"
	"testing"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/config"
)

// TestDefaultAgent talks to the embedded agent: a first impression must be right.
func TestDefaultAgent(t *testing.T) {
	agent, err := config.Default()
	if err != nil {
		t.Fatal(err)
	}
	c, err := New(agent, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		text, intent string
		least, most  float64
	}{
		{"I want to check my order", "order_status", 0.6, 1},
		{"where is my order?", "order_status", sure, 1},
		{"please cancel O-12345", "cancel_order", sure, 1},
		{"change my shipping address", "change_address", sure, 1},
		{"yes", "affirm", 1, 1},
		{"never mind", "cancel", 1, 1},
		{"help", "help", 1, 1},
		{"talk to a human", "human", sure, 1},
		{"O-12345", "", 0, 0.5},
		{"It's O-12345", "", 0, 0.5},
		{"what's the weather", "", 0, 0.5},
		{"asdf qwer", "", 0, 0.5},
	} {
		r := classify(t, c, classifier.Input{Text: tc.text})
		if tc.intent != "" && r.Intent != tc.intent || r.Confidence < tc.least || r.Confidence > tc.most {
			t.Errorf("Classify(%q) = %s %.2f %v, want %s in [%v,%v]", tc.text, r.Intent, r.Confidence, r.Ranking, tc.intent, tc.least, tc.most)
		}
	}
}

// firstMessages are first messages to the embedded agent, by intent; under "" those that it
// has no answer to. None is among its examples, nor made from one.
const firstMessages = `
order_status: hi, ordered some towels ten days ago, any clue when they turn up?
order_status: did O-20482 go out already
order_status: my mum's present still hasn't shown up
order_status: pls tell me where 20741 is, order 20741
order_status: is the courier coming today or not
order_status: my tracking link shows nothing, what's up with my order?
cancel_order: bought the wrong speaker, can you still stop it?
cancel_order: hey so i don't need order O-20260 after all, cancel plz
cancel_order: get my purchase cancelled
cancel_order: please call the order off, my wife already got one
cancel_order: I'd like the order from this morning cancelled
return_order: these boots pinch, want to send them back
return_order: my speaker arrived and it is broken
return_order: can you take back order O-21222
return_order: i'd like to hand back a chair i got from you
return_order: this thing is defective, give me my money back
return_order: how do i get a return started
change_address: can the package be delivered to my office rather than home
change_address: we moved last week and the order is going to the old flat
change_address: i need O-20889 to go to a different address
change_address: got the street wrong when ordering
change_address: fix the address on my order pls
shipping_cost: what would i pay for delivery?
shipping_cost: do i have to pay postage
refund_time: sent the lamp back 2 weeks ago, where is the refund
refund_time: how many days for the refund to show on my card
return_policy: how many days have i got to return stuff
return_policy: does a return cost me anything
exchange: need the jacket one size bigger, can you swap it
warranty: is my headphone still covered by the guarantee
payment_methods: is paypal ok
payment_methods: can i use my mastercard
payment_trouble: you billed my card two times!
invoice: where can i download the receipt
delivery_time: how quick is your delivery normally
delivery_area: do you ship to norway
change_items: can you put one more mug in my order
buying: do you sell garden chairs
gift_wrapping: could you wrap it up as a gift
vouchers: my promo code won't work
account: i can't remember my password
opening_hours: is support there on saturdays
contact: what number can i phone you on
stores: do you have a shop in Seattle
human: i want a human being please
human: let me speak to a colleague of yours
: what's the capital of peru
: tell me a joke
: i hate mondays
: can you book me a flight
: how tall is the eiffel tower
: my dog is ill
: write me a poem about cats
: what is 12 times 9
`

// leastRight is how many of them must be understood: the intent above the threshold or, with
// none to find, no intent above it.
const leastRight = 47

// TestFirstMessages looks at what the examples of the embedded agent teach about messages
// that are not among them.
func TestFirstMessages(t *testing.T) {
	agent, err := config.Default()
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, in := range agent.Intents {
		for _, e := range in.Examples {
			known[strings.ToLower(e.Text)] = true
		}
	}
	c, err := New(agent, nil)
	if err != nil {
		t.Fatal(err)
	}
	right, all := 0, 0
	for line := range strings.Lines(strings.TrimSpace(firstMessages)) {
		want, text, _ := strings.Cut(strings.TrimSpace(line), ": ")
		if known[strings.ToLower(text)] {
			t.Errorf("%q is an example", text)
		}
		all++
		r := classify(t, c, classifier.Input{Text: text})
		acts := r.Confidence >= agent.Classifier.Threshold
		if want == "" && !acts || acts && r.Intent == want {
			right++
			continue
		}
		t.Logf("%q is taken for %s %.2f, want %q", text, r.Intent, r.Confidence, want)
	}
	if right < leastRight {
		t.Errorf("%d of %d first messages are understood, want %d", right, all, leastRight)
	}
}
