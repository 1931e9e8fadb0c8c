package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/slotway/slotway/config/durable"
	"github.com/slotway/slotway/config/settings"
	"github.com/slotway/slotway/memory/migration"
	"github.com/slotway/slotway/memory/postgres"
	"github.com/slotway/slotway/memory/sqlite"
)

func newMigrate(f *flags) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "migrate up|status",
		Example: `  slotway migrate status
  slotway migrate up`,
		Short: "Bring the store's schema up to date, or show its version",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 1 && args[0] == "down" {
				return usagef("the schema only goes forward; to go back, restore a backup from before the upgrade")
			}
			if len(args) != 1 || !slices.Contains([]string{"up", "status"}, args[0]) {
				return usagef("migrate takes one of up and status")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			settings, err := f.settings()
			if err != nil {
				return err
			}
			status, err := migrateStore(cmd.Context(), settings, args[0])
			if err != nil {
				return err
			}
			return output(cmd, asJSON, status, printMigrations)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "JSON instead of a table")
	return cmd
}

func printMigrations(out io.Writer, status []migration.Status) error {
	for _, m := range status {
		state := "pending"
		if m.Applied {
			state = "applied"
		}
		if _, err := fmt.Fprintf(out, "%s  %s\n", state, m.Name); err != nil {
			return err
		}
	}
	return nil
}

// migrateStore migrates the store of the settings.
func migrateStore(ctx context.Context, s *settings.Settings, direction string) ([]migration.Status, error) {
	switch s.Memory.Storage {
	case "sqlite":
		path := s.Memory.StoragePath
		if err := durable.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return nil, fmt.Errorf("make the data folder: %w; %s, or choose another with --data", err, durable.Remedy(err))
		}
		return sqlite.Migrate(ctx, path, direction)
	case "postgres":
		return postgres.Migrate(ctx, cmp.Or(s.Memory.DirectDSN, s.Memory.DSN), direction) // past a pooler
	}
	return nil, fmt.Errorf("memory.storage is %q: it has no schema to migrate", s.Memory.Storage)
}
