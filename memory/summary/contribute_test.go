package summary

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/prompt"
	"github.com/slotway/slotway/memory/window"
)

// context assembles what the window and the tier know.
func (k *talk) context(tier *Tier, budget int) memory.Context {
	k.t.Helper()
	tiers := []memory.Tier{window.New(window.Limits{MaxTurns: k.window}), tier}
	c, err := memory.Assemble(context.Background(), tiers, k.request(budget))
	if err != nil {
		k.t.Fatal(err)
	}
	return c
}

// uncovered are the active messages that are neither verbatim in the context nor told.
func (k *talk) uncovered(tier *Tier, budget int) []int64 {
	k.t.Helper()
	c := k.context(tier, budget)
	if len(c.Failed) > 0 {
		k.t.Fatalf("failed: %v", c.Failed)
	}
	list, err := k.store.Messages(context.Background(), key, memory.Page{})
	if err != nil {
		k.t.Fatal(err)
	}
	var out []int64
	for _, m := range list {
		verbatim := slices.ContainsFunc(slices.Concat(c.Kept, c.Recent), func(v memory.Message) bool { return v.Seq == m.Seq && v.Text == m.Text })
		if !verbatim && m.Seq > c.SummarizedUpTo {
			out = append(out, m.Seq)
		}
	}
	for i := 1; i < len(c.Recent); i++ {
		if c.Recent[i].Seq <= c.Recent[i-1].Seq {
			k.t.Errorf("message %d after %d", c.Recent[i].Seq, c.Recent[i-1].Seq)
		}
	}
	return out
}

// Whatever happens to a session, no message is in neither.
func TestCoverage(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		k := newTalk(t)
		store := &counted{Backend: k.store}
		tier := New(store, &Options{
			Strategy: rapid.SampledFrom([]Strategy{Summarization, Hybrid}).Draw(r, "strategy"),
			Trigger:  rapid.IntRange(1, 12).Draw(r, "trigger"), Recent: rapid.IntRange(1, 6).Draw(r, "recent"),
			BlockSize:       rapid.IntRange(1, 9).Draw(r, "block"),
			ThresholdTokens: rapid.IntRange(20, 400).Draw(r, "threshold"), Compress: rapid.Bool().Draw(r, "compress"),
		})
		for i := range rapid.IntRange(1, 25).Draw(r, "actions") {
			switch rapid.IntRange(0, 11).Draw(r, "action") {
			default:
				var lines []string
				for j := range rapid.IntRange(1, 6).Draw(r, "messages") {
					who := rapid.SampledFrom([]string{"user", "agent", "tool x"}).Draw(r, "who")
					lines = append(lines, fmt.Sprintf("%s: %s %d.%d", who, rapid.SampledFrom([]string{"I went to Oslo", "Thanks!", "Never call me", "{}", ""}).Draw(r, "text"), i, j))
				}
				k.turn(nil, lines...)
			case 5, 6:
				k.work(tier)
			case 7:
				k.chatter(rapid.IntRange(1, 8).Draw(r, "turns"))
			case 8:
				n := rapid.IntRange(1, 6).Draw(r, "after")
				store.fails = func(string) error {
					if n--; n < 0 {
						return memory.ErrUnavailable
					}
					return nil
				}
				_ = tier.Work(context.Background(), memory.Job{Key: key}) // fails or not
				store.fails = nil
			case 9:
				k.change(func(s *memory.Session) error { _, err := s.Clear(); return err })
			case 10:
				k.change(func(s *memory.Session) error {
					if _, err := s.Undo(context.Background()); err != nil && !errors.Is(err, memory.ErrNoSnapshot) && !errors.Is(err, memory.ErrNotFound) {
						return err
					}
					return nil
				})
			case 11:
				k.change(func(s *memory.Session) error { s.Prune(rapid.IntRange(0, 20).Draw(r, "keep")); return nil })
			}
			if snap, err := k.store.Load(context.Background(), key, memory.LoadOptions{}); err != nil || snap.State.Version == 0 {
				continue
			}
			if list := k.uncovered(tier, rapid.SampledFrom([]int{0, 50, 1000}).Draw(r, "budget")); list != nil {
				r.Fatalf("after %d actions: neither verbatim nor told: %v", i+1, list)
			}
		}
	})
}

// A short session is the window's alone.
func TestWindowAlone(t *testing.T) {
	k := newTalk(t)
	tier := New(k.store, nil)
	k.chatter(4)
	k.work(tier)
	got := k.context(tier, 0)
	if len(got.Recent) != 8 || got.Narrative != "" || got.Facts != nil || got.SummarizedUpTo != 0 {
		t.Errorf("%+v", got)
	}
}

func TestLongSession(t *testing.T) {
	k := newTalk(t)
	tier := New(k.store, nil)
	k.turn(nil, "user: My name is Alice Moreau.", "agent: Hello!")
	k.chatter(99)
	k.work(tier)
	got := k.context(tier, 0)
	if got.SummarizedUpTo < 160 || got.Recent[0].Seq > got.SummarizedUpTo+1 || len(got.Recent) > 34 {
		t.Errorf("summarised up to %d, then %d messages from %d", got.SummarizedUpTo, len(got.Recent), got.Recent[0].Seq)
	}
	if n := window.Estimate(got.Narrative); n > 500 || n < 300 {
		t.Errorf("the narrative has %d tokens", n)
	}
	if len(got.Facts) != 1 || got.Facts[0].Value != "Alice Moreau" {
		t.Errorf("facts %+v", got.Facts)
	}
	if again := k.context(New(k.store, nil), 0); cmp.Diff(got, again) != "" {
		t.Errorf("it varies: %s", cmp.Diff(got, again))
	}
	// A job that never ran: what is too long for the context is told inline.
	if err := tier.Drop(context.Background(), key); err != nil {
		t.Fatal(err)
	}
	late := prompt.Fit(k.context(tier, 1000), "and now?", 1000, nil)
	if late.Narrative == "" || window.Estimate(late.Narrative) > 500 || len(late.Recent) != 8 {
		t.Errorf("without a block: %d recent, narrative %q", len(late.Recent), late.Narrative)
	}
	if list := k.uncovered(tier, 1000); list != nil {
		t.Errorf("uncovered %v", list)
	}
}

// The window has never more turns than its limit: not after compressions, with a summary, below its
// trigger, or when the summary is switched off again. What happened before it is told.
func TestTheWindowIsNotExtended(t *testing.T) {
	compressing := Options{CompressionOnly: true, Compress: true, ThresholdTokens: 400, Keep: 10}
	for _, o := range []Options{compressing, {Recent: 20}, {Trigger: 200}, {Compress: true, ThresholdTokens: 400}, {Strategy: Hybrid}} {
		for _, turns := range []int{2, 8} {
			k := newTalk(t)
			k.window = turns
			tier := New(k.store, &o)
			k.turn(nil, "user: My name is Alice Moreau.", "agent: Hello!")
			for range 5 {
				k.chatter(7)
				k.work(tier)
				for _, tier := range []*Tier{tier, New(k.store, &compressing)} {
					for _, budget := range []int{0, 4096} {
						c := prompt.Fit(k.context(tier, budget), "and now?", budget, nil)
						if said(c.Recent) > 2*turns {
							t.Fatalf("%+v, budget %d: %d messages of at most %d turns", o, budget, said(c.Recent), turns)
						}
					}
				}
			}
			if c := k.context(tier, 4096); !slices.ContainsFunc(c.Facts, func(f memory.Fact) bool { return f.Value == "Alice Moreau" }) {
				t.Errorf("%+v: facts %+v", o, c.Facts)
			}
		}
	}
}

// What was said before a pause is told after it, also in a session too short for a summary, and
// before the job that covers it ran. What was forgotten is not.
func TestBeforeAPauseIsTold(t *testing.T) {
	for _, o := range []Options{{CompressionOnly: true, Compress: true, KeepsRested: true}, {KeepsRested: true}, {Strategy: Hybrid, KeepsRested: true}} {
		k := newTalk(t)
		tier := New(k.store, &o)
		told := func(when string, want bool) {
			t.Helper()
			c := k.context(tier, 4096)
			if has := len(c.Facts) > 0 && c.Facts[0].Value == "Alice Moreau"; has != want {
				t.Errorf("%+v, %s: facts %+v", o, when, c.Facts)
			}
			if len(c.Recent) > 0 && strings.Contains(c.Recent[0].Text, "Alice") {
				t.Errorf("%+v, %s: it is in the window", o, when)
			}
		}
		k.turn(nil, "user: My name is Alice Moreau.", "agent: Hello!")
		before := k.request(0)
		k.change(func(s *memory.Session) error { s.Rest(); return nil })
		told("at once", true)
		k.turn(nil, "user: Good morning.", "agent: Hello!")
		told("before the job", true)
		if !tier.Wants(memory.Progress{Before: before.NextSeq, NextSeq: before.NextSeq + 2, Floor: before.NextSeq}) {
			t.Errorf("%+v: no job", o)
		}
		k.work(tier)
		if len(k.views("block/")) != 1 {
			t.Errorf("%+v: %d blocks", o, len(k.views("block/")))
		}
		told("after the job", true)
		k.change(func(s *memory.Session) error { _, err := s.Clear(); return err })
		k.turn(nil, "user: Good evening.", "agent: Hello!")
		told("forgotten", false)
	}
}

// The store that fails takes the tier out of the turn, and the window serves.
func TestStoreFails(t *testing.T) {
	k := newTalk(t)
	k.chatter(50)
	store := &counted{Backend: k.store}
	tier := New(store, nil)
	k.work(tier)
	k.chatter(10) // more than a request has loaded
	for _, call := range []string{"views", "messages"} {
		store.fails = func(c string) error {
			if c == call {
				return memory.ErrUnavailable
			}
			return nil
		}
		got := k.context(tier, 0)
		if diff := cmp.Diff([]string{"summary"}, got.Failed); diff != "" || len(got.Recent) != 8 || got.Narrative != "" {
			t.Errorf("%s: failed %v, %d recent, narrative %q", call, got.Failed, len(got.Recent), got.Narrative)
		}
	}
}

// A param that changed since the last block does not stand there with its old value.
func TestFactsAreCurrent(t *testing.T) {
	k := newTalk(t)
	tier := New(k.store, &Options{Trigger: 4, Recent: 2, BlockSize: 4})
	for range 6 {
		k.turn(map[string]any{"city": "Oslo"}, "user: hello", "agent: hi")
	}
	k.work(tier)
	k.turn(map[string]any{"city": "Bergen"}, "user: Bergen rather", "agent: ok")
	got := k.context(tier, 0)
	if len(got.Facts) != 1 || got.Facts[0].Value != "Bergen" || got.Facts[0].Origin != memory.FromSlot {
		t.Errorf("%+v", got.Facts)
	}
}

func TestHybridKeeps(t *testing.T) {
	k := newTalk(t)
	options := Options{Strategy: Hybrid}
	k.turn(nil, "user: I am allergic to penicillin.", "agent: Noted.")
	k.turn(nil, "user: !The code word is heron.", "agent: Fine.")
	for i := range 30 {
		k.turn(nil, fmt.Sprintf("user: I will take the size %d shoes", i), "agent: ok")
	}
	texts := func(o Options) (out []string) {
		tier := New(k.store, &o)
		k.work(tier)
		for _, m := range k.context(tier, 0).Kept {
			out = append(out, m.Text)
		}
		return out
	}
	got := texts(options)
	if len(got) != maxKept || got[0] != "I am allergic to penicillin." {
		t.Errorf("kept %q", got)
	}
	if !strings.Contains(strings.Join(got, ""), "size 2") {
		t.Errorf("kept %q", got)
	}
	options.Strategy = Summarization
	if got := texts(options); got != nil {
		t.Errorf("summarization keeps %q", got)
	}
}

func TestImportance(t *testing.T) {
	for text, want := range map[string]int{
		"user: I'm allergic to nuts":                    3,
		"user: my son is severely allergic":             3,
		"user: I'm not allergic to anything":            0,
		"user: I can't eat that, I'm allergic to nuts":  3,
		"user: Never call me at work":                   2,
		"user: No, I meant the blue one":                2,
		"user: Yes, go ahead":                           2,
		"user: I'll take the second one":                2,
		"user: cancel my order please":                  2,
		"agent: Your flight has been booked":            2,
		"agent: Never call me":                          0,
		"user: thanks a lot":                            0,
		"user: my name is Ada":                          1,
		"user: where is order #1234":                    1,
		"agent: Your parcel is delivered":               1,
		"agent: Where is your parcel":                   0,
		"user: no":                                      0,
		"user: what would it cost to send it to Paris?": 0,
	} {
		who, said, _ := strings.Cut(text, ": ")
		if got := Importance(&memory.Message{Role: memory.Role(who), Text: said}); got != want {
			t.Errorf("Importance(%q) = %d, want %d", text, got, want)
		}
	}
	if got := Importance(&memory.Message{Role: memory.Tool, Importance: 2}); got != 2 {
		t.Errorf("a flag counts %d", got)
	}
}

func TestCompress(t *testing.T) {
	k := newTalk(t)
	tier := New(k.store, &Options{Compress: true, ThresholdTokens: 600, Keep: 14})
	k.chatter(10)
	k.work(tier)
	if floor := k.request(0).Floor; floor != 1 {
		t.Errorf("below the threshold the floor is %d", floor)
	}
	for range 20 {
		k.chatter(5)
		k.work(tier)
		if list := k.uncovered(tier, 0); list != nil {
			t.Fatalf("uncovered %v", list)
		}
	}
	snap, err := k.store.Load(context.Background(), key, memory.LoadOptions{Recent: 1000})
	if err != nil {
		t.Fatal(err)
	}
	if n := len(snap.Recent); n < 14 || n > 60 || snap.Recent[0].Turn == 1 || snap.Recent[0].Role != memory.User || !snap.UpdatedAt.Equal(k.now) {
		t.Errorf("%d active messages from a %s's, updated at %v", n, snap.Recent[0].Role, snap.UpdatedAt)
	}
	all, err := k.store.Messages(context.Background(), key, memory.Page{Inactive: true})
	if err != nil || len(all) != 220 {
		t.Errorf("%d messages are stored, %v", len(all), err)
	}
}
