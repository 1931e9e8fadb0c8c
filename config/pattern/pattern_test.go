package pattern

import (
	"strings"
	"testing"
)

func TestPatternIsCompiledAtItsFirstUse(t *testing.T) {
	before := declared
	defer func() { declared = before }()
	good, bad := Must(`a(b+)`), Must(`(`)
	if good.compiled != nil {
		t.Error("it is compiled where it is declared")
	}
	if got := good.FindStringSubmatch("xabb"); len(got) != 2 || got[1] != "bb" {
		t.Errorf("found %q", got)
	}
	if good.String() != `a(b+)` {
		t.Errorf("it is called %q", good)
	}
	if err := Check(); err == nil || !strings.Contains(err.Error(), `"("`) {
		t.Errorf("the check says %v", err)
	}
	defer func() {
		if recover() == nil {
			t.Error("a wrong pattern matches")
		}
	}()
	bad.MatchString("")
}
