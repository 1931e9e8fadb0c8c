package acts

import (
	"testing"

	"github.com/slotway/slotway/classifier/message"
)

// What is certain must be certain, in every writing.
func TestCertain(t *testing.T) {
	for _, tc := range []struct {
		text  string
		act   message.Act
		least float32
	}{
		{"Yes", message.ActYes, 0.9},
		{"YESSS", message.ActYes, 0.9},
		{"y", message.ActYes, 0.9},
		{"👍🏽", message.ActYes, 0.9},
		{"k", message.ActYes, 0.6},
		{"hell yes", message.ActYes, 0.9},
		{"noooo", message.ActNo, 0.9},
		{"n", message.ActNo, 0.9},
		{"👎", message.ActNo, 0.9},
		{"hmmmm", message.ActHold, 0.9},
		{"one sec", message.ActHold, 0.9},
		{"idk", message.ActUnknown, 0.9},
		{"never mind", message.ActStop, 0.9},
		{"don’t", message.ActNo, 0.9},
	} {
		if got := Of(tc.text, 0)[tc.act]; got < tc.least {
			t.Errorf("Of(%q): %s is %.2f, want %.2f or more", tc.text, tc.act, got, tc.least)
		}
	}
}

// What has a yes in it, and is none: it is asked about, put off, bound, or somebody else's.
func TestNoYes(t *testing.T) {
	for _, tc := range []struct {
		text string
		mark rune
	}{
		{"yes", '?'},
		{"ok", '?'},
		{"that is ok", '?'},
		{"if yes then do it", 0},
		{"i said yes", 0},
		{"you said yes", 0},
		{"just say yes", 0},
		{"yes tomorrow", 0},
		{"do it tomorrow", 0},
		{"do it after the holidays", 0},
		{"i don't see why", 0},
		{"yes why", 0},
		{"yes means what", 0},
		{"is yes the default", 0},
		{"yes yes yes no", 0},
		{"go away", 0},
		{"correct me", 0},
		{"that would be bad", 0},
		{`"meaning": "confirm", "confirmed": true`, 0},
		{"yes, the other one", 0},
	} {
		if got := Of(tc.text, tc.mark)[message.ActYes]; got >= 0.5 {
			t.Errorf("Of(%q, %q): yes is %.2f", tc.text, tc.mark, got)
		}
	}
	for _, text := range []string{"do it after all", "i don't see why not", "by all means do", "sorry i meant yes", "i already said yes", "that's what i want", "yes that is exactly how i want it"} {
		if got := Of(text, 0)[message.ActYes]; got < 0.5 {
			t.Errorf("Of(%q): yes is %.2f", text, got)
		}
	}
}

// A lone word near to one that is known is not that word.
func TestLoneWords(t *testing.T) {
	for _, text := range []string{"plaid", "striped", "taupe", "quinoa"} {
		a := Of(text, 0)
		if act, p := a.Best(); p >= 0.5 {
			t.Errorf("Of(%q): %s is %.2f", text, act, p)
		}
	}
}

func TestDecodeBroken(t *testing.T) {
	for _, data := range [][]byte{nil, []byte("x"), modelFile[:100], append(modelFile[:len(modelFile):len(modelFile)], 0)} {
		if _, err := Decode("en", data); err == nil {
			t.Errorf("Decode of %d bytes: no error", len(data))
		}
	}
}

func BenchmarkOf(b *testing.B) {
	for name, text := range map[string]string{"phrase": "yes please", "short": "where is my parcel", "long": "i would like to know whether the blanket that i ordered two weeks ago is on its way"} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Of(text, 0)
			}
		})
	}
}

func FuzzOf(f *testing.F) {
	f.Add("yes, please", '?')
	f.Add("\xff👍", rune(0))
	f.Fuzz(func(t *testing.T, text string, mark rune) {
		for a, p := range Of(text, mark) {
			if !(p >= 0 && p <= 1) {
				t.Fatalf("act %d of %q is %v", a, text, p)
			}
		}
	})
}
