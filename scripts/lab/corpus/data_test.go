package main

import (
	"os"
	"path/filepath"
	"testing"
)

// dataEnv names the folder with the recorded conversations, which are no part of the
// project: bots/ and replays/ are in it.
const dataEnv = "SLOTWAY_DATA"

// The figures that the recorded conversations are held to.
func TestRecordedConversations(t *testing.T) {
	dir := os.Getenv(dataEnv)
	if dir == "" {
		t.Skip("set " + dataEnv + " to the folder with bots/ and replays/")
	}
	for _, c := range []struct {
		file  string
		least map[string]float64
	}{
		{"sgd_single.jsonl", map[string]float64{"intent_accuracy": 0.95, "param_recall": 0.85, "param_precision": 0.92}},
		{"goals.jsonl", nil},
		{"botframework_inputs.jsonl", map[string]float64{"reply_exact": 1}},
	} {
		t.Run(c.file, func(t *testing.T) {
			path := filepath.Join(dir, "replays", c.file)
			if _, err := os.Stat(path); err != nil {
				t.Skip("the file is not there")
			}
			r, err := measure(t.Context(), options{bots: filepath.Join(dir, "bots"), replays: path}, t.Output())
			if err != nil {
				t.Fatal(err)
			}
			if r.total.Unconfirmed > 0 {
				t.Errorf("%d writes without a yes", r.total.Unconfirmed)
			}
			f := r.total.figures()
			for measure, got := range map[string]*float64{
				"intent_accuracy": f.Intent, "param_recall": f.Recall, "param_precision": f.Precision, "reply_exact": f.Replies,
			} {
				if least, held := c.least[measure]; held && (got == nil || *got < least) {
					t.Errorf("%s = %v, want at least %v", measure, got, least)
				}
			}
		})
	}
}
