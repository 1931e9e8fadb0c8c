package postgres

import (
	"strings"
	"testing"
)

func TestWeakness(t *testing.T) {
	for _, c := range []struct {
		durability durability
		standbys   int
		want       string
	}{
		{durabilityStandby, 2, ""},
		{durabilityDisk, 0, ""},
		{durabilityUnknown, 0, ""},
		{durabilityDisk, 2, "standbys (2)"},
		{durabilityNone, 2, "before they are on its disk"},
	} {
		if got := weakness(c.durability, c.standbys); !strings.Contains(got, c.want) || got != "" && c.want == "" {
			t.Errorf("weakness of %q with %d standbys: %q, want %q", c.durability, c.standbys, got, c.want)
		}
	}
}
