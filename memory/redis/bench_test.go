package redis

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/slotway/slotway/memory"
)

// BenchmarkLoad reads a session of 600 messages of 120 bytes from each store, without and
// with Redis before it.
func BenchmarkLoad(b *testing.B) {
	for name, truth := range truths {
		for _, recent := range []int{24, 64, 256, 512} {
			s := open(b, truth(b), server(b), Options{Window: 512})
			for range 300 {
				say(b, s, ada, strings.Repeat("x", 120))
			}
			for way, store := range map[string]memory.Backend{"store": s.Backend, "redis": s} {
				b.Run(fmt.Sprintf("%s/%d/%s", name, recent, way), func(b *testing.B) {
					b.ReportAllocs()
					for b.Loop() {
						if snap := load(b, store, ada, recent); len(snap.Recent) != recent {
							b.Fatal(len(snap.Recent))
						}
					}
				})
			}
		}
	}
}

// BenchmarkExtend is what a commit pays for the cache.
func BenchmarkExtend(b *testing.B) {
	s := open(b, truths["inmem"](b), server(b), Options{Window: 64})
	say(b, s, ada, "x")
	place := s.cache.placeOf(ada)
	d := &memory.Delta{Key: ada, Base: 1, At: time.Now(), Messages: []memory.Message{
		{Seq: 3, Role: memory.User, Text: strings.Repeat("x", 120)}, {Seq: 4, Role: memory.Agent, Text: strings.Repeat("y", 120)},
	}}
	b.ReportAllocs()
	for b.Loop() {
		s.cache.extend(b.Context(), place, d)
		d.Base++
		d.Messages[0].Seq += 2
		d.Messages[1].Seq += 2
	}
}
