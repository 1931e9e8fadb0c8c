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
		Example: "  slotway db backup monday.db",
		Short:   "Copy a snapshot of the store to a file, even while a server uses it, and check the copy",
		Long: `Copy a snapshot of the store to FILE. A server may use the store meanwhile. The copy gets its
name only when it is complete, checked and on the disk; a copy of a damaged store is not kept.
The copy is one self-contained database file. A FILE.new-* beside it is left from a run that was
killed, and can be removed.

` + dbLong,
	}
	cmd.Flags().BoolVar(&force, "force", false, "replace FILE if it exists")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		path, err := k.path()
		if err != nil {
			return err
		}
		copying, copied := stepBar[int64](cmd, "copy")
		checking, checked := stepBar[int64](cmd, "check")
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
		Example: "  slotway db restore monday.db",
		Short:   "Replace the store with a checked copy of a backup; the replaced store stays under a dated name",
		Long: `Check a copy of the backup FILE and replace the store with it in one step. The old
store, in whatever state, stays beside it as NAME.replaced-DATE. Stop the server first: while
another process has the store open, nothing is changed. Turns since the backup are not in it.

` + dbLong,
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		path, err := k.path()
		if err != nil {
			return err
		}
		copying, copied := stepBar[int64](cmd, "copy")
		checking, checked := stepBar[int64](cmd, "check")
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
