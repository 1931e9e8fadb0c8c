package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/summary"
)

// conversation is one of the data set's.
type conversation struct {
	name     string
	ids      []string
	messages []memory.Message
	asked    map[string]int // by turn: questions that it is evidence for
}

// row is a piece with what is to be learnt of it.
type row struct {
	summary.Example
	asked float64
}

func load(dir string) ([]*conversation, error) {
	var convs []*conversation
	named := map[string]*conversation{}
	err := eachLine(filepath.Join(dir, "turns.jsonl"), func(line []byte) error {
		var t struct {
			Conv, ID, Text string
			Session        int
		}
		if err := json.Unmarshal(line, &t); err != nil {
			return err
		}
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
		return nil
	})
	if err != nil {
		return nil, err
	}
	return convs, eachLine(filepath.Join(dir, "questions.jsonl"), func(line []byte) error {
		var q struct {
			Conv     string
			Evidence []string
		}
		if err := json.Unmarshal(line, &q); err != nil {
			return err
		}
		for _, id := range q.Evidence {
			if c := named[q.Conv]; c != nil {
				c.asked[id]++
			}
		}
		return nil
	})
}

func eachLine(path string, use func([]byte) error) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	s := bufio.NewScanner(bytes.NewReader(data))
	s.Buffer(nil, 1<<22)
	for n := 1; s.Scan(); n++ {
		if err := use(s.Bytes()); err != nil {
			return fmt.Errorf("%s:%d: %w", path, n, err)
		}
	}
	return s.Err()
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

// measure counts what the summary with the weights still holds.
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
