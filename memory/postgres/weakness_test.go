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
		{Health{Promise: PromiseStandby, Followers: 2}, ""},
		{Health{Promise: PromiseDisk}, ""},
		{Health{}, ""},
		{Health{Promise: PromiseDisk, Followers: 2}, "standbys (2)"},
		{Health{Promise: PromiseNothing, Followers: 2}, "before they are on its disk"},
	} {
		if got := weakness(c.h); !strings.Contains(got, c.want) || got != "" && c.want == "" {
			t.Errorf("weakness of %+v: %q, want %q", c.h, got, c.want)
		}
	}
}
