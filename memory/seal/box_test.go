package seal_test

import (
	"errors"
	"testing"

	"pgregory.net/rapid"

	"github.com/slotway/slotway/memory/seal"
)

// What was hidden comes back to the user, the kind and the row that it was hidden for, and to no other.
func TestBox(t *testing.T) {
	k := keys(t, newKey)
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SliceOf(rapid.Byte())
		first, second := text.Draw(t, "first"), text.Draw(t, "second")
		bound := func(row string) func() []byte { return func() []byte { return []byte(row) } }
		for _, own := range []*seal.Keys{k, nil} {
			a, b := first, second
			if err := own.Box("ada").Seal("message", bound("1"), &a, &b); err != nil {
				t.Fatal(err)
			}
			sealed := a
			if own != nil {
				for _, c := range []struct{ user, kind, row string }{{"eve", "message", "1"}, {"ada", "turn", "1"}, {"ada", "message", "2"}} {
					if a, b := sealed, []byte(nil); !errors.Is(own.Box(c.user).Open(c.kind, bound(c.row), &a, &b), seal.ErrTampered) {
						t.Fatalf("it opens for %v", c)
					}
				}
			}
			if err := own.Box("ada").Open("message", bound("1"), &a, &b); err != nil || string(a) != string(first) || string(b) != string(second) {
				t.Fatalf("%q, %q and %v, want %q and %q", a, b, err, first, second)
			}
		}
	})
}
