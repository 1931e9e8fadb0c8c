package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/sqlite"
	"github.com/slotway/slotway/memory/transfer"
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

// salvaged counts what could be read of a damaged store.
type salvaged struct {
	Sessions int          `json:"sessions"`
	Lost     int          `json:"lost"`    // parts that could not be read: messages, turns, calls, descriptions
	Damaged  []memory.Key `json:"damaged"` // the sessions that lack some
	Gone     []goneKey    `json:"gone"`    // those of which nothing could be copied
	Ended    string       `json:"ended,omitempty"`
}

// goneKey is a session that could not be copied, and why.
type goneKey struct {
	memory.Key
	Why string `json:"why"`
}

func (k *databaseFile) salvage() *cobra.Command {
	cmd := &cobra.Command{
		Use: "salvage FILE", Args: exactArgs(1, "the file to write"),
		Example: "  slotway db salvage whole.db && slotway db restore whole.db",
		Short:   "Copy what can be read of a damaged store to a new file; exit code 1 if something could not",
		Long: `Copy what can be read of a damaged store, session by session, to a new FILE. Stop the service first. The
store itself is not changed: a copy of it is read. What cannot be read is left out and counted; a session
whose newest state is lost goes on from the turn before. 'slotway db restore FILE' puts the result in place.

` + dbLong,
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		path, err := k.path()
		if err != nil {
			return err
		}
		if _, err := os.Stat(args[0]); !errors.Is(err, fs.ErrNotExist) {
			return cmp.Or(err, fmt.Errorf("%s is there already; choose another name", args[0]))
		}
		dir, err := os.MkdirTemp(filepath.Dir(args[0]), "salvage-")
		if err != nil {
			return fmt.Errorf("copy the store: %w", err)
		}
		defer os.RemoveAll(dir)
		work := filepath.Join(dir, "copy.db")
		if err := sqlite.CopyFiles(path, work); err != nil {
			return fmt.Errorf("copy the store: %w", err)
		}
		out, err := k.salvageTo(cmd, work, args[0])
		if err != nil {
			return err
		}
		if err := output(cmd, k.json, out, printSalvaged); err != nil || out.Lost+len(out.Gone) == 0 && out.Ended == "" {
			return err
		}
		return &reported{}
	}
	return cmd
}

// salvageTo reads a store, which it repairs, into a new file.
func (k *databaseFile) salvageTo(cmd *cobra.Command, from, to string) (out *salvaged, err error) {
	source, err := openNamed(cmd, k.flags, "sqlite:"+from, true, false)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, source.Close()) }()
	target, err := openNamed(cmd, k.flags, "sqlite:"+to, false, false)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, target.Close()) }()
	out = &salvaged{Damaged: []memory.Key{}, Gone: []goneKey{}}
	ctx := cmd.Context()
	_ = memory.CopyDigests(ctx, source, target) // a lost key is made anew
	ended := memory.Walk(ctx, source, memory.Query{}, func(i *memory.Info) error {
		lost, err := salvageSession(ctx, source, target, i.Key)
		switch out.Lost += lost; {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			out.Gone = append(out.Gone, goneKey{i.Key, err.Error()})
			return nil
		case lost > 0:
			out.Damaged = append(out.Damaged, i.Key)
		}
		out.Sessions++
		return nil
	})
	if ended != nil {
		out.Ended = ended.Error()
	}
	return out, cmp.Or(ctx.Err(), memory.MarkRestored(ctx, target, time.Now()))
}

// salvageSession copies one session, and counts the parts of it that are lost.
func salvageSession(ctx context.Context, from, to memory.Backend, key memory.Key) (lost int, err error) {
	isLost, err := from.Renew(ctx, key, time.Now())
	if err != nil {
		return 0, err
	}
	missing := &transfer.MissingParts{}
	err = transfer.Pipe(nil, func(_ io.Reader, w io.Writer) error { return from.Export(ctx, key, io.MultiWriter(w, missing)) }, func(r io.Reader) error {
		_, err := to.Import(ctx, r)
		return err
	})
	if lost = missing.Count(); isLost {
		lost++
	}
	return lost, err
}

func printSalvaged(w io.Writer, out *salvaged) error {
	for _, key := range out.Damaged {
		fmt.Fprintf(w, "in part: session %q of user %q, agent %q\n", key.SessionID, key.UserID, key.AgentID)
	}
	for _, key := range out.Gone {
		fmt.Fprintf(w, "not at all: session %q of user %q, agent %q: %s\n", key.SessionID, key.UserID, key.AgentID, key.Why)
	}
	if out.Ended != "" {
		fmt.Fprintf(w, "the list of sessions could not be read to its end: %s\n", out.Ended)
	}
	_, err := fmt.Fprintf(w, "%d sessions copied, %d of them in part (%d parts are lost), %d not at all\n", out.Sessions, len(out.Damaged), out.Lost, len(out.Gone))
	return err
}
