package main

import (
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/slotway/slotway/router/replay"
	"github.com/slotway/slotway/router/sessions"
)

// newRecord writes a stored session as a replay.
func newRecord(f *flags) *cobra.Command {
	k := &sessionStore{flags: f}
	var file string
	cmd := &cobra.Command{
		Use:     "record SESSION",
		Example: "  slotway record ann-1 --user ann -o tests/ann.yaml",
		Short:   "Write a stored session as a replay, with its values unmasked",
		Args:    exactArgs(1, "a session"),
	}
	addID(cmd.Flags(), &k.user, "user", "local", "user that the session belongs to")
	cmd.Flags().StringVarP(&file, "output", "o", "", "file (default: stdout)")
	return k.run(cmd, func(o *opened, args []string) error {
		text, err := replay.FromStore(o.ctx, o.store, o.key(args[0]), relative(f.agent, file), sessions.Reveal())
		if err != nil {
			return err
		}
		write := func(w io.Writer) error {
			_, err := w.Write(text)
			return err
		}
		if file != "" {
			return writeFile(file, write)
		}
		return write(o.out)
	})
}

// relative returns the path of an agent relative to a file.
func relative(agent, file string) string {
	if agent == "" || filepath.IsAbs(agent) {
		return agent
	}
	if rel, err := filepath.Rel(filepath.Dir(file), agent); err == nil {
		return filepath.ToSlash(rel)
	}
	return agent
}
