package main

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// comparisonCSV is what benchstat printed, shortened.
const comparisonCSV = `goos: linux
pkg: github.com/slotway/slotway/memory/sqlite
cpu: X
,old,,new,,,
,sec/op,CI,sec/op,CI,vs base,P
Turn/a=1-2,1e-06,1%,1.3e-06,1%,~,p=0.333 n=6
New-2,,,1.004e-06,1%
geomean,1e-06,,1.5e-06,,+50.00%,

,old,,new,,,
,allocs/op,CI,allocs/op,CI,vs base,P
Turn/a=1-2,0,0%,3,0%,?,p=0.002 n=6
geomean,,,5.4,,?,

pkg: github.com/slotway/slotway/planner
,old,,new,,,
,sec/op,CI,sec/op,CI,vs base,P
Load-2,1e-06,1%,1.2e-06,1%,+20.00%,p=0.002 n=6
Save-2,1e-06,1%,1.05e-06,1%,+5.00%,p=0.002 n=6
Plan-2,1e-06,1%,0.5e-06,1%,-50.00%,p=0.002 n=6

,old,,new,,,
,B/op,CI,B/op,CI,vs base,P
Load-2,100,0%,200,0%,+100.00%,p=0.002 n=6

,old,,new,,,
,allocs/op,CI,allocs/op,CI,vs base,P
Load-2,100,0%,101,0%,+1.00%,p=0.002 n=6
Save-2,100,0%,103,0%,+3.00%,p=0.002 n=6
`

func TestWorse(t *testing.T) {
	rows, err := readComparison(strings.NewReader(comparisonCSV))
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != 8 {
		t.Errorf("%d rows compared, want 8: %v", len(rows), rows)
	}
	want := []string{
		"sqlite Turn/a=1-2: allocs/op rose by +Inf % (p=0.002 n=6), more than 2 %",
		"planner Load-2: sec/op rose by 20.0 % (p=0.002 n=6), more than 10 %",
		"planner Save-2: allocs/op rose by 3.0 % (p=0.002 n=6), more than 2 %",
	}
	if diff := cmp.Diff(want, (limits{time: 10, allocs: 2}).worse(rows)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if got := (limits{time: 25, allocs: math.Inf(1)}).worse(rows); got != nil {
		t.Errorf("with wider limits: %v", got)
	}
}

func TestComparisonOfNothing(t *testing.T) {
	if rows, err := readComparison(strings.NewReader("pkg: a/b\n,old,,new,,,\n,sec/op,CI,sec/op,CI,vs base,P\nNew-2,,,1,1%\n")); err == nil {
		t.Errorf("passed with %v", rows)
	}
}

func TestRunGate(t *testing.T) {
	file := filepath.Join(t.TempDir(), "comparison.csv")
	if err := os.WriteFile(file, []byte(comparisonCSV), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		code int
	}{
		{[]string{"gate", file}, 1},
		{[]string{"gate", "-time", "30", "-allocs", "1000", file}, 1}, // from zero, every rise is too much
		{[]string{"gate", file + "x"}, 2},
		{[]string{"gate"}, 2},
		{[]string{"gate", "-unknown", file}, 2},
		{[]string{"wrong"}, 2},
		{nil, 2},
	} {
		var out, errs strings.Builder
		if got := run(t.Context(), c.args, &out, &errs); got != c.code {
			t.Errorf("bench %v: code %d, want %d\n%s%s", c.args, got, c.code, &out, &errs)
		}
	}
}
