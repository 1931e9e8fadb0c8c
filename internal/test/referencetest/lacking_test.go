package referencetest

import (
	"strings"
	"testing"

	"github.com/slotway/slotway/config/reference"
)

// The texts of an area are compared with its entries both ways.
func TestLacking(t *testing.T) {
	texts := reference.MustTexts("test.yaml", []byte("shop: {meaning: A shop., example: \"shop: {}\"}\nstall: {meaning: A small shop.}\n"))
	a := &reference.Area{Entries: []*reference.Entry{texts.Fill("agent", "", "shop"), texts.Fill("agent", "", "mill")}}
	got := strings.Join(Lacking(texts, a, ""), "\n")
	for _, want := range []string{"mill has no meaning", "mill has no example", "there is no key stall"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
}
