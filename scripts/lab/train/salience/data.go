package main

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"time"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/summary"
	"github.com/slotway/slotway/scripts/lab/jsonl"
)

// conversation is a conversation of the data set.
type conversation struct {
	name     string
	ids      []string
	messages []memory.Message
	asked    map[string]int // by turn: number of questions that it is evidence for
}

// row is a piece with its label.
type row struct {
	summary.Example
	asked float64
}

// turn is a line of turns.jsonl.
type turn struct {
	Conv, ID, Text string
	Session        int
}

// question is a line of questions.jsonl.
type question struct {
	Conv     string
	Evidence []string
}

func load(dir string) ([]*conversation, error) {
	turns, err := jsonl.Read[turn](filepath.Join(dir, "turns.jsonl"))
	if err != nil {
		return nil, err
	}
	questions, err := jsonl.Read[question](filepath.Join(dir, "questions.jsonl"))
	if err != nil {
		return nil, err
	}
	var convs []*conversation
	named := map[string]*conversation{}
	for _, t := range turns {
		c := named[t.Conv]
		if c == nil {
			c = &conversation{name: t.Conv, asked: map[string]int{}}
			named[t.Conv] = c
			convs = append(convs, c)
		}
		n := len(c.ids)
		c.ids = append(c.ids, t.ID)
		c.messages = append(c.messages, memory.Message{
			Seq: int64(n + 1), Turn: int64(n + 1), Role: memory.User, Text: t.Text,
			Timestamp: time.Unix(0, 0).Add(time.Duration(t.Session)*24*time.Hour + time.Duration(n)*time.Second),
		})
	}
	for _, q := range questions {
		for _, id := range q.Evidence {
			if c := named[q.Conv]; c != nil {
				c.asked[id]++
			}
		}
	}
	return convs, nil
}

func (c *conversation) rows(block int) []row {
	var out []row
	for _, e := range summary.Examples(c.messages, block) {
		out = append(out, row{e, float64(c.asked[c.ids[e.Seq-1]])})
	}
	return out
}

// tally counts evidence turns.
type tally struct{ all, kept, asked, answered int }

func (t *tally) add(o tally) {
	t.all += o.all
	t.kept += o.kept
	t.asked += o.asked
	t.answered += o.answered
}

func (t tally) share() float64 { return 100 * float64(t.kept) / float64(max(t.all, 1)) }

func (t tally) String() string {
	return fmt.Sprintf("%.1f %% of %d evidence turns; %.1f %% where each counts as often as it is asked for",
		t.share(), t.all, 100*float64(t.answered)/float64(max(t.asked, 1)))
}

// measure counts the evidence that a summary with these weights still contains.
func (c *conversation) measure(rows []row, weights []float64, keep float64) tally {
	total := 0
	for i := range c.messages {
		total += len(strings.Fields(c.messages[i].Text))
	}
	list := make([]summary.Piece, len(rows))
	for i, r := range rows {
		list[i] = r.Piece
		list[i].P = logistic(dot(weights, r.Features))
	}
	kept := map[int64][]summary.Piece{}
	for _, p := range summary.Select(list, int(math.Round(keep*float64(total))), int64(len(c.messages)),
		func(p *summary.Piece) int { return len(strings.Fields(p.Text)) }) {
		kept[p.Seq] = append(kept[p.Seq], p)
	}
	var t tally
	for i, id := range c.ids {
		n := c.asked[id]
		if n == 0 {
			continue
		}
		t.all++
		t.asked += n
		if summary.Holds(c.messages[i].Text, kept[int64(i+1)]) {
			t.kept++
			t.answered += n
		}
	}
	return t
}
