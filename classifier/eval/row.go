package eval

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/slotway/slotway/classifier/eval/internal/measure"
	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/source"
)

// OutOfScope is the label of messages that no intent of a file serves.
const OutOfScope = "oos"

// Row is one marked message of a file.
type Row struct {
	Text   string
	Intent string
	Spans  []config.Span // by their order in the file
	Asked  string        // the slot that the system has just asked for; "": none
	Pos    source.Position
}

// jsonRow is the form of a line. Of several requested slots the first counts: a
// conversation waits for one at a time.
type jsonRow struct {
	Text   *string `json:"text"`
	Intent string  `json:"intent"`
	Slots  []struct {
		Name  string `json:"name"`
		Start int    `json:"start"`
		End   int    `json:"end"`
		Value string `json:"value"`
	} `json:"slots"`
	Asked     string   `json:"asked"`
	Requested []string `json:"requested"`
}

// ReadRows reads JSON lines {"text", "intent", "slots": [{"name", "start", "end",
// "value"}], "asked"}; empty lines are passed over, and so are other keys. name stands for
// the file in problems. The error is source.Problems when lines are wrong, each with its
// place.
func ReadRows(name string, r io.Reader) ([]Row, error) {
	return measure.Lines(name, "messages", r, parseRow)
}

// parseRow reads one line. The problem lacks its place; it names fields and numbers, not
// the text.
func parseRow(line []byte, pos source.Position) (Row, *source.Problem) {
	var j jsonRow
	if err := json.Unmarshal(line, &j); err != nil {
		return Row{}, &source.Problem{Message: "is no JSON object with text, intent and slots", Hint: `write {"text": "...", "intent": "...", "slots": []}`}
	}
	switch {
	case j.Text == nil:
		return Row{}, &source.Problem{Path: "text", Message: "is missing", Hint: "give the message as people wrote it"}
	case j.Intent == "":
		return Row{}, &source.Problem{Path: "intent", Message: "is missing", Hint: `name the intent, or "` + OutOfScope + `" for a message that none serves`}
	}
	row := Row{Text: *j.Text, Intent: j.Intent, Asked: j.Asked, Pos: pos}
	if row.Asked == "" && len(j.Requested) > 0 {
		row.Asked = j.Requested[0]
	}
	runes := []rune(row.Text)
	for i, s := range j.Slots {
		if s.Name == "" {
			return Row{}, &source.Problem{Path: fmt.Sprintf("slots[%d].name", i), Message: "is missing", Hint: "name the slot"}
		}
		if s.Start < 0 || s.End <= s.Start || s.End > len(runes) {
			return Row{}, &source.Problem{
				Path: fmt.Sprintf("slots[%d]", i), Message: fmt.Sprintf("%d to %d lies outside a text of %d code points", s.Start, s.End, len(runes)),
				Hint: "count start and end in code points, end exclusive",
			}
		}
		value := s.Value
		if value == "" {
			value = string(runes[s.Start:s.End])
		}
		row.Spans = append(row.Spans, config.Span{Param: s.Name, Start: s.Start, End: s.End, Value: value})
	}
	return row, nil
}
