// Package worktree copies the repository for the commands that change its code: mutate and powercut.
package worktree

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Copy copies what git knows of or would take from the working folder, the root of the
// repository, to another: tests leave files beside them when they fail.
func Copy(ctx context.Context, to string) error {
	list, err := exec.CommandContext(ctx, "git", "ls-files", "-z", "-c", "-o", "--exclude-standard").Output()
	if err != nil {
		return fmt.Errorf("list the files of the tree: %w; run it in the repository's root", err)
	}
	for name := range strings.SplitSeq(strings.TrimSuffix(string(list), "\x00"), "\x00") {
		data, err := os.ReadFile(name)
		if os.IsNotExist(err) { // deleted, and git was not told yet
			continue
		}
		if err != nil {
			return err
		}
		path := filepath.Join(to, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(path, data, 0o700); err != nil {
			return err
		}
	}
	return nil
}
