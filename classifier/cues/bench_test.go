package cues_test

import (
	"context"
	"slices"
	"testing"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/cues"
	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
)

// BenchmarkRead times what the cues, roles and announced texts of one message cost, its
// values being known.
func BenchmarkRead(b *testing.B) {
	for _, test := range []struct{ name, agent, text string }{
		{"nothing", "courier", "i would like to complain about the way you treat us"},
		{"id", "hotel", "hi, can you please cancel my booking H-1234 for me"},
		{"text", "courier", "please ship P-20223 to 12 Oak Street, Denver 80014"},
		{"roles", "trains", "a ticket from Leeds to York on monday returning friday"},
	} {
		b.Run(test.name, func(b *testing.B) {
			agent, err := config.Load("testdata/" + test.agent + ".yaml")
			if err != nil {
				b.Fatal(err)
			}
			c, r := load(b, test.agent), cues.New(agent)
			in := classifier.Input{Text: test.text, Now: now}
			found, err := c.Classify(context.Background(), in)
			if err != nil {
				b.Fatal(err)
			}
			found.Params = slices.DeleteFunc(found.Params, func(v message.Value) bool { return v.Source == "announced" })
			values := make([]message.Value, 0, 2*len(found.Params)+4)
			b.ReportAllocs()
			for b.Loop() {
				res := message.Result{Params: append(values, found.Params...)}
				r.Read(in, &res, nil)
			}
		})
	}
}
