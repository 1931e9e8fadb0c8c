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

// Copy copies the files that git tracks or would add from the working directory, which must be
// the root of the repository. It leaves out ignored files, such as the output of failed tests.
func Copy(ctx context.Context, to string) error {
	list, err := exec.CommandContext(ctx, "git", "ls-files", "-z", "-c", "-o", "--exclude-standard").Output()
	if err != nil {
		return fmt.Errorf("list the files of the tree: %w; run it in the repository's root", err)
	}
	for name := range strings.SplitSeq(strings.TrimSuffix(string(list), "\x00"), "\x00") {
		data, err := os.ReadFile(name)
		if os.IsNotExist(err) { // deleted, but still in the index
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
