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

// keptModels is how many trained classifiers the data folder keeps: those of a few agents,
// or of the last few changes to one.
const keptModels = 8

// modelCache keeps trained classifiers as files of a folder, so that a second start need
// not train again. What is in it can be deleted at any time.
type modelCache struct {
	dir      string
	warnings io.Writer // nil: none
}

// ModelsIn is the cache of a folder, which tells warnings when it cannot be written; nil tells
// nobody. Without a folder, "", it is a new one in memory. It is a variable because tests begin
// with hundreds of new folders, and training each time costs more than what they try.
var ModelsIn = func(dir string, warnings io.Writer) cascade.Cache {
	if dir == "" {
		return &SharedCache{}
	}
	return modelCache{filepath.Join(dir, "classifiers"), warnings}
}

// Get returns what was kept under a name, or nil.
func (c modelCache) Get(name string) []byte {
	path := filepath.Join(c.dir, name)
	data, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	now := time.Now()
	_ = os.Chtimes(path, now, now) // the oldest go first; a folder that cannot be written keeps its order
	return data
}

// Put keeps data under a name. A start without a cache is slower, not wrong, so a folder
// that cannot be written is a warning.
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

// prune removes all but the models that were used last.
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
