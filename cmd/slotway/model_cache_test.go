package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/slotway/slotway/classifier/cascade"
	"github.com/slotway/slotway/classifier/encoder"
)

// inFolder is where the program itself keeps what it trained. All tests but those of that share
// one cache, for a name in it says everything that training depends on.
var inFolder = modelsIn

func init() {
	trained := &sharedCache{}
	modelsIn = func(string, io.Writer) cascade.Cache { return trained }
}

// The program keeps what it trained in the data folder, and its next start takes it from there.
func TestModelsStayInTheDataFolder(t *testing.T) {
	defer func(shared func(string, io.Writer) cascade.Cache) { modelsIn = shared }(modelsIn)
	modelsIn = inFolder
	dir, agent := t.TempDir(), filepath.Join(t.TempDir(), "agent.yaml")
	writeTestFile(t, agent, strayed)
	start := func() []os.DirEntry {
		t.Helper()
		a, err := newApp(t.Context(), &flags{agent: agent, data: dir, set: []string{"memory.storage=inmem", "telemetry.log=none", "classifier.encoder=off"}}, parts{})
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

// With the encoder the vectors of the examples stay there too, for the next change of the agent.
func TestVectorsOfExamplesStayInTheDataFolder(t *testing.T) {
	defer func(shared func(string, io.Writer) cascade.Cache) { modelsIn = shared }(modelsIn)
	modelsIn = inFolder
	dir, agent := t.TempDir(), filepath.Join(t.TempDir(), "agent.yaml")
	writeTestFile(t, agent, strayed)
	for range 2 {
		a, err := newApp(t.Context(), &flags{agent: agent, data: dir, set: []string{"memory.storage=inmem", "telemetry.log=none", "classifier.encoder=always"}}, parts{})
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

// The setting decides, and auto asks the processor.
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

func TestModelCache(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "models")
	c := modelCache{dir: dir}
	if got := c.Get("a"); got != nil {
		t.Fatalf("Get of nothing = %q", got)
	}
	c.Put("a", []byte("one"))
	c.Put("a", []byte("two"))
	if got := c.Get("a"); string(got) != "two" {
		t.Fatalf("Get(a) = %q, want two", got)
	}
	old := time.Now().Add(-time.Hour)
	for i := range keptModels {
		name := fmt.Sprint("m", i)
		c.Put(name, []byte("x"))
		if err := os.Chtimes(filepath.Join(dir, name), old, old); err != nil {
			t.Fatal(err)
		}
	}
	c.Get("m0") // used again: another is older now
	c.Put("last", []byte("x"))
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != keptModels || c.Get("a") == nil || c.Get("m0") == nil || c.Get("last") == nil {
		t.Fatalf("%d files are kept: %v", len(entries), entries)
	}
}

func TestModelCacheThatCannotBeWritten(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	var warnings bytes.Buffer
	modelCache{dir: filepath.Join(file, "sub"), warnings: &warnings}.Put("a", []byte("x"))
	if !strings.Contains(warnings.String(), "not kept") {
		t.Fatalf("warnings: %q", warnings.String())
	}
}
