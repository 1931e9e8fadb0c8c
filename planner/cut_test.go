package planner

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/internal/test/hardtext"
)

// What the rules cut from a message is a part of it, in whatever form it was sent.
func TestCutsArePartsOfTheMessage(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		lead := rapid.SampledFrom([]string{"", "It should be ", "ACTUALLY, ", "no,\u00a0", "The Name: ", "my name is ", "not İpek but "}).Draw(rt, "lead")
		sent := strings.ToValidUTF8(lead+hardtext.Texts().Draw(rt, "text")+rapid.SampledFrom([]string{"", ", please", " instead!", " not İpek", " with two g"}).Draw(rt, "tail"), "?")
		p := &config.Param{Name: "name", Label: "name"}
		for what, got := range map[string]string{
			"lead-ins": onlyText(stripLeadIns(sent)), "label": stripLabel(p, sent), "a denied text": onlyText(stripDenied("İPEK", sent)), "bracketed": bracketedIn(sent),
		} {
			if !strings.Contains(sent, got) {
				rt.Fatalf("without %s %q is %q", what, sent, got)
			}
		}
		for w := range strings.FieldsSeq(stripSpelling(sent)) {
			if !strings.Contains(sent, w) {
				rt.Fatalf("%q is not in %q", w, sent)
			}
		}
	})
}

func onlyText(text string, _ bool) string { return text }

func bracketedIn(sent string) string {
	points := []rune(sent)
	from, to := bracketed(points, len(points)/3, len(points)*2/3)
	return string(points[from:to])
}
