package main

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/slotway/slotway"
	"github.com/slotway/slotway/internal/test/cassette"
	"github.com/slotway/slotway/router/replay"
)

var tapes = flag.Bool("tapes", false, "record what the conversations meet, for package cassette")

// TestTapes records what conversations meet outside of the rules.
func TestTapes(t *testing.T) {
	if !*tapes {
		t.Skip("records tapes only with -tapes; package cassette says what for")
	}
	r := newReplayer(&flags{})
	files, err := cassette.Files("../..")
	if err != nil {
		t.Fatal(err)
	}
	for file, tape := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		list, err := replay.Parse(file, data)
		if err != nil {
			t.Fatal(err)
		}
		var out []*cassette.Tape
		for _, c := range list {
			c.Telemetry = ""
			var recorder cassette.Recorder
			replay.Run(t.Context(), c, func(ctx context.Context, s replay.Setup) (replay.Runtime, error) {
				runtime, err := r.open(ctx, s)
				if err != nil {
					return nil, err
				}
				r := runtime.(*slotway.Runtime).Router()
				_, err = r.Swap(recorder.Deps(r.Deps()))
				return runtime, err
			}, nil)
			out = append(out, recorder.Tape(c.Name))
		}
		if err := cassette.Save(filepath.Join("../..", cassette.Folder, tape+cassette.Ext), out); err != nil {
			t.Fatal(err)
		}
	}
}
