package replay

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"

	"github.com/slotway/slotway/config/source"
)

// RunFile plays every conversation of a file. The error is of a file that cannot be read
// or is not valid (then it is source.Problems); what differs is in the results. With
// Options.Update the expectations that differ are changed in the file.
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

// replayLine marks a YAML file as a replay, also one that cannot be parsed.
var replayLine = regexp.MustCompile(`(?m)^["']?conversation["']?\s*:`)

// Find lists the replay files that paths name, sorted within each. A file counts whatever
// is in it; in a folder and below it, those count that end in .yaml or .yml and have the
// key conversation.
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

// maxFile bounds a replay file, in bytes: what never ends, such as a device, is no replay.
const maxFile = 64 << 20

func readFile(path string) ([]byte, error) { return source.ReadFile(path, maxFile) }
