package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"github.com/slotway/slotway/router/telemetry/telemetrytest"
)

// checkTelemetry holds every line to the published schema. What is no JSON was cut off by a
// kill, and the line that follows stands in the same one.
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

// lookAtClock counts lines that were written before the run began or after now, by the clock
// of the service: its jumps have reached it.
func (s *service) lookAtClock(line []byte) {
	var said struct{ Time time.Time }
	if json.Unmarshal(line, &said) != nil {
		return // the schema's matter
	}
	switch {
	case said.Time.After(time.Now()):
		s.harms[linesAhead]++
	case said.Time.Before(s.begun.Add(-time.Second)):
		s.harms[linesBehind]++
	}
}
