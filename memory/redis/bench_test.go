package redis

import (
	"fmt"
	"strings"
	"testing"

	"github.com/slotway/slotway/internal/test/postgrestest"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/postgres"
)

// BenchmarkLoad reads a session of 600 messages of 120 bytes that this process has, and two in turn where it has
// room for one: as those that another process has used last.
func BenchmarkLoad(b *testing.B) {
	for _, way := range []string{"store", "redis"} {
		for _, held := range []bool{true, false} {
			for _, recent := range []int{24, 64, 256, 512} {
				b.Run(fmt.Sprintf("%s/held=%t/%d", way, held, recent), func(b *testing.B) {
					opts := &postgres.Options{}
					if !held {
						opts.CacheSessions = 1
					}
					s, err := postgres.Open(b.Context(), postgrestest.Schema(b), opts)
					if err != nil {
						b.Fatal(err)
					}
					b.Cleanup(func() { s.Close() })
					if way == "redis" {
						c, err := New(server(b), Options{})
						if err != nil {
							b.Fatal(err)
						}
						s.Share(c)
					}
					list := []memory.Key{key(b, "one"), key(b, "two")}
					for _, k := range list {
						for range 300 {
							say(b, s, k, strings.Repeat("x", 120))
						}
						read(b, s, k, recent)
					}
					b.ReportAllocs()
					for n := 0; b.Loop(); n++ {
						k := list[0]
						if !held {
							k = list[n%2]
						}
						if got := read(b, s, k, recent); len(got) != recent {
							b.Fatal(len(got))
						}
					}
				})
			}
		}
	}
}
