package linear

import (
	"os"
	"testing"
)
func BenchmarkClinc(b *testing.B) {
	dir := os.Getenv("SLOTWAY_DATA")
	if dir == "" {
		b.Skip()
	}
	tr := []Example{}
	for _, e := range readSet(b, dir+"/clinc150/train.jsonl") {
		if e.Intent != "oos" {
			tr = append(tr, e)
		}
	}
	m, _ := Train(tr, &Options{Uncalibrate: true})
	dev := readSet(b, dir+"/clinc150/dev.jsonl")
	hist := [256]int{}
	for _, x := range m.sparse.cells {
		for k := 0; k < 8; k++ {
			hist[byte(x>>(8*k))]++
		}
	}
	b.Logf("features %d zero %.3f one %.3f", len(m.vocabulary.idf), float64(hist[128])/float64(8*len(m.sparse.cells)), float64(hist[127]+hist[129])/float64(8*len(m.sparse.cells)))
	b.Run("rank", func(b *testing.B) {
		buf := m.Rank("x", nil)
		i := 0
		for b.Loop() {
			buf = m.Rank(dev[i%len(dev)].Text, buf[:0])
			i++
		}
	})
	b.Run("vector", func(b *testing.B) {
		var s scratch
		i, n := 0, 0
		for b.Loop() {
			m.vocabulary.vectorise(dev[i%len(dev)].Text, &s)
			i++
			n += len(s.vector)
		}
		b.ReportMetric(float64(n)/float64(i), "features")
	})
	b.Run("split", func(b *testing.B) {
		var s scratch
		i := 0
		for b.Loop() {
			s.tokens.split(dev[i%len(dev)].Text)
			i++
		}
	})
}
