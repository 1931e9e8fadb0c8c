//go:build unix

package linear

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/slotway/slotway/classifier"
)

// TestAccuracyOnSets reports figures on public intent sets when SLOTWAY_DATA names a
// folder of SET/{train,dev}.jsonl. It asserts nothing: the figures depend on the set.
func TestAccuracyOnSets(t *testing.T) {
	dir := os.Getenv("SLOTWAY_DATA")
	if dir == "" {
		t.Skip("SLOTWAY_DATA is not set")
	}
	trains, _ := filepath.Glob(filepath.Join(dir, "*", "train*.jsonl"))
	for _, train := range trains {
		name := filepath.Base(filepath.Dir(train)) + "/" + filepath.Base(train)
		t.Run(name, func(t *testing.T) {
			dev := filepath.Join(filepath.Dir(train), "dev.jsonl")
			if _, err := os.Stat(dev); err != nil {
				t.Skip("no development split")
			}
			measure(t, readSet(t, train), readSet(t, dev))
		})
	}
}

func measure(t *testing.T, train, dev []Example) {
	before := cpu()
	var in []Example
	for _, e := range train {
		if e.Intent != "oos" {
			in = append(in, e)
		}
	}
	m, err := Train(in, nil)
	if err != nil {
		t.Fatal(err)
	}
	spent := cpu() - before
	var total, right, kept, outside, refused int
	var buf []classifier.Score
	start := time.Now()
	for _, e := range dev {
		buf = m.Rank(e.Text, buf[:0])
		accepted := buf[0].Confidence >= 0.55
		if e.Intent == "oos" {
			outside++
			if !accepted {
				refused++
			}
			continue
		}
		total++
		if buf[0].Intent == e.Intent {
			right++
			if accepted {
				kept++
			}
		}
	}
	t.Logf("accuracy %.2f, at 0.55 %.2f, refused %d of %d outside; %d intents, %d texts, %.2f CPU s, %v a text, %d KB, %+v",
		100*float64(right)/float64(total), 100*float64(kept)/float64(total), refused, outside,
		len(m.intents), len(in), spent.Seconds(), time.Since(start)/time.Duration(len(dev)), m.Bytes()/1024, m.curve)
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
