package linear

import (
	"fmt"
	"testing"

	"github.com/slotway/slotway/classifier/message"
)

const request = "could you please tell me who will repair the engine of our boat before the weekend"

func BenchmarkRank(b *testing.B) {
	for _, e := range []Embedder{nil, letters{"a"}} {
		for _, intents := range []int{3, 150} {
			m := train(b, synthetic(intents, 20), &Options{Uncalibrate: true, Embedder: e})
			b.Run(fmt.Sprintf("intents=%d/embedder=%t", intents, e != nil), func(b *testing.B) {
				b.ReportAllocs()
				into := make([]message.Score, 0, 8)
				for b.Loop() {
					into = m.Rank(request, into[:0])
				}
				b.ReportMetric(float64(m.Bytes()), "model-bytes")
			})
		}
	}
}

func BenchmarkTrain(b *testing.B) {
	for _, size := range [][2]int{{20, 6}, {150, 20}} {
		set := synthetic(size[0], size[1])
		b.Run(fmt.Sprintf("intents=%d/examples=%d", size[0], len(set)), func(b *testing.B) {
			for b.Loop() {
				train(b, set, nil)
			}
		})
	}
}

func BenchmarkRestore(b *testing.B) {
	data := encode(b, train(b, synthetic(150, 20), &Options{Uncalibrate: true, MinDocs: 1}))
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if _, err := decode(data, Parts{}); err != nil {
			b.Fatal(err)
		}
	}
}
