package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"github.com/slotway/slotway/internal/test/telemetrytest"
)

// checkTelemetry checks every line against the published schema. A kill cuts a line off, and the
// next process continues in the same line: what is not JSON is skipped.
func (s *service) checkTelemetry(r *report, p *process) error {
	file, err := os.Open(telemetryFile(p.Dir))
	if err != nil {
		return err
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		if !json.Valid(lines.Bytes()) {
			continue
		}
		r.Lines++
		s.lookAtClock(lines.Bytes())
		if err := telemetrytest.Check(lines.Bytes()); err != nil {
			r.BadLines++
			r.notes = append(r.notes, fmt.Sprintf("the %s wrote the telemetry line %s: %v", p.Name, lines.Bytes(), err))
		}
	}
	return lines.Err()
}

// lookAtClock counts lines from before the run or after now: the jumps of the clock have reached
// the service.
func (s *service) lookAtClock(line []byte) {
	var said struct{ Time time.Time }
	if json.Unmarshal(line, &said) != nil {
		return // checkTelemetry reports it
	}
	switch {
	case said.Time.After(time.Now()):
		s.harms[linesAhead]++
	case said.Time.Before(s.begun.Add(-time.Second)):
		s.harms[linesBehind]++
	}
}
