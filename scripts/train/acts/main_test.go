package main

import (
	"bytes"
	"os"
	"testing"
)

// The model in the binary must be what the phrases give.
func TestModelIsMade(t *testing.T) {
	if testing.Short() || underRace { // the detector makes minutes of it, and nothing here runs at once
		t.Skip("trains a model")
	}
	lines, err := readPhrases()
	if err != nil {
		t.Fatal(err)
	}
	want, _, err := build(lines, nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../../../classifier/acts/model.bin")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("classifier/acts/model.bin is not what these phrases give: go run ./scripts/train/acts")
	}
}
