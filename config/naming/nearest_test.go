package naming

import (
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
