// Package telemetrytest checks the telemetry of tests against the published schema: a test gives the
// runtime a sink from [Checked], or its lines to [Lines].
package telemetrytest

import (
	"bytes"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/slotway/slotway/router/telemetry"
)

// Checked is a Sink that passes each event to the sinks and fails the test if its line does not match
// [telemetry.Schema].
func Checked(t testing.TB, sinks ...telemetry.Sink) telemetry.Sink {
	return &checked{t: t, next: telemetry.Multi(sinks...)}
}

type checked struct {
	t    testing.TB
	next telemetry.Sink
}

// Record checks the event and hands it on.
func (c *checked) Record(e telemetry.Event) {
	check(c.t, telemetry.AppendLine(nil, e))
	c.next.Record(e)
}

// Lines fails the test for every telemetry line in a text that does not match [telemetry.Schema], and
// returns their number. Standard output and error hold other lines, too: a telemetry line begins with
// its level.
func Lines(t testing.TB, text []byte) int {
	t.Helper()
	n := 0
	for line := range bytes.Lines(text) {
		if bytes.HasPrefix(line, []byte(`{"level":`)) {
			check(t, line)
			n++
		}
	}
	return n
}

// check fails the test if the line does not match. It shows the line, which holds no values.
func check(t testing.TB, line []byte) {
	t.Helper()
	if err := Check(line); err != nil {
		t.Errorf("telemetry line %s: %v", line, err)
	}
}

// Check returns how a line differs from [telemetry.Schema].
func Check(line []byte) error {
	schema, err := compiled()
	if err != nil {
		return err
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(line))
	if err != nil {
		return err
	}
	return schema.Validate(doc)
}

// compiled is the schema, compiled when it is first asked for.
var compiled = sync.OnceValues(func() (*jsonschema.Schema, error) {
	const name = "telemetry.schema.json"
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(telemetry.Schema()))
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource(name, doc); err != nil {
		return nil, err
	}
	return c.Compile(name)
})
