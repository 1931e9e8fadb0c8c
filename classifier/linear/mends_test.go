package linear

import "testing"

// TestMends tells messages that are read with other words than were written.
func TestMends(t *testing.T) {
	m := train(t, lights(), &Options{Dictionary: words("please tune whether card weather")})
	for text, want := range map[string]bool{
		"turn on the lamp":      false,
		"swich the lights on":   true,
		"weathr":                false, // a common word, of which the agent has none: nothing depends on it
		"xqzvw the lamp":        false, // nothing is near
		"tune the card, please": false,
		"":                      false,
	} {
		if got := m.Mends(text); got != want {
			t.Errorf("Mends(%q) = %v", text, got)
		}
	}
	if n := testing.AllocsPerRun(100, func() { m.Mends("swich the kitchn lights on") }); n > 0 && !raceEnabled {
		t.Errorf("%v allocations", n)
	}
}
