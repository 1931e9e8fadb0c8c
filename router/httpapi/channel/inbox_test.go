package channel

import (
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/memory/inmem"
)

// The inbox keeps messages in the order of the platform, or of their arrival if the platform does not
// number them. A message that comes again keeps its place.
func TestInbox(t *testing.T) {
	b := &inbox{store: inmem.New(nil), agent: "shop"}
	put := func(conversation, id string, order int64, after time.Duration) {
		t.Helper()
		e := &entry{Channel: "wall", Event: Event{ID: id, From: Address{User: "ann", Conversation: conversation}, Text: id, Order: order}}
		if err := b.put(t.Context(), e, noon.Add(after)); err != nil {
			t.Fatal(err)
		}
	}
	put("c1", "second", 20, 0)
	put("c1", "first", 10, time.Second)
	put("c2", "a", 0, 0)
	put("c2", "b", 0, time.Second)
	put("c2", "a", 0, 2*time.Second)
	ids := func(conversation string) []string {
		list, err := b.pending(t.Context(), conversation)
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, e := range list {
			out = append(out, e.ID)
		}
		return out
	}
	c1, c2 := b.conversation("wall", "c1"), b.conversation("wall", "c2")
	if diff := cmp.Diff([][]string{{"first", "second"}, {"a", "b"}}, [][]string{ids(c1), ids(c2)}); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	list, err := b.pending(t.Context(), c1)
	if err != nil || b.drop(t.Context(), &list[0]) != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"second"}, ids(c1)); diff != "" {
		t.Errorf("after the first: -want +got\n%s", diff)
	}
	if got := ids(""); len(got) != 3 {
		t.Errorf("%d messages in all", len(got))
	}
	b.from = noon.Add(time.Millisecond) // the store was put back
	if diff := cmp.Diff([]string{"b"}, ids("")); diff != "" {
		t.Errorf("of a store that was put back: -want +got\n%s", diff)
	}
}

// A flood of messages in one conversation is refused before it slows the inbox down.
func TestInboxIsBounded(t *testing.T) {
	w := &wall{}
	h, _ := outboxOf(w, inmem.New(nil))
	if err := h.Open(); err != nil {
		t.Fatal(err)
	}
	c := h.channels["wall"]
	for i := range maxPending {
		events := []Event{{ID: strconv.Itoa(i), From: Address{User: "ann", Conversation: "c1"}, Text: "hi"}}
		if h.full(t.Context(), c, events) {
			t.Fatalf("full after %d", i)
		}
		if err := h.store(t.Context(), c, events); err != nil {
			t.Fatal(err)
		}
	}
	if !h.full(t.Context(), c, []Event{{ID: "x", From: Address{User: "ann", Conversation: "c1"}}}) {
		t.Error("it is not full")
	}
	if h.full(t.Context(), c, []Event{{ID: "x", From: Address{User: "bob", Conversation: "c2"}}}) {
		t.Error("another conversation is full")
	}
}

func TestChannelsThatCannotWork(t *testing.T) {
	for name, list := range map[string][]Channel{
		"two of a name": {&wall{}, &wall{}},
		"no name":       {&wall{traits: &Traits{MaxText: 10, PerSecond: 1}}},
		"a path":        {&wall{traits: &Traits{Name: "a/b", MaxText: 10, PerSecond: 1}}},
		"no text":       {&wall{traits: &Traits{Name: "a", PerSecond: 1}}},
		"no rate":       {&wall{traits: &Traits{Name: "a", MaxText: 10}}},
	} {
		if err := New(&Options{Channels: list, Store: inmem.New(nil), AgentID: "shop"}).Open(); err == nil {
			t.Errorf("%s: it opened", name)
		}
	}
}
