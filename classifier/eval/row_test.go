package eval

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/classifier/eval/internal/measure"
	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/source"
)

func TestReadRows(t *testing.T) {
	rows, err := ReadRows("f.jsonl", strings.NewReader(`
{"text": "nach Malmö, bitte", "intent": "ferry", "slots": [{"name": "city", "start": 5, "end": 10}], "raw": "x"}

{"text": "O", "intent": "oos", "requested": ["day", "city"]}
{"text": "two", "intent": "ferry", "asked": "count", "slots": [{"name": "count", "start": 0, "end": 3, "value": "2"}]}
`))
	if err != nil {
		t.Fatal(err)
	}
	want := []Row{
		{Text: "nach Malmö, bitte", Intent: "ferry", Spans: []config.Span{{Param: "city", Start: 5, End: 10, Value: "Malmö"}}, Pos: source.Position{File: "f.jsonl", Line: 2, Column: 1}},
		{Text: "O", Intent: "oos", Asked: "day", Pos: source.Position{File: "f.jsonl", Line: 4, Column: 1}},
		{Text: "two", Intent: "ferry", Asked: "count", Spans: []config.Span{{Param: "count", Start: 0, End: 3, Value: "2"}}, Pos: source.Position{File: "f.jsonl", Line: 5, Column: 1}},
	}
	if diff := cmp.Diff(want, rows); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Bad lines are all named by place, and none by what it says.
func TestReadRowsProblems(t *testing.T) {
	_, err := ReadRows("f.jsonl", strings.NewReader(`{"text": "secret", "intent": "a", "slots": [{"name": "x", "start": 2, "end": 9}]}
{"text": "secret"}
{"intent": "a"}
secret
{"text": "secret", "intent": "a", "slots": [{"start": 0, "end": 1}]}
`))
	var problems source.Problems
	if !errors.As(err, &problems) {
		t.Fatalf("error %v", err)
	}
	want := `f.jsonl:1:1: slots[0]: 2 to 9 lies outside a text of 6 code points; count start and end in code points, end exclusive
f.jsonl:2:1: intent: is missing; name the intent, or "oos" for a message that none serves
f.jsonl:3:1: text: is missing; give the message as people wrote it
f.jsonl:4:1: is no JSON object with text, intent and slots; write {"text": "...", "intent": "...", "slots": []}
f.jsonl:5:1: slots[0].name: is missing; name the slot`
	if diff := cmp.Diff(want, problems.Error()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if _, err := ReadRows("f", strings.NewReader("\n\n")); err == nil || !strings.Contains(err.Error(), "f:1:1: the file holds no messages") {
		t.Errorf("an empty file: %v", err)
	}
	if _, err := ReadRows("f", strings.NewReader(strings.Repeat("x", measure.MaxLine+1))); err == nil {
		t.Error("a line without end is read")
	}
}

// FuzzReadRows: whatever a file holds, spans that are read lie in their text.
func FuzzReadRows(f *testing.F) {
	f.Add(`{"text": "nach Malmö", "intent": "ferry", "slots": [{"name": "city", "start": 5, "end": 10}]}`)
	f.Add(`{"text": "\ud800", "intent": "a", "slots": [{"name": "x", "start": 0, "end": 1}]}`)
	f.Add(`{"text": null, "intent": "", "slots": null}`)
	f.Fuzz(func(t *testing.T, text string) {
		rows, err := ReadRows("f", strings.NewReader(text))
		if err != nil {
			return
		}
		for _, r := range rows {
			for _, s := range r.Spans {
				if s.Start < 0 || s.Start >= s.End || s.End > len([]rune(r.Text)) {
					t.Errorf("%+v", r)
				}
			}
		}
	})
}
