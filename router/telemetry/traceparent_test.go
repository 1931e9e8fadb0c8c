package telemetry

import (
	"strings"
	"testing"
)

func TestValidTraceParent(t *testing.T) {
	const good = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
	for name, c := range map[string]struct {
		header string
		want   bool
	}{
		"good":               {good, true},
		"not sampled":        {good[:53] + "00", true},
		"next version":       {"01" + good[2:], true},
		"with more fields":   {"01" + good[2:] + "-more", true},
		"empty":              {"", false},
		"short":              {good[:54], false},
		"more in version 00": {good + "-more", false},
		"glued":              {"01" + good[2:] + "more", false},
		"control byte":       {"01" + good[2:] + "-a\nb", false},
		"long":               {"01" + good[2:] + "-" + strings.Repeat("a", 100), false},
		"version ff":         {"ff" + good[2:], false},
		"no trace":           {"00-" + strings.Repeat("0", 32) + good[35:], false},
		"no parent":          {good[:36] + strings.Repeat("0", 16) + "-01", false},
		"upper case":         {strings.ToUpper(good), false},
		"no hex":             {"0g" + good[2:], false},
		"dash within":        {"00-0af7651916cd43dd-448eb211c80319c" + good[35:], false},
		"no dash":            {strings.Replace(good, "-", "0", 1), false},
	} {
		if got := ValidTraceParent(c.header); got != c.want {
			t.Errorf("%s: ValidTraceParent(%q) = %v", name, c.header, got)
		}
	}
}
