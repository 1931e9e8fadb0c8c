package archive

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/slotway/slotway/memory"
)

// Type is the origin of a document.
type Type string

// The types. All is for queries only.
const (
	Conversations Type = "conversations"
	Documents     Type = "documents"
	All           Type = "all"
)

// version is the version of the stored form. Documents of another version are made again.
const version = 1

// Digest is what a range of messages says.
type Digest struct {
	Title     string   `json:"title"`
	Summary   string   `json:"summary,omitempty"`
	Topics    []string `json:"topics,omitempty"`   // the most characteristic first
	Entities  []string `json:"entities,omitempty"` // names and ids
	Decisions []string `json:"decisions,omitempty"`
	Questions []string `json:"questions,omitempty"` // left open
}

// lists returns the lists of a digest: topics, entities, decisions, questions.
func (d *Digest) lists() [4]*[]string {
	return [...]*[]string{&d.Topics, &d.Entities, &d.Decisions, &d.Questions}
}

// reworded returns a digest with every text reworded.
func (d Digest) reworded(reword func(string) string) Digest {
	d.Title, d.Summary = reword(d.Title), reword(d.Summary)
	for _, list := range d.lists() {
		*list = append([]string{}, *list...)
		for i := range *list {
			(*list)[i] = reword((*list)[i])
		}
	}
	return d
}

// Document describes a range of messages.
type Document struct {
	Digest
	Version     int       `json:"version"`
	From        int64     `json:"from_seq"`
	To          int64     `json:"to_seq"`
	Messages    int       `json:"messages"` // without retracted ones
	Begun       time.Time `json:"begun"`
	Ended       time.Time `json:"ended"`
	Dates       []string  `json:"dates,omitempty"`   // days that were mentioned, as YYYY-MM-DD
	Model       bool      `json:"model,omitempty"`   // a model wrote the summary and the lists except Dates; what the range does not support is left out
	AwaitsModel bool      `json:"waiting,omitempty"` // the model did not answer yet

	// Shared is what the user's other agents see if both agents share their knowledge: the digest,
	// redacted by this agent, since the other one does not know what to redact. An empty one stands
	// for the document itself; nil: they do not find it.
	Shared *Digest `json:"shared,omitempty"`

	Words map[string]int `json:"words,omitempty"` // terms of the range and their counts
}

// viewID returns the id of the document of the range that begins at a message. It has a fixed
// width, so that no id is a prefix of another.
func viewID(from int64) string { return fmt.Sprintf("doc/%09d", from) }

// view returns the document in its stored form.
func (d *Document) view(key memory.Key, epoch int64, at time.Time) (memory.View, error) {
	data, err := json.Marshal(d)
	if err != nil {
		return memory.View{}, fmt.Errorf("encode a document: %w", err)
	}
	return memory.View{Key: key, Tier: Name, ID: viewID(d.From), Epoch: epoch, UpTo: d.To, At: at, Data: data}, nil
}

// documentOf decodes a stored document.
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

// Text returns a document on one line, decisions first.
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
