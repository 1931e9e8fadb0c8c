package sqlite

import (
	"database/sql/driver"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/slotway/slotway/memory"
)

// What a turn or a worker asks the file walks along an index and sorts nothing, so that it
// costs the same however many sessions, messages and jobs there are.
func TestNoStatementOfATurnScans(t *testing.T) {
	store := open(t, newFile(t), nil)
	furnish(t, store, 2, 2)
	for name, text := range map[string]string{
		"head": selectCounters, "state": selectState, "current": selectCurrent, "orphans": selectLostState, "started": selectStarted,
		"replay": selectTurn, "messages": selectMessages, "job": selectJob, "due": selectDue, "view": selectViewName,
		"update": updateState,
	} {
		t.Run(name, func(t *testing.T) {
			plan := planOf(t, store, text)
			if strings.Contains(plan, "SCAN") || strings.Contains(plan, "TEMP B-TREE") {
				t.Errorf("%s\nis carried out as\n%s", text, plan)
			}
		})
	}
	for text, want := range map[string]string{
		selectDue:    "INDEX jobs_due (kind=? AND run_at<?)",
		selectRanked: "COVERING INDEX turns_by_request (session=?)",
	} {
		if plan := planOf(t, store, text); !strings.Contains(plan, want) {
			t.Errorf("%s\nis carried out as\n%s\nwant %s", text, plan, want)
		}
	}
}

// SQLite compiles a statement anew whenever a parameter that stands alone behind LIMIT is
// bound, which costs more than most statements do.
func TestNoStatementIsCompiledAnew(t *testing.T) {
	alone := regexp.MustCompile(`(LIMIT|OFFSET) *\?`)
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if found := alone.FindString(string(text)); found != "" && file != "plan_test.go" {
			t.Errorf("%s: %q; write 0 + ?", file, found)
		}
	}
}

// planOf is how SQLite carries out a statement.
func planOf(t *testing.T, store *Store, text string) string {
	t.Helper()
	var plan strings.Builder
	if err := store.readers.with(t.Context(), func(c *conn) error {
		args := make([]driver.Value, strings.Count(text, "?"))
		if strings.Contains(text, "?1") { // numbered, and some are used twice
			n := 1
			for strings.Contains(text, fmt.Sprint("?", n)) {
				n++
			}
			args = args[:n-1]
		}
		return c.query("EXPLAIN QUERY PLAN "+text, func(row []driver.Value) error {
			fmt.Fprintln(&plan, asText(row[3]))
			return nil
		}, args...)
	}); err != nil {
		t.Fatal(err)
	}
	return plan.String()
}

// Jobs are claimed by kind, the longest due first over all of them.
func TestClaimOverKinds(t *testing.T) {
	store := open(t, newFile(t), nil)
	now := time.Now()
	for i, kind := range []string{"b", "a", "b", "c"} {
		d := turnOf(benchKey(i), mustLoad(t, store, benchKey(i), memory.LoadOptions{}), now)
		d.Jobs = []memory.WantedJob{{Kind: kind, RunAt: now.Add(time.Duration(i) * time.Second)}}
		mustCommit(t, store, d)
	}
	later := memory.Claim{Now: now.Add(time.Minute), Lease: time.Minute}
	for _, c := range []struct {
		kinds []string
		limit int
		want  string
	}{
		{[]string{"c", "a"}, 1, "a"},
		{nil, 2, "bb"},
		{[]string{"a", "b"}, 9, ""},
		{nil, 9, "c"},
		{nil, 9, ""},
	} {
		later.Kinds, later.Limit = c.kinds, c.limit
		list, err := store.Claim(t.Context(), later)
		var got strings.Builder
		for _, j := range list {
			got.WriteString(j.Kind)
		}
		if err != nil || got.String() != c.want {
			t.Errorf("of %q %q are claimed, want %q (%v)", c.kinds, got.String(), c.want, err)
		}
	}
}
