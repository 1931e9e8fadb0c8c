package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/slotway/slotway/memory/sqlite"
)

const dbLong = `Maintain the file of the session store (memory.storage_path): the SQLite database with the
conversations. It does not touch the databases of the agent's tools, such as shop.db of the
embedded agent: maintain those with SQLite's own tools.`

// databaseFile holds what the db commands share.
type databaseFile struct {
	flags *flags
	json  bool
}

func newDB(f *flags) *cobra.Command {
	k := &databaseFile{flags: f}
	cmd := &cobra.Command{
		Use: "db",
		Example: `  slotway db check
  slotway db backup monday.db`,
		Short: "Maintain the file of the session store: check, backup, restore, salvage",
		Long:  dbLong,
	}
	cmd.PersistentFlags().BoolVar(&k.json, "json", false, "a JSON object instead of text")
	return group(cmd, k.check(), k.backup(), k.restore(), k.salvage())
}

// path returns the file of the store.
func (k *databaseFile) path() (string, error) {
	settings, err := k.flags.settings()
	if err != nil {
		return "", err
	}
	if settings.Memory.Storage != "sqlite" {
		return "", fmt.Errorf("memory.storage is %q: only sqlite keeps a file to look after", settings.Memory.Storage)
	}
	return settings.Memory.StoragePath, nil
}

func (k *databaseFile) check() *cobra.Command {
	cmd := &cobra.Command{
		Use: "check [FILE]",
		Example: `  slotway db check
  slotway db check monday.db --json`,
		Short: "Verify every row and the file; exit code 1 if it is damaged",
		Long: `Read every row of every table and verify its checksum (CRC32C), how rows belong together,
gaps in sessions, the schema, its indexes and SQLite's own structures. Nothing is changed, and
a server may use the file meanwhile. FILE names another file, for example a backup.

` + dbLong,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usagef("expected at most a file, got %d arguments", len(args))
			}
			return nil
		},
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		var path string
		var err error
		if len(args) == 1 {
			path = args[0]
		} else if path, err = k.path(); err != nil {
			return err
		}
		progress, finish := stepBar[int64](cmd, "check")
		report, err := sqlite.Check(cmd.Context(), path, progress)
		finish()
		if err != nil {
			return err
		}
		return k.printReport(cmd, report, nil)
	}
	return cmd
}

// printReport writes a report; damage is an exit code.
func (k *databaseFile) printReport(cmd *cobra.Command, r *sqlite.Report, err error) error {
	failed := output(cmd, k.json, r, writeReport)
	if failed == nil && err == nil && !r.Sound {
		err = &reported{}
	}
	return errors.Join(failed, err)
}

// writeReport writes a report for people: a line for each problem, the counts, the verdict.
func writeReport(out io.Writer, r *sqlite.Report) error {
	for _, p := range r.Problems {
		where := p.Table
		if p.Row != 0 {
			where += fmt.Sprintf(" row %d", p.Row)
		}
		if p.Key != nil {
			where += fmt.Sprintf(" (session %q of user %q, agent %q)", p.Key.SessionID, p.Key.UserID, p.Key.AgentID)
		}
		if where != "" {
			where += ": "
		}
		if _, err := fmt.Fprintf(out, "%-10s  %s%s\n", p.Kind, where, p.Text); err != nil {
			return fmt.Errorf("write the report: %w", err)
		}
	}
	if more := r.Found - len(r.Problems); more > 0 {
		fmt.Fprintf(out, "and %d more problems\n", more)
	}
	verdict := "sound"
	if !r.Sound {
		verdict = fmt.Sprintf("DAMAGED, %d problems; %s", r.Found, r.Remedy())
	}
	schema := fmt.Sprint(r.Schema)
	if r.Schema < r.Latest {
		schema = fmt.Sprintf("%d of %d, which the next start migrates", r.Schema, r.Latest)
	}
	_, err := fmt.Fprintf(out, "%s: %d rows read (%d sessions, %d messages, %d turns), schema %s: %s\n",
		r.File, r.Total(), r.Rows["sessions"], r.Rows["messages"], r.Rows["turns"], schema, verdict)
	if err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	return nil
}
