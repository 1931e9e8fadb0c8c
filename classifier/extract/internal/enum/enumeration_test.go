package enum

import "testing"

func TestDistance(t *testing.T) {
	for _, tc := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"order", "order", 0}, {"ordr", "order", 1}, {"odrer", "order", 1}, {"größe", "grösse", 2}, {"a", "abcd", 3}} {
		if got := distance(tc.a, tc.b, 2); got != tc.want {
			t.Errorf("distance(%q, %q) = %d, want %d", tc.a, tc.b, got, tc.want)
		}
	}
}
