package eval

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"strings"
	"testing"
)

func reportOf(t *testing.T, f *Figures) string {
	t.Helper()
	var b bytes.Buffer
	if err := Report(&b, f, "<script>shop</script>"); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestReport(t *testing.T) {
	all := byHand()
	all[2].text = "<b>third</b>"
	var f Figures
	f.judgeAll(all, 0.55)
	f.OOS = scopes(all, all)
	page := reportOf(t, &f)
	for _, want := range []string{
		"66.7 %", "&lt;b&gt;third&lt;/b&gt;", "f:3:1: is a, taken for b (60.0)", "b taken for c: 1 of 2", "a: 2 of 3 right", "threshold 0.55",
		"prefers-color-scheme: dark", `name="viewport"`, "Slots, the worst first", "Out of scope refused",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("%q is missing", want)
		}
	}
	for _, bad := range []string{"<script", "http:", "https:", "src=", "@import", "url(", "ZgotmplZ", "NaN", "<b>third"} {
		if strings.Contains(page, bad) {
			t.Errorf("%q is there", bad)
		}
	}
}

// Of many intents the page shows all without names, and those that are confused with.
func TestReportOfManyIntents(t *testing.T) {
	var f Figures
	var all []prediction
	for i := range 150 {
		name := strings.Repeat("long_", 6) + string(rune('a'+i/26)) + string(rune('a'+i%26))
		all = append(all, prediction{want: name, got: name, confidence: 0.9}, prediction{want: name, got: all1(all, name), confidence: 0.5})
	}
	f.judgeAll(all, 0.5)
	page := reportOf(t, &f)
	svgs := regexp.MustCompile(`(?s)<svg.*?</svg>`).FindAllString(page, -1)
	large := 0
	for _, s := range svgs {
		d := xml.NewDecoder(strings.NewReader(s))
		for {
			_, err := d.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("a picture is no XML: %v", err)
			}
		}
		if strings.Contains(s, "Confusion matrix") {
			large++
		}
	}
	if large != 2 || !strings.Contains(page, "The 26 intents that are confused most") || !strings.Contains(page, "long_long_long_long_l…") {
		t.Errorf("%d matrices in %d pictures", large, len(svgs))
	}
}

// all1 is the first intent, or the one at hand where there is none yet.
func all1(all []prediction, name string) string {
	if len(all) == 0 {
		return name
	}
	return all[0].want
}

func TestReportOfNothing(t *testing.T) {
	var f Figures
	f.judgeAll(nil, 0.5)
	if page := reportOf(t, &f); strings.Contains(page, "NaN") || strings.Contains(page, "Inf") {
		t.Error("nothing was divided by")
	}
}
