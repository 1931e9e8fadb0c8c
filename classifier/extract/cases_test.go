package extract

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// caseKinds maps the names of the public recogniser cases to built-in types.
var caseKinds = map[string]string{
	"number": "number", "ordinal": "ordinal", "percentage": "percentage", "currency": "money", "phonenumber": "phone",
	"email": "email", "url": "url", "datetimeV2.date": "date", "datetimeV2.time": "time",
	"datetimeV2.datetime": "datetime", "datetimeV2.duration": "duration", "datetimeV2.daterange": "daterange",
	"datetimeV2.timerange": "timerange", "datetimeV2.datetimerange": "datetimerange", "datetimeV2.set": "recurrence",
}

// TestSpansOnCases reports how many cases of FOLDER/TYPE.core.jsonl have exactly the
// expected spans, when SLOTWAY_CASES names the folder. SLOTWAY_CASES_SHOW=TYPE prints
// the differences. It asserts nothing.
func TestSpansOnCases(t *testing.T) {
	dir := os.Getenv("SLOTWAY_CASES")
	if dir == "" {
		t.Skip("SLOTWAY_CASES is not set")
	}
	for _, kind := range []string{"number", "ordinal", "percentage", "currency", "phonenumber", "email", "url"} {
		var cases, exact, supported int
		for _, c := range readCases(t, filepath.Join(dir, kind+".core.jsonl")) {
			cases++
			want, all := c.spans()
			var got []string
			for _, e := range Recognize(c.Input, c.now(), nil) {
				if e.Kind == caseKinds[kind] {
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
	Expected  []struct {
		Text, Type string
		Start, End int
		Resolution struct{ Values []map[string]any }
	}
}

// timeKinds are the built-in types of time.
var timeKinds = []string{"date", "time", "datetime", "duration", "daterange", "timerange", "datetimerange", "recurrence"}

// TestTimesOnCases reports how many of FOLDER/datetime.core.jsonl and of the harder
// datetime.stretch.jsonl have exactly the expected spans; how many have their types and
// all resolved values, too; and how many where each value that a param would take is
// among them. It asserts nothing.
func TestTimesOnCases(t *testing.T) {
	dir := os.Getenv("SLOTWAY_CASES")
	if dir == "" {
		t.Skip("SLOTWAY_CASES is not set")
	}
	for _, part := range []string{"core", "stretch"} {
		var cases, spans, exact, among int
		for _, c := range readCases(t, filepath.Join(dir, "datetime."+part+".jsonl")) {
			cases++
			want, listed := c.times()
			var places, got []string
			chosen := true
			for _, e := range Recognize(c.Input, c.now(), nil) {
				if !slices.Contains(timeKinds, e.Kind) {
					continue
				}
				places = append(places, fmt.Sprintf("%d-%d", e.Start, e.End))
				line := timeLine(e.Start, e.End, e.Text, e.Kind, e.Resolution)
				got = append(got, line)
				chosen = chosen && slices.Contains(want, line) && valueListed(e)
			}
			sameSpans := slices.Equal(listed, places)
			if sameSpans {
				spans++
			}
			same := slices.Equal(want, got)
			if same {
				exact++
			}
			if same && chosen {
				among++
			}
			if !same && os.Getenv("SLOTWAY_CASES_SHOW") == "datetime."+part {
				t.Logf("%q\nwant %s\n got %s", c.Input, strings.Join(want, "\n     "), strings.Join(got, "\n     "))
			}
		}
		t.Logf("datetime.%s: of %d cases %d have the spans, %d all values, %d of these a chosen value among them", part, cases, spans, exact, among)
	}
}

// valueListed reports whether the value of an entity is one that its resolution lists.
func valueListed(e Entity) bool {
	v, ok := e.Value.(string)
	if !ok || e.Kind == "duration" || e.Kind == "recurrence" {
		return true
	}
	for _, r := range e.Resolution {
		if e.Kind == "time" || e.Kind == "timerange" {
			v = strings.ReplaceAll(v, "T", "")
			r = strings.ReplaceAll(strings.ReplaceAll(r, ":00/", "/"), ":00", "")
			v = strings.ReplaceAll(v, ":00", "")
		}
		if strings.ReplaceAll(v, "T", " ") == r || v == r {
			return true
		}
	}
	return false
}

// times renders what a case expects, a line for each entity, and its spans.
func (c recogniserCase) times() (lines, places []string) {
	for _, e := range c.Expected {
		var values []string
		for _, v := range e.Resolution.Values {
			text := func(key string) string {
				if s, ok := v[key].(string); ok {
					return s
				}
				return ".."
			}
			if v["value"] != nil {
				values = append(values, text("value"))
			} else {
				values = append(values, text("start")+"/"+text("end"))
			}
		}
		lines = append(lines, timeLine(e.Start, e.End, e.Text, caseKinds[e.Type], values))
		places = append(places, fmt.Sprintf("%d-%d", e.Start, e.End))
	}
	return lines, places
}

func timeLine(start, end int, text, kind string, values []string) string {
	values = slices.Sorted(slices.Values(values))
	return fmt.Sprintf("[%d:%d] %q %s %s", start, end, text, kind, strings.Join(slices.Compact(values), " | "))
}

// now is the moment of a case.
func (c recogniserCase) now() time.Time {
	if at, err := time.Parse("2006-01-02T15:04:05", c.Reference); err == nil {
		return at
	}
	return time.Date(2016, 11, 7, 0, 0, 0, 0, time.UTC)
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
