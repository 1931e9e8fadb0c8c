package main

import (
	"bytes"
	"os"
	"testing"
)

// The models in the binary must be what the phrases give.
func TestModelIsMade(t *testing.T) {
	if testing.Short() || underRace { // the detector makes minutes of it, and nothing here runs at once
		t.Skip("trains a model")
	}
	for _, tag := range []string{"en", "de", "es", "fr"} {
		l := speaking(tag)
		lines, err := l.readPhrases()
		if err != nil {
			t.Fatal(err)
		}
		want, _, err := l.build(lines, nil)
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile("../../../../classifier/acts/" + l.model())
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("classifier/acts/%s is not what these phrases give: go run -C scripts/lab ./train/acts -lang %s", l.model(), tag)
		}
	}
}
