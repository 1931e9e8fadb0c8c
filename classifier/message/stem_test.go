package message

import "testing"

func TestStem(t *testing.T) {
	// Words that take every step of the algorithm.
	tests := []struct{ word, want string }{
		{"stresses", "stress"},
		{"berries", "berri"},
		{"cats", "cat"},
		{"moss", "moss"},
		{"freed", "freed"},
		{"decreed", "decre"},
		{"painted", "paint"},
		{"bled", "bled"},
		{"singing", "sing"},
		{"king", "king"},
		{"inflated", "inflat"},
		{"enabled", "enabl"},
		{"sized", "size"},
		{"shipping", "ship"},
		{"calling", "call"},
		{"buzzing", "buzz"},
		{"passing", "pass"},
		{"hoping", "hope"},
		{"filing", "file"},
		{"boxing", "box"},
		{"jolly", "jolli"},
		{"cry", "cry"},
		{"national", "nation"},
		{"relational", "relat"},
		{"emergency", "emerg"},
		{"tolerance", "toler"},
		{"organizer", "organ"},
		{"possibly", "possibl"},
		{"usually", "usual"},
		{"frequently", "frequent"},
		{"merely", "mere"},
		{"seriously", "serious"},
		{"organization", "organ"},
		{"creator", "creator"},
		{"realism", "realism"},
		{"effectiveness", "effect"},
		{"usefulness", "us"},
		{"nervousness", "nervous"},
		{"formality", "formal"},
		{"activity", "activ"},
		{"ability", "abil"},
		{"psychology", "psycholog"},
		{"biology", "biologi"},
		{"indicate", "indic"},
		{"normative", "norm"},
		{"finalize", "final"},
		{"musical", "music"},
		{"careful", "care"},
		{"kindness", "kind"},
		{"approval", "approv"},
		{"reference", "refer"},
		{"airliner", "airlin"},
		{"replacement", "replac"},
		{"adjustment", "adjust"},
		{"dependent", "depend"},
		{"adoption", "adopt"},
		{"tension", "tension"},
		{"rate", "rate"},
		{"controlling", "control"},
		{"roll", "roll"},
		{"probate", "probat"},
		{"cease", "ceas"},
		{"by", "by"},
		{"skies", "ski"},
	}
	for _, test := range tests {
		if got := StemOf(test.word); got != test.want {
			t.Errorf("stem(%q) = %q, want %q", test.word, got, test.want)
		}
	}
}

func TestMeasure(t *testing.T) {
	for word, want := range map[string]int{"tree": 0, "by": 0, "oats": 1, "trouble": 1, "orrery": 2, "private": 2, "say": 1, "yoyo": 1} {
		if got := measure([]byte(word)); got != want {
			t.Errorf("measure(%q) = %d, want %d", word, got, want)
		}
	}
}

func TestDistance(t *testing.T) {
	for _, tc := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"order", "order", 0}, {"ordr", "order", 1}, {"odrer", "order", 1}, {"größe", "grösse", 2}, {"a", "abcd", 3}} {
		if got := Distance(tc.a, tc.b, 3); got != tc.want {
			t.Errorf("Distance(%q, %q) = %d, want %d", tc.a, tc.b, got, tc.want)
		}
	}
}
