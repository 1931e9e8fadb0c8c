package naming

import (
	"fmt"
	"strings"
	"testing"
)

func TestNearest(t *testing.T) {
	known := []string{"order_id", "email", "zip", "respond"}
	for in, want := range map[string]string{"orderid": "order_id", "Order-ID": "order_id", "emial": "email", "repsond": "respond", "banana": "", "zp": "zip"} {
		if got := Nearest(in, known); got != want {
			t.Errorf("nearest(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestSuggestLists(t *testing.T) {
	var known []string
	for i := range MostListed {
		known = append(known, fmt.Sprintf("intent_%02d", i))
	}
	got := Suggest("banana", known)
	for _, name := range known {
		if !strings.Contains(got, name) {
			t.Errorf("%q lacks %s", got, name)
		}
	}
	if got := Suggest("banana", append(known, "last", "least")); !strings.HasSuffix(got, "intent_39 and 2 more") {
		t.Errorf("got %q", got)
	}
}
