package summary

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/prompt"
)

// Compression leaves exactly as many messages active as it is told, also in the middle of a turn,
// by itself or beside the summary; what it takes away is told.
func TestCompressionIsExact(t *testing.T) {
	for _, only := range []bool{true, false} {
		for _, keep := range []int{1, 4, 5, 13} {
			k := newTalk(t)
			tier := New(k.store, &Options{Compress: true, ThresholdTokens: 600, Keep: keep, CompressionOnly: only})
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
	tier := New(k.store, &Options{Compress: true, CompressionOnly: true})
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

// said counts the messages that are told word for word.
func said(list []memory.Message) (n int) {
	for i := range list {
		if spoken(&list[i]) {
			n++
		}
	}
	return n
}

// Beyond the trigger exactly so many of the newest messages are given word for word once the
// summary is up to date; tools' results do not count. Until then those that it does not tell
// stand there too, and the background is never far behind.
func TestRecentIsExact(t *testing.T) {
	for _, tools := range []bool{false, true} {
		for _, recent := range []int{1, 3, 10, 15} {
			k := newTalk(t)
			k.window, k.conv = 40, memory.NewConversations(k.store, 100)
			tier := New(k.store, &Options{Trigger: 20, Recent: recent})
			for turns := range 60 {
				before := k.request(0)
				k.chatter(1)
				if tools {
					k.turn(nil, "user: where is it", `tool find: {"n":1}`, "agent: There.")
				}
				if now := k.request(0); tier.Wants(memory.Progress{Before: before.NextSeq, NextSeq: now.NextSeq, Floor: 1}) {
					k.work(tier)
				}
				n := 2 * (turns + 1)
				if tools {
					n *= 2
				}
				if n <= 20 {
					continue
				}
				s, err := tier.Read(context.Background(), key)
				if err != nil {
					t.Fatal(err)
				}
				c := k.context(tier, 0)
				switch verbatim, first := said(c.Recent), c.Recent[0].Seq; {
				case verbatim < recent || verbatim > recent+15+3:
					t.Fatalf("recent %d: %d messages of %d are verbatim", recent, verbatim, n)
				case verbatim > recent && first != s.SummarizedUpTo+1:
					t.Fatalf("recent %d: verbatim from %d, summarised up to %d", recent, first, s.SummarizedUpTo)
				}
				if list := k.uncovered(tier, 0); list != nil {
					t.Fatalf("uncovered %v", list)
				}
			}
			if err := tier.Update(context.Background(), key); err != nil {
				t.Fatal(err)
			}
			if c := k.context(tier, 0); said(c.Recent) != recent || c.SummarizedUpTo != c.Recent[0].Seq-1 {
				t.Errorf("recent %d, up to date: %d messages from %d, summarised up to %d", recent, said(c.Recent), c.Recent[0].Seq, c.SummarizedUpTo)
			}
		}
	}
}

// An update covers all but the newest messages, once, and leaves the blocks as they are.
func TestUpdate(t *testing.T) {
	for _, o := range []Options{{}, {Trigger: 2, Recent: 1}, {Trigger: 4, Recent: 10}} {
		k := newTalk(t)
		tier := New(k.store, &o)
		k.chatter(11)
		k.work(tier)
		first := k.views("block/")
		k.chatter(2)
		for range 2 {
			if err := tier.Update(context.Background(), key); err != nil {
				t.Fatal(err)
			}
			s, err := tier.Read(context.Background(), key)
			if want := int64(26 - New(k.store, &o).opts.Recent); err != nil || s.SummarizedUpTo != want {
				t.Errorf("%+v: up to %d, want %d, %v", o, s.SummarizedUpTo, want, err)
			}
		}
		if diff := cmp.Diff(first, k.views("block/")[:len(first)]); diff != "" {
			t.Errorf("blocks changed:\n%s", diff)
		}
	}
	k := newTalk(t)
	tier := New(k.store, nil)
	k.chatter(10)
	if err := tier.Update(context.Background(), key); err != nil || len(k.views("")) != 0 {
		t.Errorf("a short session has %d views, %v", len(k.views("")), err)
	}
}

// What no block covers stands there word for word as far as the budget goes, and its facts are
// told at once; where the budget does not hold, its own sentences tell it.
func TestUncoveredIsVerbatim(t *testing.T) {
	k := newTalk(t)
	k.window, k.conv = 20, memory.NewConversations(k.store, 100)
	tier := New(k.store, &Options{Recent: 4})
	k.chatter(9)
	k.work(tier)
	k.turn(nil, "user: My name is Alice Moreau.", "agent: Sure, noted.")
	long := strings.Repeat("We went on to the next harbour and wrote about it. ", 15)
	for i := range 5 {
		k.turn(nil, fmt.Sprintf("user: Day %d. %s", i, long), "agent: Sure, noted.")
	}
	for _, budget := range []int{0, 20000} {
		c := prompt.Fit(k.context(tier, budget), "and now?", budget, nil)
		if first := c.Recent[0].Seq; budget > 0 && first != 1 {
			t.Errorf("budget %d: verbatim from %d of %d", budget, first, 30)
		}
		if len(c.Facts) != 1 || c.Facts[0].Value != "Alice Moreau" {
			t.Errorf("budget %d: facts %+v", budget, c.Facts)
		}
	}
	for _, strategy := range []Strategy{Summarization, Hybrid} {
		tier := New(k.store, &Options{Recent: 4, Strategy: strategy})
		c := prompt.Fit(k.context(tier, 1200), "and now?", 1200, nil)
		var told strings.Builder
		told.WriteString(c.Narrative)
		for _, m := range slices.Concat(c.Kept, c.Recent) {
			told.WriteString(m.Text)
		}
		for _, want := range []string{"Alice", "Day 0", "Day 1", "Day 2", "Day 3", "Day 4"} {
			if !strings.Contains(told.String(), want) {
				t.Errorf("%s: %q is told nowhere:\n%s", strategy, want, told.String())
			}
		}
	}
}
