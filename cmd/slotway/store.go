package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/slotway/slotway/config/settings"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/transfer"
)

const storeCopyLong = `Copy every session from one store to another, with its messages, turns, journal of writes and
what the memory tiers made of it. Each session is read back and compared byte by byte. A copy
that was interrupted continues when you run the command again.

WHERE is sqlite:FILE, a URL of PostgreSQL, or "settings" for the store that the settings name.
Put passwords into memory.dsn, PGPASSWORD or a passfile: other users of the machine may see a
command line. With memory.encryption_key_env set, both are read and written
with that key. With --unencrypted, --from is a store from before encryption was switched on: open
confirmations are asked again, and the copy is encrypted. Without it, such a store is refused.

Stop the service first, or run the copy a second time with --replace once it has stopped:
sessions that changed meanwhile are listed, and the exit code is 1.`

func newStore(f *flags) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "store",
		Example: "  slotway store copy --from sqlite:old.db --to settings",
		Short:   "Move sessions from one store to another, or go on with one that was put back",
	}
	return group(cmd, newStoreCopy(f), newStoreRestored(f))
}

const storeRestoredLong = `Say that the store is in an earlier state than it was: a backup of PostgreSQL was put back, or what
is missing of a SQLite file is lost for good. Stop the service first. It then takes nothing from before
for an order: what was asked is asked again before a yes counts, calls without an outcome are told as
unknown and not repeated, and what waited in the inbox or the outbox of a channel is not handled or sent.
'slotway db restore' says so by itself.`

func newStoreRestored(f *flags) *cobra.Command {
	cmd := &cobra.Command{
		Use: "restored", Args: noArgs, Example: "  slotway store restored",
		Short: "Go on with a store that was put back or has lost turns; nothing is called because of that", Long: storeRestoredLong,
	}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		settings, err := f.settings()
		if err != nil {
			return err
		}
		if err := mustExist(settings, true); err != nil {
			return err
		}
		o := allStores()
		o.Accept = true
		opened, err := o.Open(cmd.Context(), settings)
		if err != nil {
			return err
		}
		return errors.Join(memory.MarkRestored(cmd.Context(), opened.Store, time.Now()), opened.Store.Close())
	}
	return cmd
}

func newStoreCopy(f *flags) *cobra.Command {
	var from, to string
	var asJSON, unencrypted bool
	var opts transfer.CopyOptions
	cmd := &cobra.Command{
		Use: "copy --from WHERE --to WHERE",
		Example: `  slotway store copy --from sqlite:old.db --to settings
  slotway store copy --from settings --to postgres://localhost/slotway --replace`,
		Short: "Copy all sessions, and compare the copies",
		Long:  storeCopyLong,
		Args:  noArgs,
	}
	cmd.Flags().StringVar(&from, "from", "", "sqlite:FILE, postgres://..., or settings")
	cmd.Flags().StringVar(&to, "to", "", "target, in the same form")
	cmd.Flags().BoolVar(&opts.Replace, "replace", false, "replace older copies of a session")
	cmd.Flags().BoolVar(&unencrypted, "unencrypted", false, "--from is from before encryption was switched on")
	cmd.Flags().BoolVar(&asJSON, "json", false, "a JSON object instead of text")
	cmd.RunE = func(cmd *cobra.Command, _ []string) (err error) {
		if from == "" || to == "" || from == to {
			return usagef("store copy takes --from and --to, two different stores")
		}
		source, err := openNamed(cmd, f, from, true, unencrypted)
		if err != nil {
			return fmt.Errorf("--from: %w", err)
		}
		defer func() { err = errors.Join(err, source.Close()) }()
		target, err := openNamed(cmd, f, to, false, false)
		if err != nil {
			return fmt.Errorf("--to: %w", err)
		}
		defer func() { err = errors.Join(err, target.Close()) }()
		step, finish := stepBar[int](cmd, "copy")
		opts.Progress = step
		r, err := transfer.Copy(cmd.Context(), source, target, &opts)
		finish()
		if err != nil {
			return fmt.Errorf("%w; run the command again to go on from there", err)
		}
		return printCopy(cmd, &r, asJSON)
	}
	return cmd
}

// openNamed opens the store that an argument names. A source must exist.
func openNamed(cmd *cobra.Command, f *flags, where string, existing, unencrypted bool) (memory.Backend, error) {
	settings, err := f.settings()
	if err != nil {
		return nil, err
	}
	named := *settings
	switch file, ok := strings.CutPrefix(where, "sqlite:"); {
	case ok:
		named.Memory.Storage, named.Memory.StoragePath = "sqlite", file
	case strings.HasPrefix(where, "postgres://") || strings.HasPrefix(where, "postgresql://"):
		named.Memory.Storage, named.Memory.DSN, named.Memory.DirectDSN = "postgres", where, ""
	case where != "settings":
		return nil, usagef("write sqlite:FILE, postgres://..., or settings")
	}
	if named.Memory.RedisURL = ""; named.Memory.Storage == "inmem" {
		return nil, usagef("the settings name no store that lasts")
	}
	if err := mustExist(&named, existing); err != nil {
		return nil, err
	}
	o := allStores()
	o.Unencrypted = unencrypted
	opened, err := o.Open(cmd.Context(), &named)
	if err != nil {
		return nil, err
	}
	return opened.Store, nil
}

func mustExist(s *settings.Settings, existing bool) error {
	if !existing || s.Memory.Storage != "sqlite" {
		return nil
	}
	if _, err := os.Stat(s.Memory.StoragePath); err != nil {
		return fmt.Errorf("open the store: %w", err)
	}
	return nil
}

// printCopy writes a report; conflicts and changes are an exit code.
func printCopy(cmd *cobra.Command, r *transfer.CopyReport, asJSON bool) error {
	err := output(cmd, asJSON, r, func(out io.Writer, r *transfer.CopyReport) error {
		_, err := fmt.Fprintf(out, "%d sessions: %d added, %d there already, %d replaced; %d messages, %d turns, %d calls, %d views read back\nsha256 %s\n",
			r.Sessions, r.Added, r.There, r.Replaced, r.Messages, r.Turns, r.Steps, r.Views, r.SHA256)
		return err
	})
	switch {
	case err != nil:
		return fmt.Errorf("write the report: %w", err)
	case r.Conflicts > 0:
		return fmt.Errorf("%d sessions are in the target with another content and were left as they are; --replace takes newer ones over", r.Conflicts)
	case r.Changed > 0:
		return fmt.Errorf("%d sessions changed in the source meanwhile; stop the service and run the command again with --replace", r.Changed)
	}
	return nil
}
