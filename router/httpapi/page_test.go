package httpapi

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/slotway/slotway/memory"
)

// A page of long messages is cut by bytes, and its cursor goes on where it was cut: nothing is
// left out, nothing is told twice. An item that is longer than a page is one.
func TestPagesAreBoundInBytes(t *testing.T) {
	w := newFixture(t)
	key := memory.Key{UserID: "ann", AgentID: "desk", SessionID: "long"}
	const messages = 90
	d := &memory.Delta{Key: key, At: time.Unix(1, 0), State: memory.State{Params: map[string]any{}}}
	for i := range messages {
		size := 60 << 10
		if i == 40 {
			size = maxPage + 1000
		}
		d.Messages = append(d.Messages, memory.Message{Seq: int64(i + 1), Role: memory.User, Timestamp: d.At, Text: fmt.Sprintf("%d:", i) + strings.Repeat("x", size)})
	}
	if err := w.store.Commit(t.Context(), d); err != nil {
		t.Fatal(err)
	}
	seen, pages := 0, 0
	for after := "0"; after != ""; pages++ {
		res := w.ask("GET", "/v1/sessions/long/messages?limit=500&after="+after, "")
		size := res.ContentLength
		got := object(t, res)
		list, _ := got["messages"].([]any)
		if size <= 0 || (size > maxPage+(70<<10) && len(list) > 1) {
			t.Errorf("page %d has %d bytes", pages, size)
		}
		for _, m := range list {
			if text, _ := at(m, "text").(string); !strings.HasPrefix(text, fmt.Sprintf("%d:", seen)) {
				t.Fatalf("message %d is %.10q", seen, text)
			}
			seen++
		}
		after = ""
		if next, ok := got["next_after"].(float64); ok {
			after = fmt.Sprint(int64(next))
		}
		if len(list) == 0 || pages > messages {
			t.Fatalf("page %d is empty", pages)
		}
	}
	if seen != messages || pages < 6 {
		t.Errorf("%d messages on %d pages", seen, pages)
	}
	newest := object(t, w.ask("GET", "/v1/sessions/long/messages?last=true&limit=500", ""))
	last, _ := newest["messages"].([]any)
	if n := len(last); newest["cut"] != true || newest["next_after"] != nil || n < 10 || n > 18 || !strings.HasPrefix(at(last[n-1], "text").(string), "89:") {
		t.Errorf("%d of the last messages", n)
	}
}

// A pager never holds more than a page and what is read at once.
func TestAPagerReadsNoMoreThanItShows(t *testing.T) {
	read := 0
	p := pager[int]{
		read: func(_ context.Context, _ memory.Key, page memory.Page) ([]int, error) {
			var out []int
			for i := int(page.After); len(out) < page.Limit; i++ {
				out = append(out, i+1)
			}
			read += len(out)
			return out, nil
		},
		number: func(n *int) int64 { return int64(*n) },
		size:   func(*int) int { return maxPage / 4 },
	}
	list, more, err := p.first(t.Context(), memory.Key{}, memory.Page{Limit: 500})
	if err != nil || !more || len(list) != 4 || read > readBatch {
		t.Errorf("%d items, %v, %v; %d were read", len(list), more, err, read)
	}
	read = 0
	if list, cut, err := p.last(t.Context(), memory.Key{}, memory.Page{Limit: 500, Last: true}); err != nil || !cut || len(list) != 4 || list[3] != 64 || read > readBatch {
		t.Errorf("%v, %v; %d were read", list, err, read)
	}
}
