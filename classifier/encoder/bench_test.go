package encoder

import "testing"

// twelve is a message of twelve words.
const twelve = "could you please tell me where the parcel is that I ordered"

func BenchmarkEmbedInto(b *testing.B) {
	m := open(b)
	for _, k := range available() {
		b.Run(k.name, func(b *testing.B) {
			e := newEncoder(m, k, nil)
			dst := make([]float32, e.Dimension())
			b.ReportAllocs()
			for b.Loop() {
				e.EmbedInto(dst, twelve)
			}
		})
	}
}

func BenchmarkNew(b *testing.B) {
	for b.Loop() {
		if _, err := parse(weights); err != nil {
			b.Fatal(err)
		}
	}
}
