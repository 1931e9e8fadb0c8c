package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/slotway/slotway/memory/sqlite"
)

func (k *databaseFile) backup() *cobra.Command {
	var force bool
	cmd := &cobra.Command{
		Use: "backup FILE", Args: exactArgs(1, "the file to write"),
		Short: "Copy the store to a file as it is at one moment, while a server uses it, and check the copy",
		Long: `Copy the store to FILE as it is at one moment. A server may go on using it. The copy gets its
name only when it is whole, checked and on the disk; a copy of a damaged store is not kept.
It is one file that is a database of its own. A FILE.new-* beside it is of a run that was
killed, and can be removed.

` + dbLong,
	}
	cmd.Flags().BoolVar(&force, "force", false, "replace FILE if it exists")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		path, err := k.path()
		if err != nil {
			return err
		}
		copying, copied := stepBar(cmd, "copy")
		checking, checked := stepBar(cmd, "check")
		report, err := sqlite.Backup(cmd.Context(), path, args[0], &sqlite.BackupOptions{Force: force, Copying: copying, Checking: checking})
		copied()
		checked()
		if err != nil {
			return k.printRefused(cmd, report, err)
		}
		return k.printReport(cmd, report, nil)
	}
	return cmd
}

func (k *databaseFile) restore() *cobra.Command {
	cmd := &cobra.Command{
		Use: "restore FILE", Args: exactArgs(1, "a backup"),
		Short: "Put a checked copy of a backup in the store's place and keep what was there under a dated name",
		Long: `Check a copy of the backup FILE and put it in the place of the store in one step. What was
there, in whatever state, is kept beside it as NAME.replaced-DATE. Stop the server first: while
another process has the store open, nothing is changed. Turns since the backup are not in it.

` + dbLong,
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		path, err := k.path()
		if err != nil {
			return err
		}
		copying, copied := stepBar(cmd, "copy")
		checking, checked := stepBar(cmd, "check")
		out, err := sqlite.Restore(cmd.Context(), args[0], path, &sqlite.RestoreOptions{Copying: copying, Checking: checking})
		copied()
		checked()
		if err != nil {
			return k.printRefused(cmd, out.Report, err)
		}
		return output(cmd, k.json, out, printRestored)
	}
	return cmd
}

func printRestored(w io.Writer, r *sqlite.Restored) error {
	if err := writeReport(w, r.Report); err != nil {
		return err
	}
	if r.Kept != "" {
		fmt.Fprintf(w, "what was there is kept as %s\n", r.Kept)
	}
	return nil
}

// printRefused shows why a file was not copied.
func (k *databaseFile) printRefused(cmd *cobra.Command, r *sqlite.Report, err error) error {
	if errors.Is(err, sqlite.ErrDamaged) {
		return k.printReport(cmd, r, err)
	}
	return err
}
