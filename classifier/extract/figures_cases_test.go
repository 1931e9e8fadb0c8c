package extract

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// resolvedCase is a public recogniser case with its resolved values.
type resolvedCase struct {
	Input    string
	Expected []struct {
		Text, Type string
		Start, End int
		Resolution map[string]any
	}
}

// TestValuesOnCases reports for each type but dates how many cases of
// FOLDER/TYPE.{core,stretch}.jsonl have exactly the expected spans, and how many the
// values and units too, when SLOTWAY_CASES names the folder. SLOTWAY_CASES_SHOW=TYPE
// prints the differences. It asserts nothing.
func TestValuesOnCases(t *testing.T) {
	dir := os.Getenv("SLOTWAY_CASES")
	if dir == "" {
		t.Skip("SLOTWAY_CASES is not set")
	}
	for _, kind := range []string{"number", "ordinal", "percentage", "currency", "phonenumber", "email", "url", "boolean"} {
		for _, tier := range []string{"core", "stretch"} {
			var spans, exact int
			cases := readResolved(t, filepath.Join(dir, kind+"."+tier+".jsonl"))
			took := time.Duration(0)
			for _, c := range cases {
				var want, got, wantSpans, gotSpans []string
				for _, e := range c.Expected {
					wantSpans = append(wantSpans, fmt.Sprintf("%q[%d:%d]", e.Text, e.Start, e.End))
					want = append(want, resolved(kind, e.Resolution))
				}
				began := time.Now()
				found := RecognizeKind(resolvedKinds[kind], c.Input, time.Now(), nil)
				took += time.Since(began)
				for _, e := range found {
					gotSpans = append(gotSpans, fmt.Sprintf("%q[%d:%d]", e.Text, e.Start, e.End))
					got = append(got, e.resolved())
				}
				sameSpans, same := cmp.Diff(wantSpans, gotSpans) == "", cmp.Diff(want, got) == ""
				if sameSpans {
					spans++
				}
				if sameSpans && same {
					exact++
				} else if show := os.Getenv("SLOTWAY_CASES_SHOW"); show == kind || show == "all" {
					t.Logf("%.150q: want %.150q %q, got %.150q %q", c.Input, wantSpans, want, gotSpans, got)
				}
			}
			t.Logf("%s.%s: %d cases, %d spans, %d exact, %v a case", kind, tier, len(cases), spans, exact, took/time.Duration(max(1, len(cases))))
		}
	}
}

var resolvedKinds = map[string]string{
	"number": "number", "ordinal": "ordinal", "percentage": "percentage", "currency": "money", "phonenumber": "phone",
	"email": "email", "url": "url", "boolean": "boolean",
}

// resolved is the normal form of an expected value. Numbers are compared as numbers of
// nine digits.
func resolved(kind string, r map[string]any) string {
	text := func(key string) string {
		if r[key] == nil {
			return ""
		}
		return fmt.Sprint(r[key])
	}
	switch kind {
	case "currency":
		return strings.Join([]string{rounded(text("value")), text("unit"), text("isoCurrency")}, " ")
	case "percentage":
		return rounded(strings.TrimSuffix(text("value"), "%")) + "%"
	case "number", "ordinal":
		return rounded(text("value"))
	}
	return strings.ToLower(text("value"))
}

func (e Entity) resolved() string {
	switch e.Kind {
	case "money":
		return strings.Join([]string{rounded(e.Normal), e.Unit, e.Code}, " ")
	case "percentage":
		return rounded(strings.TrimSuffix(e.Normal, "%")) + "%"
	case "number":
		return rounded(e.Normal)
	case "ordinal":
		if v, ok := e.Value.(float64); ok && v < 0 {
			return fmt.Sprintf("end%+d", int(v)+1)
		}
		return rounded(e.Normal)
	case "boolean":
		return fmt.Sprint(e.Value)
	}
	return strings.ToLower(e.Text)
}

func rounded(text string) string {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return text
	}
	if v == math.Trunc(v) && math.Abs(v) < 1e15 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'g', 9, 64)
}

func readResolved(t *testing.T, name string) []resolvedCase {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []resolvedCase
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var c resolvedCase
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		out = append(out, c)
	}
	return out
}
