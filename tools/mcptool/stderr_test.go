package mcptool_test

import (
	"strings"
	"testing"

	"github.com/slotway/slotway/tools/mcptool"
)

// What a server's program writes to its standard error is told by lines, bounded, with what
// must not be logged beside it.
func TestStderr(t *testing.T) {
	decl := stdio(t)
	decl.Env["SECRET"] = "${TOKEN}"
	told := make(chan mcptool.StderrLine, 8)
	s, err := mcptool.NewServer(decl, lookup, nil)
	if err != nil {
		t.Fatal(err)
	}
	s.OnStderr(func(l mcptool.StderrLine) { told <- l })
	if _, err := call(t.Context(), s, "complains"); err == nil {
		t.Error("the tool did not fail")
	}
	first := <-told
	if first.Server != "other" || first.Line != strings.Repeat("x", 1<<10) {
		t.Errorf("%s: a line of %d bytes, want %d", first.Server, len(first.Line), 1<<10)
	}
	values := first.Values[""].([]any)
	var secret bool
	for _, v := range values[0].([]any) {
		secret = secret || v == canary
	}
	if !secret || len(values) != 2 || values[1].(map[string]any)["arguments"].(map[string]any)["text"] != canary {
		t.Errorf("values that must not be logged: %v, want the variable's and the argument's", values)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if last := <-told; last.Line != "last without an end" {
		t.Errorf("the last line is %q", last.Line)
	}
}
