package router_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/router"
)

// What a turn did gives its messages their importance: a value that was taken, one that was
// corrected, a confirmation that was settled, a write that was reported. What the sender says
// counts where it is more, and tags go with both sides.
func TestTheTurnGivesImportance(t *testing.T) {
	w := newFixture(t, true)
	for i, in := range []router.Interaction{
		{Text: "count"},
		{Text: "find I-7", Tags: []string{"b", "a", "b"}},
		{Text: "find I-8"},
		{Text: "buy I-8"},
		{Text: "yes"},
		{Text: "count", Importance: 3},
		{Text: "find I-8", Importance: 1},
	} {
		in.ID, in.Context.SessionID = fmt.Sprint(i), "s"
		if _, err := w.Handle(t.Context(), in); err != nil {
			t.Fatal(err)
		}
	}
	list, err := w.Store.Messages(t.Context(), memory.Key{UserID: "local", AgentID: "test", SessionID: "s"}, memory.Page{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for i := range list {
		if m := &list[i]; m.Role == memory.User || m.Importance > 0 || len(m.Tags()) > 0 {
			got = append(got, fmt.Sprintf("%s %q %d %v", m.Role, m.Text, m.Importance, m.Tags()))
		}
	}
	want := []string{
		`user "count" 0 []`,
		`user "find I-7" 1 [a b]`, `agent "Found: I-7." 0 [a b]`,
		`user "find I-8" 2 []`, // a correction
		`user "buy I-8" 0 []`,
		`user "yes" 2 []`, `agent "Bought I-8." 2 []`,
		`user "count" 3 []`,
		`user "find I-8" 1 []`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, in := range []router.Interaction{{Text: "count", Importance: 4}, {Text: "count", Importance: -1}, {Text: "count", Tags: []string{"a,b"}}} {
		if _, err := w.Handle(t.Context(), in); !errors.Is(err, router.ErrBadInteraction) {
			t.Errorf("%+v: %v, want ErrBadInteraction", in, err)
		}
	}
}
