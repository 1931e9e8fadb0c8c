package reader

import (
	"fmt"
	"testing"

	"github.com/slotway/slotway/classifier/encoder"
)

// BenchmarkRead reads messages that make 30, 60 and 90 pieces with their question, for an agent of the
// reference with the most params.
func BenchmarkRead(b *testing.B) {
	agent := mostParams(reference(b))
	m, err := parsed()
	if err != nil {
		b.Fatal(err)
	}
	for _, implementation := range encoder.Implementations() {
		r, err := newReader(m, agent, implementation)
		if err != nil {
			b.Fatal(err)
		}
		for _, pieces := range []int{30, 60, 90} {
			b.Run(fmt.Sprintf("%s/%d", implementation, pieces), func(b *testing.B) {
				state := &State{Kind: AskParam, Text: repeated(pieces / 3), Asked: agent.Params[0].Name}
				text := repeated(pieces - pieces/3 - 3)
				b.ReportAllocs()
				for b.Loop() {
					r.Read(state, text)
				}
			})
		}
	}
}

func BenchmarkNew(b *testing.B) {
	agent := mostParams(reference(b))
	b.Logf("%d tasks, %d params", len(agent.Tasks), len(agent.Params))
	for b.Loop() {
		if _, err := New(agent); err != nil {
			b.Fatal(err)
		}
	}
}

func mostParams(all []known) *Agent {
	most := all[0].agent
	for _, k := range all {
		if len(k.agent.Params) > len(most.Params) {
			most = k.agent
		}
	}
	return most
}

// repeated is a text of n pieces.
func repeated(n int) (text string) {
	for i := range n {
		text += []string{"please ", "book ", "tuesday ", "for ", "two "}[i%5]
	}
	return text
}
