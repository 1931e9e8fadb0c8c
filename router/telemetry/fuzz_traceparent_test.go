package telemetry

import (
	"strings"
	"testing"
)

// FuzzTraceParent: what is handed on is short, printable and in the standard's form.
func FuzzTraceParent(f *testing.F) {
	const good = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
	for _, s := range []string{good, good + "-x", "01" + good[2:] + "-more", "ff" + good[2:], "", good + "\r\nX: y", strings.ToUpper(good), "cc" + good[2:] + "-\u202e"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if !ValidTraceParent(s) {
			return
		}
		fields := strings.SplitN(s, "-", 5)
		if len(s) > maxTraceParent || len(fields) < 4 || len(fields[1]) != 32 || len(fields[2]) != 16 || len(fields[3]) != 2 {
			t.Errorf("%q is taken", s)
		}
		if strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r > '~' }) {
			t.Errorf("%q is no header's value", s)
		}
		if fields[0] == "00" && s != strings.ToLower(s) {
			t.Errorf("%q has capitals", s)
		}
	})
}
