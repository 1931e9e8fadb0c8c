package main

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/slotway/slotway/config"
)

// margin is how far a figure may fall before a test says so.
const margin = 0.03

// TestLanguages holds what an agent of six tasks of eight examples makes of messages in
// languages other than English; "nlu served" prints the figures. The messages were written before any of them was measured.
func TestLanguages(t *testing.T) {
	for _, want := range []struct {
		language     string
		first, right float64 // at least
		refused, far float64 // at most: of what is served, and acted on out of scope
	}{
		{"de", 0.8, 0.607, 0.153, 0.133},
		{"es", 0.807, 0.64, 0.08, 0.067},
		{"fr", 0.74, 0.58, 0.12, 0.167},
		{"zh", 0.76, 0.55, 0.15, 0},
		{"ja", 0.883, 0.583, 0.117, 0},
		{"th", 0.833, 0.683, 0.05, 0},
	} {
		t.Run(want.language, func(t *testing.T) {
			dir := filepath.Join("testdata", "languages", want.language)
			agent, err := config.Load(filepath.Join(dir, "agent.yaml"))
			if err != nil {
				t.Fatal(err)
			}
			rows, err := readRows(filepath.Join(dir, "test.jsonl"))
			if err != nil {
				t.Fatal(err)
			}
			got, err := served(t.Context(), agent, rows, nil)
			if err != nil {
				t.Fatal(err)
			}
			s, far := got.Served, got.Far.Right+got.Far.Wrong+got.Far.System
			if s.First < want.first-margin || s.Right < want.right-margin || s.Refused > want.refused+margin || far > want.far+margin {
				t.Errorf("%s\nwant at least %.3f first and %.3f right, at most %.3f refused and %.3f acted on out of scope",
					fmt.Sprintf("%.3f first, %.3f right, %.3f refused; %.3f acted on out of scope", s.First, s.Right, s.Refused, far),
					want.first, want.right, want.refused, want.far)
			}
		})
	}
}
