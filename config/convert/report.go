package convert

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Place is a line of a source file. Line 0: the whole file.
type Place struct {
	File string `json:"file"`
	Line int    `json:"line,omitempty"`
}

// String returns file:line, or the file alone.
func (p Place) String() string {
	if p.Line == 0 {
		return p.File
	}
	return p.File + ":" + strconv.Itoa(p.Line)
}

// Outcome is what became of a part of the source.
type Outcome string

// The outcomes, those that a user of the agent notices first.
const (
	Unread  Outcome = "unread"  // a file that could not be read: what it holds is missing
	Lost    Outcome = "lost"    // an answer, a question, a branch or a condition that the agent does not have
	Decide  Outcome = "decide"  // carried as far as possible: a person must look at it
	Carried Outcome = "carried" // into the agent, with a change
	Left    Outcome = "left"    // has no counterpart, or nothing uses it
)

// sections are the parts of a printed report, with how many groups of notes are shown of each.
var sections = []struct {
	outcome Outcome
	title   string
	shown   int
}{
	{Unread, "not read", 4},
	{Lost, "lost: users notice it", 10},
	{Decide, "to decide (also comments in the files)", 8},
	{Carried, "carried over with a change", 5},
	{Left, "left out: the agent has no use for it, or no place", 5},
}

// Note is one line of a report.
type Note struct {
	At      Place   `json:"at"`
	Outcome Outcome `json:"outcome"`
	Text    string  `json:"text"`
	kind    string  // notes of one kind are shown as a group: the format of the text
}

// Report says what became of the source.
type Report struct {
	Notes  []Note         `json:"notes"`
	Counts map[string]int `json:"counts"` // by what was carried over: intents, examples, ...
	noted  map[Note]bool
}

// Add notes what became of a part, once. A name in the text may hold anything, line breaks too.
func (r *Report) Add(at Place, outcome Outcome, format string, args ...any) Open {
	note := Note{at, outcome, OneLine(fmt.Sprintf(format, args...)), format}
	if !r.noted[note] {
		r.Notes = append(r.Notes, note)
	}
	if r.noted == nil {
		r.noted = map[Note]bool{}
	}
	r.noted[note] = true
	return Open{at, note.Text}
}

// Decide notes a point and returns it, for the comment.
func (r *Report) Decide(at Place, format string, args ...any) Open {
	return r.Add(at, Decide, format, args...)
}

// Lost notes a loss and returns it, for the comment.
func (r *Report) Lost(at Place, format string, args ...any) Open {
	return r.Add(at, Lost, format, args...)
}

// Of returns the notes with an outcome, by their places.
func (r *Report) Of(outcome Outcome) []Note {
	list := slices.DeleteFunc(slices.Clone(r.Notes), func(n Note) bool { return n.Outcome != outcome })
	slices.SortStableFunc(list, func(a, b Note) int {
		return cmp.Or(cmp.Compare(a.At.File, b.At.File), cmp.Compare(a.At.Line, b.At.Line))
	})
	return list
}

// Print writes the report as text: the kinds of notes, at most a screen, or every note.
func (r *Report) Print(out io.Writer, every bool) error {
	var text strings.Builder
	text.WriteString("carried over: " + r.counts() + "\n")
	for _, section := range sections {
		notes := r.Of(section.outcome)
		if len(notes) == 0 {
			continue
		}
		fmt.Fprintf(&text, "\n%s: %d\n", section.title, len(notes))
		kinds := map[string]int{}
		for _, note := range notes {
			kinds[note.kind]++
		}
		said, rest := map[string]bool{}, len(notes)
		for _, note := range notes {
			switch {
			case every:
				fmt.Fprintf(&text, "  %s: %s\n", note.At, note.Text)
			case !said[note.kind] && len(said) < section.shown:
				said[note.kind] = true
				rest -= kinds[note.kind]
				fmt.Fprintf(&text, "  %s: %s\n", note.At, shorten(note.Text))
				if more := kinds[note.kind] - 1; more > 0 {
					fmt.Fprintf(&text, "    and %d more of this kind\n", more)
				}
			}
		}
		if rest > 0 && !every {
			fmt.Fprintf(&text, "  and %d of other kinds: --verbose\n", rest)
		}
	}
	_, err := io.WriteString(out, text.String())
	return err
}

// shorten cuts a text that would fill several lines of a screen.
func shorten(text string) string {
	const most = 220
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + " ..."
	}
	return text
}

// counts says what was carried over.
func (r *Report) counts() string {
	var list []string
	for _, what := range slices.Sorted(maps.Keys(r.Counts)) {
		n := r.Counts[what]
		if n == 1 {
			what = strings.TrimSuffix(what, "s")
		}
		list = append(list, fmt.Sprintf("%d %s", n, what))
	}
	return strings.Join(list, ", ")
}
