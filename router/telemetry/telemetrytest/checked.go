// Package telemetrytest holds the telemetry of tests to the published schema: a test gives the
// runtime a sink from [Checked], or its lines to [Lines], and fails where a line does not fit.
package telemetrytest

import (
	"bytes"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/slotway/slotway/router/telemetry"
)

// Checked is a Sink that hands each event on to the sinks and fails the test where its line is
// not what [telemetry.Schema] describes.
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

// Lines fails the test for every line that is not what [telemetry.Schema] describes, and
// returns how many there are. Lines that are no JSON objects are somebody else's and are
// passed over: standard error has others too.
func Lines(t testing.TB, text []byte) int {
	t.Helper()
	n := 0
	for line := range bytes.Lines(text) {
		if bytes.HasPrefix(line, []byte("{")) {
			check(t, line)
			n++
		}
	}
	return n
}

// check fails the test where the line does not fit. The line is shown: it holds no values.
func check(t testing.TB, line []byte) {
	t.Helper()
	schema, err := compiled()
	if err != nil {
		t.Errorf("telemetry schema: %v", err)
		return
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(line))
	if err == nil {
		err = schema.Validate(doc)
	}
	if err != nil {
		t.Errorf("telemetry line %s: %v", line, err)
	}
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
