package source

import (
	"testing"
)

func TestExpand(t *testing.T) {
	lookup := func(name string) (string, bool) { return "<" + name + ">", name != "NONE" }
	for _, c := range []struct{ in, want string }{
		{"", ""}, {"a ${B} $c", "a <B> $c"}, {"$${B} ${C}", "${B} <C>"}, {"${A}${B}", "<A><B>"},
	} {
		if got, err := Expand(c.in, lookup); err != nil || got != c.want {
			t.Errorf("Expand(%q) = %q, %v, want %q", c.in, got, err, c.want)
		}
	}
	for _, bad := range []string{"${NONE}", "${", "${}", "${a b}"} {
		if _, err := Expand(bad, lookup); err == nil {
			t.Errorf("Expand(%q) is no error", bad)
		}
	}
}
