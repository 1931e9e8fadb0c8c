//go:build unix

package linear

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/slotway/slotway/classifier/message"
)

// TestAccuracyOnSets prints a table of figures on public intent sets when SLOTWAY_DATA
// names a folder of SET/{train*,dev*}.jsonl; SLOTWAY_VECTORS may name a file of word
// vectors. The label "oos" is outside and is never trained on. It asserts nothing: the
// figures depend on the set.
func TestAccuracyOnSets(t *testing.T) {
	dir := os.Getenv("SLOTWAY_DATA")
	if dir == "" {
		t.Skip("SLOTWAY_DATA is not set")
	}
	var o Options
	if name := os.Getenv("SLOTWAY_VECTORS"); name != "" {
		o.Embedder = readVectors(t, name)
	}
	t.Log("set | accuracy | macro-F1 | at accept: points lost, outside refused % | outside refused % at 1 and 2 points (dev) | between the zones: inside %, outside % | train CPU s | KB | median µs")
	trains, _ := filepath.Glob(filepath.Join(dir, "*", "train*.jsonl"))
	for _, train := range trains {
		devs, _ := filepath.Glob(filepath.Join(filepath.Dir(train), "dev*.jsonl"))
		if len(devs) == 0 {
			continue
		}
		var dev []Example
		for _, name := range devs {
			dev = append(dev, readSet(t, name)...)
		}
		name := filepath.Base(filepath.Dir(train)) + "/" + strings.TrimSuffix(filepath.Base(train), ".jsonl")
		t.Log(name, measure(t, readSet(t, train), dev, &o))
	}
}

func measure(t *testing.T, train, dev []Example, o *Options) string {
	before := cpu()
	m, err := Train(slices.DeleteFunc(train, func(e Example) bool { return e.Intent == "oos" }), o)
	if err != nil {
		t.Fatal(err)
	}
	spent := cpu() - before
	var right, outside []float64 // confidences
	var took []time.Duration
	var buf []message.Score
	hit, said, is := map[string]float64{}, map[string]float64{}, map[string]float64{}
	for _, e := range dev {
		start := time.Now()
		buf = m.Rank(e.Text, buf[:0])
		took = append(took, time.Since(start))
		var best message.Score
		if len(buf) > 0 {
			best = buf[0]
		}
		if e.Intent == "oos" {
			outside = append(outside, best.Confidence)
			continue
		}
		is[e.Intent]++
		said[best.Intent]++
		if best.Intent == e.Intent {
			hit[e.Intent]++
			right = append(right, best.Confidence)
		}
	}
	inside := float64(len(dev) - len(outside))
	var f1 float64
	for intent, n := range is {
		f1 += 2 * hit[intent] / (n + said[intent]) / float64(len(is))
	}
	slices.Sort(right)
	slices.Sort(took)
	const accept, reject = acceptAt, rejectAt
	refused := func(at float64) float64 { return 100 * share(outside, at) }
	lost := share(right, accept) * float64(len(right)) / inside
	return fmt.Sprintf("| %.2f | %.2f | %.2f, %.1f | %.1f, %.1f | %.1f, %.1f | %.2f | %d | %.1f", 100*float64(len(right))/inside, 100*f1,
		100*lost, refused(accept), refused(right[int(0.01*inside)]), refused(right[int(0.02*inside)]),
		100*(share(right, accept)-share(right, reject)), refused(accept)-refused(reject),
		spent.Seconds(), m.Bytes()/1024, float64(took[len(took)/2].Nanoseconds())/1000)
}

// share of values below at.
func share(values []float64, at float64) float64 {
	var n float64
	for _, v := range values {
		if v < at {
			n++
		}
	}
	return n / max(1, float64(len(values)))
}

func cpu() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func readSet(t testing.TB, name string) []Example {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var set []Example
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		var e Example
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			t.Fatal(err)
		}
		set = append(set, e)
	}
	return set
}
