package postgres

import (
	"strings"
	"testing"
)

func TestWeakness(t *testing.T) {
	for _, c := range []struct {
		h    Health
		want string
	}{
		{Health{Durability: DurabilityStandby, Standbys: 2}, ""},
		{Health{Durability: DurabilityDisk}, ""},
		{Health{}, ""},
		{Health{Durability: DurabilityDisk, Standbys: 2}, "standbys (2)"},
		{Health{Durability: DurabilityNone, Standbys: 2}, "before they are on its disk"},
	} {
		if got := weakness(c.h); !strings.Contains(got, c.want) || got != "" && c.want == "" {
			t.Errorf("weakness of %+v: %q, want %q", c.h, got, c.want)
		}
	}
}
