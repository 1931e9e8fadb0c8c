package archive

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/slotway/slotway/memory"
)

// Type says what a document was made of.
type Type string

// The types. All is for queries only.
const (
	Conversations Type = "conversations"
	Documents     Type = "documents"
	All           Type = "all"
)

// version is that of the stored form. Documents of another one are made again.
const version = 1

// Document tells what a range of messages is about.
type Document struct {
	Version     int       `json:"version"`
	From        int64     `json:"from_seq"`
	To          int64     `json:"to_seq"`
	Messages    int       `json:"messages"` // of the range that were not retracted
	Begun       time.Time `json:"begun"`
	Ended       time.Time `json:"ended"`
	Title       string    `json:"title"`
	Summary     string    `json:"summary,omitempty"`
	Topics      []string  `json:"topics,omitempty"`   // the most telling first
	Entities    []string  `json:"entities,omitempty"` // names and ids; addresses are masked
	Decisions   []string  `json:"decisions,omitempty"`
	Questions   []string  `json:"questions,omitempty"` // that were left open
	Dates       []string  `json:"dates,omitempty"`     // that were spoken of, as YYYY-MM-DD
	Model       bool      `json:"model,omitempty"`     // a model wrote of the summary and the lists but Dates what the range bears out
	AwaitsModel bool      `json:"waiting,omitempty"`   // a model was to, and did not answer

	Shared *SharedView `json:"shared,omitempty"` // what other agents are told; nil: they do not find it

	Words map[string]int `json:"words,omitempty"` // terms of the whole range and how often they occur
}

// viewID names the document of the range that begins at a message. Its width is fixed, so
// that no id is the beginning of another.
func viewID(from int64) string { return fmt.Sprintf("doc/%09d", from) }

// view is the document as it is stored.
func (d *Document) view(key memory.Key, epoch int64, at time.Time) (memory.View, error) {
	data, err := json.Marshal(d)
	if err != nil {
		return memory.View{}, fmt.Errorf("encode a document: %w", err)
	}
	return memory.View{Key: key, Tier: Name, ID: viewID(d.From), Epoch: epoch, UpTo: d.To, At: at, Data: data}, nil
}

// documentOf reads a stored document.
func documentOf(v *memory.View) (*Document, error) {
	var d Document
	if err := json.Unmarshal(v.Data, &d); err != nil {
		return nil, fmt.Errorf("decode document %s: %w", v.ID, memory.ErrCorrupt)
	}
	if d.Version != version || d.To != v.UpTo || d.From < 1 || d.From > d.To {
		return nil, errVersion
	}
	return &d, nil
}

// Text words a document on one line, what was decided first.
func (d *Document) Text() string {
	var b strings.Builder
	b.WriteString(d.Begun.Format(time.DateOnly))
	if last := d.Ended.Format(time.DateOnly); last != d.Begun.Format(time.DateOnly) {
		b.WriteString(" to " + last)
	}
	b.WriteString(": " + d.Title)
	for _, part := range []struct {
		name string
		list []string
	}{{"Decided", d.Decisions}, {"Open", d.Questions}} {
		if len(part.list) > 0 {
			b.WriteString(" | " + part.name + ": " + strings.Join(part.list, "; "))
		}
	}
	if d.Summary != "" && d.Summary != d.Title {
		b.WriteString(" | " + d.Summary)
	}
	return b.String()
}
