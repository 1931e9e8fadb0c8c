package replay

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/slotway/slotway/config/pattern"
	"github.com/slotway/slotway/config/source"
)

// RunFile plays every conversation of a file. It returns an error for a file that cannot be read or
// is not valid (source.Problems); failed expectations are in the results. With Options.Update it
// changes the failed expectations in the file.
func RunFile(ctx context.Context, path string, open Open, opts *Options) ([]Result, error) {
	data, err := readFile(path)
	if err != nil {
		return nil, fmt.Errorf("read replay: %w", err)
	}
	conversations, err := Parse(path, data)
	if err != nil {
		return nil, err
	}
	var results []Result
	var edits []edit
	for _, c := range conversations {
		if err := ctx.Err(); err != nil {
			return results, err
		}
		r := Run(ctx, c, open, opts)
		r.Updated = r.Updated || len(r.edits) > 0
		edits = append(edits, r.edits...)
		results = append(results, r)
	}
	if len(edits) == 0 {
		return results, nil
	}
	text, err := rewrite(path, data, edits)
	if err != nil {
		return results, err
	}
	if err := os.WriteFile(path, text, 0o644); err != nil {
		return results, fmt.Errorf("update replay: %w", err)
	}
	return results, nil
}

// replayLine recognises a replay file by its text, because a YAML file with errors cannot be
// parsed.
var replayLine = pattern.Must(`(?m)^["']?conversation["']?\s*:`)

// Find returns the replay files that paths name, sorted within each path. A file counts whatever it
// contains. In a folder and below it, files count that end in .yaml or .yml and have the key
// conversation.
func Find(paths []string) ([]string, error) {
	var files []string
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			return nil, fmt.Errorf("find replays: %w", err)
		}
		if !info.IsDir() {
			files = append(files, path)
			continue
		}
		found, err := below(path)
		if err != nil {
			return nil, fmt.Errorf("find replays: %w", err)
		}
		files = append(files, found...)
	}
	return files, nil
}

func below(root string) ([]string, error) {
	var files []string
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !slices.Contains([]string{".yaml", ".yml"}, filepath.Ext(path)) {
			return err
		}
		data, err := readFile(path)
		if err == nil && replayLine.Match(data) {
			files = append(files, path)
		}
		return err
	})
	return files, err
}

// maxFile is the largest replay file in bytes. It protects against files without an end, such as
// devices.
const maxFile = 64 << 20

func readFile(path string) ([]byte, error) { return source.ReadFile(path, maxFile) }
