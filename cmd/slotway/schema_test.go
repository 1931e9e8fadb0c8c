package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/router/telemetry"
)

func TestSchemaCommand(t *testing.T) {
	for name, c := range map[string]struct {
		args []string
		want []byte
	}{
		"agent":     {[]string{"schema"}, config.SchemaJSON()},
		"telemetry": {[]string{"schema", "--telemetry"}, telemetry.Schema()},
	} {
		out, code := runCommand(t, c.args...)
		if diff := cmp.Diff(string(c.want), out); diff != "" || code != exitOK {
			t.Errorf("%s: exit code %d (-want +got):\n%s", name, code, diff)
		}
	}
}
