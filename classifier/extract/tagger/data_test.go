//go:build unix

package tagger_test

import (
	"bufio"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/slotway/slotway/classifier/extract"
	"github.com/slotway/slotway/classifier/extract/tagger"
)

// line is one marked message of a public set.
type line struct {
	Text, Intent string
	Slots        []struct {
		Name       string
		Start, End int
	}
	Requested []string
}

// TestSpansOnSets reports exact-span F1 on public sets when SLOTWAY_DATA names a folder
// of SET/{train,dev}.jsonl. Where there is no dev.jsonl, every fifth message of train is
// held out, in five rounds. It asserts nothing: the figures depend on the set.
func TestSpansOnSets(t *testing.T) {
	dir := os.Getenv("SLOTWAY_DATA")
	if dir == "" {
		t.Skip("SLOTWAY_DATA is not set")
	}
	trains, _ := filepath.Glob(filepath.Join(dir, "*", "train*.jsonl"))
	for _, train := range trains {
		set := read(t, train)
		if !slices.ContainsFunc(set, func(l line) bool { return len(l.Slots) > 0 }) {
			continue
		}
		t.Run(filepath.Base(filepath.Dir(train))+"/"+filepath.Base(train), func(t *testing.T) {
			dev := filepath.Join(filepath.Dir(train), "dev.jsonl")
			if _, err := os.Stat(dev); err == nil {
				measure(t, set, [][2][]line{{set, read(t, dev)}})
				return
			}
			var rounds [][2][]line
			for fold := range 5 {
				var in, out []line
				for i, l := range set {
					if i%5 == fold {
						out = append(out, l)
					} else {
						in = append(in, l)
					}
				}
				rounds = append(rounds, [2][]line{in, out})
			}
			measure(t, set, rounds)
		})
	}
}

func measure(t *testing.T, all []line, rounds [][2][]line) {
	tags := map[string][]string{}
	for _, l := range all {
		for _, s := range l.Slots {
			if !slices.Contains(tags[l.Intent], s.Name) {
				tags[l.Intent] = append(tags[l.Intent], s.Name)
			}
		}
	}
	var hit, found, marked, texts int
	var spent, took time.Duration
	var mallocs uint64
	var bytes int
	for _, round := range rounds {
		examples := asExamples(round[0], tags)
		before := cpu()
		m := tagger.Train(examples, nil)
		spent += cpu() - before
		bytes = m.Bytes()
		dev := asExamples(round[1], tags)
		var spans []tagger.Span
		for _, e := range dev {
			m.Tag(e.Sentence, spans[:0])
		}
		var stat runtime.MemStats
		runtime.ReadMemStats(&stat)
		allocated, start := stat.Mallocs, cpu()
		for _, e := range dev {
			spans = m.Tag(e.Sentence, spans[:0])
			found += len(spans)
			marked += len(e.Spans)
			for _, s := range spans {
				s.Margin = 0
				if slices.Contains(e.Spans, s) {
					hit++
				}
			}
		}
		took += cpu() - start
		runtime.ReadMemStats(&stat)
		mallocs += stat.Mallocs - allocated
		texts += len(dev)
	}
	p, r := float64(hit)/math.Max(1, float64(found)), float64(hit)/float64(marked)
	t.Logf("F1 %.2f, precision %.2f, recall %.2f; %.2f CPU s a training, %v CPU and %.2f allocations a text, %d KB",
		200*p*r/(p+r), 100*p, 100*r, spent.Seconds()/float64(len(rounds)), took/time.Duration(texts),
		float64(mallocs)/float64(texts), bytes/1024)
}

// asExamples marks what the built-in types find.
func asExamples(lines []line, tags map[string][]string) []tagger.Example {
	now := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	var out []tagger.Example
	for _, l := range lines {
		e := tagger.Example{Sentence: tagger.Sentence{Text: l.Text, Tags: tags[l.Intent], Asked: l.Requested}}
		for _, v := range extract.Recognize(l.Text, now, nil) {
			e.Hits = append(e.Hits, tagger.Hit{Kind: v.Kind, Start: v.Start, End: v.End})
		}
		for _, s := range l.Slots {
			e.Spans = append(e.Spans, tagger.Span{Tag: s.Name, Start: s.Start, End: s.End})
		}
		out = append(out, e)
	}
	return out
}

func cpu() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func read(t *testing.T, name string) []line {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var set []line
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		var l line
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			t.Fatal(err)
		}
		set = append(set, l)
	}
	return set
}
