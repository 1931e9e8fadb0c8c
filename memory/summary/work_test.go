package summary

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/memory"
)

func (k *talk) views(prefix string) []memory.View {
	k.t.Helper()
	list, err := k.store.Views(context.Background(), memory.ViewQuery{SessionID: key.SessionID, Tier: Name, Prefix: prefix})
	if err != nil {
		k.t.Fatal(err)
	}
	return list
}

// A conversation whose facts were checked by hand.
func TestFactsOfAConversation(t *testing.T) {
	k := newTalk(t)
	tier := New(k.store, &Options{Trigger: 6, Recent: 2, BlockSize: 4, Sensitive: func(p string) bool { return p == "email" }})
	k.turn(nil, "user: Hi! My name is Alice Moreau.", "agent: Hello Alice!")
	k.turn(map[string]any{"order_id": "O-12345"}, "user: Where is O-12345?", `tool find_orders: {"id":"O-12345","status":"pending"}`, "agent: It is pending.")
	k.turn(map[string]any{"order_id": "O-777", "email": "al@ex.example"}, "user: And O-777? Write to al@ex.example", `tool find_orders: {"id":"O-12345","status":"shipped"}`, "agent: Your order has been cancelled.")
	k.turn(map[string]any{"email": "al@ex.example"}, "user: I'll take the red one then.", "agent: Fine.")
	k.chatter(3)
	k.work(tier)
	got, err := tier.Read(context.Background(), key)
	if err != nil {
		t.Fatal(err)
	}
	var facts []string
	for _, f := range got.Facts {
		line := fmt.Sprintf("%s=%s %s #%d %s", f.Key, f.Value, f.Origin, f.Source, f.ValidFrom.Format("15:04"))
		if !open(&f) {
			line += "-" + f.ValidTo.Format("15:04")
		}
		if f.Sensitive {
			line += " sensitive"
		}
		facts = append(facts, line)
	}
	want := []string{
		"name=Alice Moreau user #1 09:01",
		"order_id=O-12345 slot #3 09:02-09:03",
		"find_orders[O-12345].id=O-12345 tool #4 09:02",
		"find_orders[O-12345].status=pending tool #4 09:02-09:03",
		"email=al@ex.example slot #6 09:03-09:05 sensitive",
		"order_id=O-777 slot #6 09:03-09:04",
		"find_orders[O-12345].status=shipped tool #7 09:03-09:03",
		"order_status=cancelled rule #8 09:03",
		"decision=I'll take the red one then user #9 09:04",
	}
	if diff := cmp.Diff(want, facts); diff != "" {
		t.Errorf("facts (-want +got):\n%s", diff)
	}
	for _, part := range []string{"[2026-03-02] user: ", "My name is Alice Moreau", "user: I'll take the red one then."} {
		if !strings.Contains(got.Narrative, part) {
			t.Errorf("the narrative lacks %q:\n%s", part, got.Narrative)
		}
	}
}

// What is not summarised yet ends a fact already: nobody is told that an order is pending whose
// cancellation was just confirmed.
func TestTheTailEndsFacts(t *testing.T) {
	k := newTalk(t)
	tier := New(k.store, &Options{Trigger: 6, Recent: 2, BlockSize: 4})
	k.turn(nil, "user: Where is O-12345?", `tool find_orders: {"id":"O-12345","status":"pending"}`, "agent: It is on its way.")
	k.chatter(3)
	k.work(tier)
	k.turn(nil, "user: cancel it", "agent: Cancel order O-12345?")
	k.turn(nil, "user: yes", `tool cancel_order: {"changed":1}`, "agent: Done: order O-12345 is cancelled.")
	s, err := tier.Read(context.Background(), key)
	if err != nil {
		t.Fatal(err)
	}
	ended := false
	for _, f := range s.Facts {
		ended = ended || f.Value == "pending" && f.ValidTo.Equal(k.now)
	}
	if !ended {
		t.Errorf("pending has no end: %+v", s.Facts)
	}
	session, err := k.conv.ForSession(context.Background(), key)
	if err != nil {
		t.Fatal(err)
	}
	var c memory.Context
	if err := tier.Contribute(context.Background(), session.Request("hi", k.now, 0), &c); err != nil {
		t.Fatal(err)
	}
	if len(c.Facts) == 0 || slices.ContainsFunc(c.Facts, func(f memory.Fact) bool { return f.Value == "pending" }) {
		t.Errorf("a model would be told %+v", c.Facts)
	}
}

// Blocks are made once: later work leaves them as they are, and what is dropped is made
// again the same.
func TestBlocksAreImmutableAndRebuilt(t *testing.T) {
	k := newTalk(t)
	tier := New(k.store, nil)
	k.chatter(30)
	k.work(tier)
	first := k.views("block/")
	if len(first) < 2 {
		t.Fatalf("%d blocks", len(first))
	}
	k.chatter(40)
	k.work(tier)
	all := k.views("")
	if diff := cmp.Diff(first, k.views("block/")[:len(first)]); diff != "" {
		t.Errorf("blocks changed:\n%s", diff)
	}
	if err := tier.Drop(context.Background(), key); err != nil {
		t.Fatal(err)
	}
	k.work(tier)
	if diff := cmp.Diff(all, k.views("")); diff != "" {
		t.Errorf("made again, they differ:\n%s", diff)
	}
	last := int64(0)
	for _, v := range k.views("block/") {
		var b block
		if err := json.Unmarshal(v.Data, &b); err != nil || b.From != last+1 || b.UpTo != v.UpTo {
			t.Fatalf("block %s: from %d after %d, %v", v.ID, b.From, last, err)
		}
		last = b.UpTo
	}
	if next := int64(2*70 + 1); last >= next-10 || last < next-10-22 {
		t.Errorf("covered up to %d of %d", last, next-1)
	}
}

// Every message is read a bounded number of times, however long the session grows.
func TestWorkIsLinear(t *testing.T) {
	k := newTalk(t)
	store := &counted{Backend: k.store}
	tier := New(store, nil)
	reads := func(turns int) int64 {
		store.reads.Store(0)
		for range turns / 5 {
			k.chatter(5)
			k.work(tier)
		}
		return store.reads.Load()
	}
	early := reads(100)
	reads(200)
	late := reads(100)
	if late > early*3/2 {
		t.Errorf("100 turns took %d reads at first, %d after 300 turns", early, late)
	}
}

func TestClearBeginsAnew(t *testing.T) {
	k := newTalk(t)
	tier := New(k.store, &Options{Strategy: Hybrid})
	k.turn(map[string]any{"city": "Oslo"}, "user: My name is Alice and I am allergic to nuts.", "agent: Noted.")
	k.chatter(30)
	k.work(tier)
	k.change(func(s *memory.Session) error { _, err := s.Clear(); return err })
	floor := k.request(0).Floor
	if got := k.context(tier, 0); got.Narrative != "" || got.Facts != nil || got.Kept != nil {
		t.Errorf("after clear: %+v", got)
	}
	k.chatter(40)
	if diff := cmp.Diff([]int64(nil), k.uncovered(tier, 0)); diff != "" {
		t.Errorf("uncovered %s", diff)
	}
	k.work(tier)
	got := k.context(tier, 0)
	if got.SummarizedUpTo < floor || strings.Contains(got.Narrative, "Alice") || got.Narrative == "" || got.Kept != nil {
		t.Errorf("the new epoch tells %+v", got)
	}
	for _, f := range got.Facts {
		if f.Source < floor {
			t.Errorf("%s is from before", f.Key)
		}
	}
}

// The session's epoch can be found again when pruning has raised the floor since.
func TestRebuildTellsWhatWasPruned(t *testing.T) {
	k := newTalk(t)
	tier := New(k.store, nil)
	k.chatter(10)
	k.change(func(s *memory.Session) error { _, err := s.Clear(); return err })
	k.chatter(40)
	k.work(tier)
	want := k.views("")
	k.change(func(s *memory.Session) error { s.Prune(12); return nil })
	if err := tier.Drop(context.Background(), key); err != nil {
		t.Fatal(err)
	}
	k.work(tier)
	if diff := cmp.Diff(want, k.views("")); diff != "" {
		t.Error(diff)
	}
}

func (k *talk) undo(n int) {
	for range n {
		k.change(func(s *memory.Session) error { _, err := s.Undo(context.Background()); return err })
	}
}

func TestUndoIntoWhatWasSummarised(t *testing.T) {
	k := newTalk(t)
	tier := New(k.store, &Options{Trigger: 4, Recent: 2, BlockSize: 4})
	k.chatter(4)
	k.turn(map[string]any{"city": "Atlantis"}, "user: My name is Nemo.", "agent: Hello.")
	k.chatter(4)
	k.work(tier)
	if got := k.context(tier, 0); !strings.Contains(fmt.Sprint(got.Facts), "Nemo") {
		t.Fatalf("facts %+v", got.Facts)
	}
	k.undo(5)
	k.chatter(2)
	for _, when := range []string{"before", "after"} {
		got := k.context(tier, 0)
		if strings.Contains(fmt.Sprint(got), "Nemo") || strings.Contains(fmt.Sprint(got), "Atlantis") {
			t.Errorf("%s the job: what was undone is told: %+v", when, got)
		}
		if list := k.uncovered(tier, 0); list != nil {
			t.Errorf("%s the job: uncovered %v", when, list)
		}
		k.chatter(6)
		k.work(tier)
	}
	if got := k.context(tier, 0); got.SummarizedUpTo == 0 {
		t.Error("it is not summarised again")
	}
}

func TestTwoWorkers(t *testing.T) {
	k := newTalk(t)
	tier := New(k.store, nil)
	k.chatter(100)
	k.work(tier)
	want := k.views("")
	if err := tier.Drop(context.Background(), key); err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			if err := tier.Work(context.Background(), memory.Job{Key: key}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if diff := cmp.Diff(want, k.views("")); diff != "" {
		t.Error(diff)
	}
}

// Wherever the store fails, what was done stays, and the next run goes on from there.
func TestWorkFailsInTheMiddle(t *testing.T) {
	for call, every := range map[string]int{"load": 3, "views": 7, "messages": 5, "turns": 3, "put": 3} {
		k := newTalk(t)
		k.chatter(60)
		plain := New(k.store, nil)
		k.work(plain)
		want := k.views("")
		if err := plain.Drop(context.Background(), key); err != nil {
			t.Fatal(err)
		}
		calls := 0
		store := &counted{Backend: k.store}
		store.fails = func(c string) error {
			if c == call {
				if calls++; calls%every == 0 {
					return memory.ErrUnavailable
				}
			}
			return nil
		}
		tier := New(store, nil)
		failures := 0
		for range 50 {
			err := tier.Work(context.Background(), memory.Job{Key: key})
			if err == nil {
				break
			}
			if !errors.Is(err, memory.ErrUnavailable) {
				t.Fatalf("%s: %v", call, err)
			}
			failures++
		}
		if diff := cmp.Diff(want, k.views("")); diff != "" || failures == 0 {
			t.Errorf("%s: %d failures, %s", call, failures, diff)
		}
	}
}

func TestSessionThatIsGone(t *testing.T) {
	k := newTalk(t)
	tier := New(k.store, &Options{Compress: true})
	k.work(tier)
	k.chatter(30)
	if err := k.store.Delete(context.Background(), key); err != nil {
		t.Fatal(err)
	}
	k.work(tier)
	if list := k.views(""); len(list) != 0 {
		t.Errorf("%d views", len(list))
	}
}

// A view that is damaged, or of another release, is made again.
func TestDamagedViews(t *testing.T) {
	for _, id := range []string{rollupID, wordsID} {
		for _, data := range []string{`{"version":99,"up_to":7}`, `{`, `null`} {
			k := newTalk(t)
			tier := New(k.store, nil)
			k.chatter(30)
			k.work(tier)
			want := k.views("")
			i := slices.IndexFunc(want, func(v memory.View) bool { return v.ID == id })
			bad := want[i]
			bad.Data = []byte(data)
			if _, err := k.store.PutViews(context.Background(), []memory.View{bad}); err != nil {
				t.Fatal(err)
			}
			if list := k.uncovered(tier, 0); list != nil {
				t.Errorf("%s %s: uncovered %v", id, data, list)
			}
			k.work(tier)
			if diff := cmp.Diff(want, k.views("")); diff != "" {
				t.Errorf("%s %s: %s", id, data, diff)
			}
		}
	}
}

func TestWants(t *testing.T) {
	k := newTalk(t)
	tier := New(k.store, nil)
	n := 0
	for turn := range int64(100) {
		if tier.Wants(memory.Progress{Before: 2*turn + 1, NextSeq: 2*turn + 3, Floor: 1}) {
			if n++; 2*turn+2 <= 20 {
				t.Errorf("wanted after %d messages", 2*turn+2)
			}
		}
	}
	if n < 30 || n > 40 {
		t.Errorf("%d runs of 100 turns", n)
	}
	big := memory.Message{Role: memory.User, Text: strings.Repeat("word ", 5000)}
	if !tier.Wants(memory.Progress{Before: 1, NextSeq: 2, Floor: 1, Messages: []memory.Message{big}}) {
		t.Error("a huge message is not wanted")
	}
}
