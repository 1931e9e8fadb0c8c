package extract

import "testing"

func TestDenies(t *testing.T) {
	x := bistro()
	for text, want := range map[string]bool{
		"not inside": true, "none whatsoever": true, "neither of us smokes": true,
		"two cats": false, "never without my dog": false, "not sure": false,
	} {
		if got := Denies(x.Cut(text), 0, len(text)); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
	if !Denies(x.Cut("not the blue one"), 8, 12) {
		t.Error("the words before it do not deny")
	}
}
