package extract

import (
	"testing"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/message"
)

// BenchmarkTongues reads the cases of a language, one a turn of the loop.
func BenchmarkTongues(b *testing.B) {
	for _, tag := range []string{"de", "es", "fr"} {
		x, cases := spokenAgent(tag), spokenCases(b, tag)
		b.Run(tag, func(b *testing.B) {
			b.ReportAllocs()
			var values []message.Value
			for i := 0; b.Loop(); i++ {
				values = x.Extract(classifier.Input{Text: cases[i%len(cases)].text, Now: now}, values[:0])
			}
		})
	}
}
