package memory_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/inmem"
)

func TestCheckTags(t *testing.T) {
	got, err := memory.CheckTags([]string{"b", "a", "b"})
	if diff := cmp.Diff([]string{"a", "b"}, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	for _, tag := range []string{"", " a", "a,b", "a\nb", strings.Repeat("x", memory.MaxTag+1), "\xff"} {
		if _, err := memory.CheckTags([]string{tag}); !errors.Is(err, memory.ErrBadTags) {
			t.Errorf("%q: %v", tag, err)
		}
	}
	if _, err := memory.CheckTags(make([]string, memory.MaxTags+1)); !errors.Is(err, memory.ErrBadTags) {
		t.Error("too many are taken")
	}
}

// A filter reads on until there are as many as are wanted, from either end, past pages in which
// there are none.
func TestFilteredPages(t *testing.T) {
	store := inmem.New(nil)
	s := session(t, memory.NewConversations(store, 1))
	for i := range 1500 {
		m := memory.Message{Role: memory.User, Text: "x", Timestamp: noon}
		if i%500 == 0 {
			m.Metadata = memory.Tagged([]string{"rare"})
		}
		s.Append(m)
	}
	commit(t, s)
	f := memory.Filter{Tags: []string{"rare"}}
	for name, test := range map[string]struct {
		page memory.Page
		want []int64
	}{
		"all":      {memory.Page{}, []int64{1, 501, 1001}},
		"two":      {memory.Page{Limit: 2}, []int64{1, 501}},
		"on":       {memory.Page{After: 501, Limit: 2}, []int64{1001}},
		"last":     {memory.Page{Last: true, Limit: 2}, []int64{501, 1001}},
		"last all": {memory.Page{Last: true, Limit: 9}, []int64{1, 501, 1001}},
	} {
		got, err := f.Of(t.Context(), store.Messages, key, test.page)
		if diff := cmp.Diff(test.want, seqs(got)); diff != "" || err != nil {
			t.Errorf("%s: %v (-want +got):\n%s", name, err, diff)
		}
	}
}
