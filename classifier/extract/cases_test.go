package extract

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// caseKinds maps the names of the public recogniser cases to built-in types. Kinds that
// Slotway lacks (ranges, recurrences) are left out of the count on both sides.
var caseKinds = map[string]string{
	"number": "number", "ordinal": "ordinal", "percentage": "percentage", "currency": "money", "phonenumber": "phone",
	"email": "email", "url": "url", "datetimeV2.date": "date", "datetimeV2.time": "time",
	"datetimeV2.datetime": "datetime", "datetimeV2.duration": "duration",
}

// TestSpansOnCases reports how many cases of FOLDER/TYPE.core.jsonl have exactly the
// expected spans, when SLOTWAY_CASES names the folder. SLOTWAY_CASES_SHOW=TYPE prints
// the differences. It asserts nothing.
func TestSpansOnCases(t *testing.T) {
	dir := os.Getenv("SLOTWAY_CASES")
	if dir == "" {
		t.Skip("SLOTWAY_CASES is not set")
	}
	for _, kind := range []string{"number", "ordinal", "percentage", "currency", "phonenumber", "email", "url", "datetime"} {
		var cases, exact, supported int
		for _, c := range readCases(t, filepath.Join(dir, kind+".core.jsonl")) {
			cases++
			now := time.Date(2016, 11, 7, 0, 0, 0, 0, time.UTC)
			if at, err := time.Parse("2006-01-02T15:04:05", c.Reference); err == nil {
				now = at
			}
			want, all := c.spans()
			var got []string
			for _, e := range Recognize(c.Input, now, nil) {
				if e.Kind == caseKinds[kind] || kind == "datetime" && strings.Contains("date time datetime duration", e.Kind) {
					got = append(got, e.Text)
				}
			}
			if all {
				supported++
			}
			diff := cmp.Diff(want, got)
			if diff == "" && all {
				exact++
			} else if all && os.Getenv("SLOTWAY_CASES_SHOW") == kind {
				t.Logf("%q: want %q, got %q", c.Input, want, got)
			}
		}
		t.Logf("%s: %d of %d exact (%d of a supported kind)", kind, exact, cases, supported)
	}
}

type recogniserCase struct {
	Input     string
	Reference string `json:"reference_date"`
	Expected  []struct{ Text, Type string }
}

// spans returns the expected texts, and whether all are of a kind that Slotway has.
func (c recogniserCase) spans() (texts []string, all bool) {
	all = true
	for _, e := range c.Expected {
		if caseKinds[e.Type] == "" {
			all = false
			continue
		}
		texts = append(texts, e.Text)
	}
	return texts, all
}

func readCases(t *testing.T, name string) []recogniserCase {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []recogniserCase
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var c recogniserCase
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		out = append(out, c)
	}
	return out
}
