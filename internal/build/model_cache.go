package build

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/slotway/slotway/classifier/cascade"
	"github.com/slotway/slotway/config/durable"
)

// keptModels is the number of trained classifiers in the data folder: those of a few agents, or of
// the last few changes to one.
const keptModels = 8

// modelCache stores trained classifiers as files in a folder, so that a second start need not train
// again. Its files may be deleted at any time.
type modelCache struct {
	dir      string
	warnings io.Writer // nil: none
}

// ModelsIn returns the cache of a folder. It writes a warning if it cannot store a file; nil: no
// warnings. For the folder "" the cache is a new one in memory. ModelsIn is a variable because
// tests start with hundreds of new folders, and training for each costs more than the test.
var ModelsIn = func(dir string, warnings io.Writer) cascade.Cache {
	if dir == "" {
		return &SharedCache{}
	}
	return modelCache{filepath.Join(dir, "classifiers"), warnings}
}

// Get returns the data under a name, or nil.
func (c modelCache) Get(name string) []byte {
	path := filepath.Join(c.dir, name)
	data, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	now := time.Now()
	_ = os.Chtimes(path, now, now) // the oldest are deleted first; a read-only folder keeps its order
	return data
}

// Put stores data under a name. A start without a cache is slower, not wrong, so a failure is a
// warning.
func (c modelCache) Put(name string, data []byte) {
	if err := c.write(name, data); err != nil {
		if c.warnings != nil {
			fmt.Fprintf(c.warnings, "the trained classifier is not kept, every start trains it again: %v; %s\n", err, durable.Remedy(err))
		}
		return
	}
	c.prune()
}

func (c modelCache) write(name string, data []byte) error {
	if err := durable.MkdirAll(c.dir, 0o700); err != nil {
		return err
	}
	return durable.WriteFile(filepath.Join(c.dir, name), func(out io.Writer) error {
		_, err := out.Write(data)
		return err
	})
}

// prune deletes all models but those used last.
func (c modelCache) prune() {
	entries, err := os.ReadDir(c.dir)
	if err != nil {
		return
	}
	var files []os.FileInfo
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
			files = append(files, info)
		}
	}
	slices.SortFunc(files, func(a, b os.FileInfo) int { return b.ModTime().Compare(a.ModTime()) })
	for _, info := range files[min(keptModels, len(files)):] {
		os.Remove(filepath.Join(c.dir, info.Name()))
	}
}
