package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/slotway/slotway"
	"github.com/slotway/slotway/classifier/cascade"
	"github.com/slotway/slotway/classifier/encoder"
	"github.com/slotway/slotway/internal/build"
)

// inFolder is where the program itself keeps what it trained. All tests but those of that share
// one cache, for a name in it says everything that training depends on.
var inFolder = build.ModelsIn

func init() {
	trained := &build.SharedCache{}
	build.ModelsIn = func(string, io.Writer) cascade.Cache { return trained }
}

// TestModelsStayInTheDataFolder: the program keeps trained classifiers in the data folder, and its
// next start loads them.
func TestModelsStayInTheDataFolder(t *testing.T) {
	defer func(shared func(string, io.Writer) cascade.Cache) { build.ModelsIn = shared }(build.ModelsIn)
	build.ModelsIn = inFolder
	dir, agent := t.TempDir(), filepath.Join(t.TempDir(), "agent.yaml")
	writeTestFile(t, agent, strayed)
	start := func() []os.DirEntry {
		t.Helper()
		a, err := (&flags{agent: agent, data: dir, set: []string{"memory.storage=inmem", "telemetry.log=none", "classifier.encoder=off"}}).open(t.Context(), slotway.Options{NoHTTP: true})
		if err == nil {
			err = a.Close()
		}
		kept, readErr := os.ReadDir(filepath.Join(dir, "classifiers"))
		if err != nil || readErr != nil || len(kept) != 1 {
			t.Fatalf("%d models are kept, %v, %v", len(kept), err, readErr)
		}
		return kept
	}
	first := start()[0]
	path := filepath.Join(dir, "classifiers", first.Name())
	if err := os.Chmod(path, 0o644); err != nil { // one that is written is for its owner alone
		t.Fatal(err)
	}
	if info, err := start()[0].Info(); err != nil || info.Name() != first.Name() || info.Mode().Perm() != 0o644 {
		t.Errorf("the second start trained again: %v, %v", info, err)
	}
}

// TestVectorsOfExamplesStayInTheDataFolder: with the encoder it keeps the vectors of the examples
// too, for the next change of the agent.
func TestVectorsOfExamplesStayInTheDataFolder(t *testing.T) {
	defer func(shared func(string, io.Writer) cascade.Cache) { build.ModelsIn = shared }(build.ModelsIn)
	build.ModelsIn = inFolder
	dir, agent := t.TempDir(), filepath.Join(t.TempDir(), "agent.yaml")
	writeTestFile(t, agent, strayed)
	for range 2 {
		a, err := (&flags{agent: agent, data: dir, set: []string{"memory.storage=inmem", "telemetry.log=none", "classifier.encoder=always"}}).open(t.Context(), slotway.Options{NoHTTP: true})
		if err == nil {
			err = a.Close()
		}
		kept, globErr := filepath.Glob(filepath.Join(dir, "classifiers", "*"))
		vectors, _ := filepath.Glob(filepath.Join(dir, "classifiers", "vectors-*"))
		if err != nil || globErr != nil || len(kept) != 2 || len(vectors) != 1 {
			t.Fatalf("kept are %q, %v, %v", kept, err, globErr)
		}
	}
}

// TestEncoderSetting: classifier.encoder switches the encoder on or off. auto asks the processor.
func TestEncoderSetting(t *testing.T) {
	for setting, want := range map[string]bool{"auto": encoder.Fast(), "always": true, "off": false} {
		f := &flags{set: []string{"classifier.encoder=" + setting}}
		o, err := f.learning(nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := o.Encoder != nil; got != want {
			t.Errorf("%s: the encoder is there: %v, want %v", setting, got, want)
		}
	}
	f := &flags{set: []string{"classifier.encoder=on"}}
	if _, err := f.learning(nil); err == nil || !strings.Contains(err.Error(), "auto") {
		t.Errorf("a word that is none of them: %v", err)
	}
}
