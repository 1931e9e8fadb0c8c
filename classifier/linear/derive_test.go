package linear

import (
	"testing"

	"github.com/slotway/slotway/classifier/internal/hashing"
)

// Words that are made of known ones stay, although an own word is a slip away; slips in such
// words are repaired as ever.
func TestDerived(t *testing.T) {
	common := words("please swipe cancel support lock stupid receive transfer the account machine activate")
	s := newSpeller(map[string]int32{
		"wiped": 3, "canceled": 2, "supported": 4, "unlocks": 3, "stupid": 1, "receiving": 2, "account": 5, "card": 4, "red": 2, "transferred": 3,
	}, common)
	for _, text := range []string{"swiped", "canceling", "unsupported", "relocked", "transfers", "machines"} {
		var m misspelt
		if m.read([]byte(text)); len(s.stem([]byte(text), &m)) == 0 {
			t.Errorf("%q is no word", text)
		}
		if got, ok := s.repair([]byte(text), &m, hashing.NewTable(0), nil); ok {
			t.Errorf("%q becomes %q", text, got)
		}
	}
	for text, want := range map[string]string{
		"acount": "account", "recieving": "receiving", "transfered": "transferred", "suported": "supported", "cardd": "card", "reds": "red", "unlocsk": "unlocks",
		"accounts": "account", // on the same stem, and known better
	} {
		var m misspelt
		if !m.read([]byte(text)) {
			t.Fatalf("%q is not read", text)
		}
		if got, _ := s.repair([]byte(text), &m, hashing.NewTable(0), nil); string(got) != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
	var m misspelt
	pairs, word := hashing.NewTable(0), []byte("unsupported")
	into := make([]byte, 0, 64)
	if n := testing.AllocsPerRun(20, func() { m.read(word); into, _ = s.repair(word, &m, pairs, into[:0]) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// A rare word does not give way to another form of itself.
func TestSameWord(t *testing.T) {
	for _, pair := range [][2]string{{"machines", "machine"}, {"notice", "noticed"}, {"accepts", "accept"}, {"accept", "accepted"}, {"lend", "lender"}} {
		if !sameWord([]byte(pair[0]), pair[1]) {
			t.Errorf("%q and %q are two words", pair[0], pair[1])
		}
	}
	for _, pair := range [][2]string{{"unlock", "unblock"}, {"tip", "tips"}, {"meal", "real"}, {"machine", "machine"}, {"lock", "locket"}} {
		if sameWord([]byte(pair[0]), pair[1]) {
			t.Errorf("%q and %q are one word", pair[0], pair[1])
		}
	}
	var common list
	for range rareRank {
		common = append(common, "")
	}
	m := train(t, lights(), &Options{Dictionary: append(common, "kitchens", "lampe", "halls")})
	for text, meant := range map[string]string{"the kitchens": "the kitchens", "up the halls": "up the halls"} {
		var s scratch
		m.vocabulary.vectorise(text, &s)
		if got := s.meant(text); got != meant {
			t.Errorf("%q is taken for %q, want %q", text, got, meant)
		}
	}
}
