package summary

import (
	"context"
	"testing"

	"github.com/slotway/slotway/memory"
)

// Compression leaves exactly as many messages active as it is told, also in the middle of a turn,
// by itself or beside the summary; what it takes away is told.
func TestCompressionIsExact(t *testing.T) {
	for _, only := range []bool{true, false} {
		for _, keep := range []int{1, 4, 5, 13} {
			k := newTalk(t)
			tier := New(k.store, &Options{Compress: true, ThresholdTokens: 600, Keep: keep, Only: only})
			rounds := 0
			for range 40 {
				k.chatter(3)
				before := k.active()
				k.work(tier)
				switch n := k.active(); {
				case n == before && before > 60:
					t.Fatalf("%d messages are active: nothing was compressed", n)
				case n != before && n != keep:
					t.Fatalf("only %t: %d messages are active, want %d", only, n, keep)
				case n != before:
					rounds++
					if list := k.uncovered(tier, 0); list != nil {
						t.Fatalf("uncovered %v", list)
					}
				}
			}
			if rounds < 3 {
				t.Errorf("only %t, keep %d: compressed %d times", only, keep, rounds)
			}
			if only {
				if c := k.context(tier, 0); c.Narrative == "" {
					t.Error("nothing tells what was compressed")
				}
			}
		}
	}
}

func (k *talk) active() int {
	k.t.Helper()
	snap, err := k.store.Load(context.Background(), key, memory.LoadOptions{Recent: 1000})
	if err != nil {
		k.t.Fatal(err)
	}
	return len(snap.Recent)
}

// By itself it says nothing until it has set in, and looks ever more rarely.
func TestCompressionAloneIsQuiet(t *testing.T) {
	k := newTalk(t)
	tier := New(k.store, &Options{Compress: true, Only: true})
	k.chatter(40)
	k.work(tier)
	if c := k.context(tier, 0); c.Narrative != "" || len(c.Facts) > 0 || len(c.Recent) != 8 {
		t.Errorf("below the threshold it adds %d facts and %q, the window has %d messages", len(c.Facts), c.Narrative, len(c.Recent))
	}
	n := 0
	for turn := range int64(500) {
		if tier.Wants(memory.Progress{Before: 2*turn + 1, NextSeq: 2*turn + 3, Floor: 1}) {
			n++
		}
	}
	if n < 12 || n > 20 {
		t.Errorf("it looks %d times in 500 turns", n)
	}
}

// Beyond the trigger exactly so many of the newest messages are given word for word.
func TestRecentIsExact(t *testing.T) {
	for _, recent := range []int{3, 10, 15} {
		k := newTalk(t)
		tier := New(k.store, &Options{Trigger: 20, Recent: recent})
		for turns := range 60 {
			k.chatter(1)
			if turns%4 == 0 {
				k.work(tier)
			}
			c := k.context(tier, 0)
			if n := 2 * (turns + 1); n > 20 && len(c.Recent) != recent {
				t.Fatalf("recent %d: %d messages of %d are verbatim", recent, len(c.Recent), n)
			}
			if list := k.uncovered(tier, 0); list != nil {
				t.Fatalf("uncovered %v", list)
			}
		}
	}
}
