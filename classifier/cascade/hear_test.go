package cascade

import (
	"testing"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/encoder"
	"github.com/slotway/slotway/classifier/linear"
	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
)

// The embedded agent's classifier hears what a message says to the open question. An exact phrase needs no
// reader, and there is none without an encoder.
func TestHear(t *testing.T) {
	agent, err := config.Default()
	if err != nil {
		t.Fatal(err)
	}
	c, err := New(agent, &Options{Encoder: func() (linear.Embedder, error) { return encoder.New(&encoder.Options{Question: true}) }, EncodeFrom: 1000})
	if err != nil {
		t.Fatal(err)
	}
	confirmation := classifier.Input{Said: "Cancel order O-12345?", Active: "cancel_order", Confirming: true, Params: map[string]any{"order_id": "O-12345"}}
	for _, tc := range []struct {
		text string
		in   classifier.Input
		do   message.Do
	}{
		{"let me ask my wife first, one moment", confirmation, message.DoHold},
		{"no no, I want to keep it", confirmation, message.DoNo},
		{"I'd rather talk to somebody with a pulse", confirmation, message.DoHuman},
		{"how long will the refund take then?", confirmation, message.DoAskTask},
		{"the one before the last, if you please", classifier.Input{
			Said: "Which order: the blanket, the lamp or the chair?", Active: "cancel_order",
			Asked: &classifier.Asked{Param: "order_id", Options: []classifier.Option{{Value: "O-1", Label: "the blanket"}, {Value: "O-2", Label: "the lamp"}, {Value: "O-3", Label: "the chair"}}},
		}, message.DoChoose},
	} {
		tc.in.Text = tc.text
		best := message.Command{}
		for _, x := range classify(t, c, tc.in).Hear() {
			if x.P > best.P {
				best = x
			}
		}
		if best.Do != tc.do {
			t.Errorf("%q is %s at %.2f, want %s", tc.text, best.Do, best.P, tc.do)
		}
	}
	confirmation.Text = "yes"
	if r := classify(t, c, confirmation); !r.Exact || r.Hear != nil {
		t.Errorf("%+v, want an exact phrase, which is not read", r)
	}
	without, err := New(agent, nil)
	if err != nil {
		t.Fatal(err)
	}
	confirmation.Text = "let me ask my wife first, one moment"
	if r := classify(t, without, confirmation); r.Hear != nil {
		t.Error("it is read without an encoder")
	}
}
