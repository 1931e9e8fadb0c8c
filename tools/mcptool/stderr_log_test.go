package mcptool

import (
	"fmt"
	"testing"
	"time"

	"golang.org/x/time/rate"
)

// A line that is written during a call is told with the call's result, after it has ended.
func TestLinesWaitForResults(t *testing.T) {
	s := newStderrLog("crm")
	s.local = true
	var told []StderrLine
	s.tell = func(l StderrLine) { told = append(told, l) }
	first := s.begin(map[string]any{"id": "7"})
	fmt.Fprintln(s, "looked up 123-45-6789")
	second := s.begin(map[string]any{"id": "8"})
	fmt.Fprintln(s, "and another")
	if len(told) != 0 {
		t.Fatalf("told during the call: %v", told)
	}
	s.end(first, map[string]any{"ssn": "123-45-6789"})
	if len(told) != 1 || told[0].Line != "looked up 123-45-6789" {
		t.Fatalf("told after the first call: %v", told)
	}
	result := told[0].Values[""].([]any)[1].(map[string]any)["result"].(map[string]any)
	if result["ssn"] != "123-45-6789" {
		t.Errorf("the result is not beside the line: %v", told[0].Values)
	}
	s.end(second, nil)
	if len(told) != 2 || told[1].Line != "and another" {
		t.Errorf("told after the second call: %v", told)
	}
}

// Of more lines than the limit allows the rest is counted, and the number is told at the end
// where no line comes any more.
func TestLinesTooMany(t *testing.T) {
	s := newStderrLog("crm")
	s.limit = rate.NewLimiter(rate.Every(time.Hour), linesPerSecond)
	var told []StderrLine
	s.tell = func(l StderrLine) { told = append(told, l) }
	for i := range 100 {
		fmt.Fprintf(s, "line %d\n", i)
	}
	if len(told) != linesPerSecond {
		t.Fatalf("%d lines are told, want %d", len(told), linesPerSecond)
	}
	s.close()
	if last := told[len(told)-1]; last.Line != "" || last.Dropped != 100-linesPerSecond {
		t.Errorf("the last that is told: %+v", last)
	}
}
