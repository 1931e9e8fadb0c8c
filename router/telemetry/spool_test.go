package telemetry

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// gated lets a write through when somebody opens the gate.
type gated struct {
	gate chan struct{}
	out  bytes.Buffer
}

func (g *gated) Write(b []byte) (int, error) {
	<-g.gate
	return g.out.Write(b)
}

// However stuck the writer is, nobody waits for it, no more than the limit is kept, and what
// is lost is counted; once it takes lines again the rest comes in order.
func TestSpoolNeverWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := &gated{gate: make(chan struct{})}
		s := newSpool(g, 100)
		line := func(i int) []byte { return fmt.Appendf(nil, "line %04d\n", i) } // ten bytes
		if _, err := s.Write(line(0)); err != nil {
			t.Fatal(err)
		}
		synctest.Wait() // the writer has taken the first, and is stuck with it
		full := 0
		for i := 1; i <= 1000; i++ {
			if _, err := s.Write(line(i)); errors.Is(err, ErrSpoolFull) {
				full++
			}
		}
		if full != 990 || s.Lost() != 990 || cap(s.waiting) > 256 {
			t.Errorf("%d were refused, %d lost, %d bytes kept; want 990, 990, and some hundred", full, s.Lost(), cap(s.waiting))
		}
		close(g.gate)
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		var want strings.Builder
		for i := range 11 {
			want.WriteString(string(line(i)))
		}
		if got := g.out.String(); got != want.String() {
			t.Errorf("written:\n%s", got)
		}
		if _, err := s.Write(line(1)); !errors.Is(err, io.ErrClosedPipe) {
			t.Errorf("after Close: %v", err)
		}
	})
}

func TestSpoolLeavesAStuckWriter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := &gated{gate: make(chan struct{})}
		s := newSpool(g, 100)
		_, _ = s.Write([]byte("first\n"))
		synctest.Wait()
		_, _ = s.Write([]byte("second\n"))
		begun := time.Now()
		if err := s.Close(); err == nil || time.Since(begun) != spoolPatience || s.Lost() != 1 {
			t.Errorf("Close: %v after %s, %d lost", err, time.Since(begun), s.Lost())
		}
		close(g.gate) // or the goroutine would be left
	})
}

func TestSpoolCountsWhatIsRefused(t *testing.T) {
	s := NewSpool(full{})
	log := NewLog(s, LevelInfo)
	for range 3 {
		log.Record(Event{Payload: Respond{Outcome: "responded"}})
	}
	if err := s.Close(); err != nil || s.Lost() != 3 {
		t.Errorf("Close: %v, %d lost, want 3", err, s.Lost())
	}
}

func TestSpoolKeepsLinesWhole(t *testing.T) {
	var out bytes.Buffer
	s := NewSpool(&out)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 500 {
				_, _ = s.Write([]byte("one whole line\n"))
			}
		})
	}
	wg.Wait()
	if err := s.Close(); err != nil || s.Lost() != 0 {
		t.Errorf("Close: %v, %d lost", err, s.Lost())
	}
	if got := bytes.Count(out.Bytes(), []byte("one whole line\n")); got != 4000 || out.Len() != 4000*15 {
		t.Errorf("%d lines in %d bytes", got, out.Len())
	}
}
