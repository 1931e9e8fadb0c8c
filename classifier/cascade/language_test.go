package cascade

import "testing"

func TestSpokenCountsRuns(t *testing.T) {
	for text, want := range map[string]int{
		"yes please do": 3, "好": 1, "好的": 1, "谢谢你": 2, "好的，可是我的订单在哪里": 6, "ใช่ครับ": 2, "O-12345 hallo": 3,
	} {
		if got := spoken(cut(text, nil)); got != want {
			t.Errorf("%q has %d words, want %d", text, got, want)
		}
	}
}
