package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/recall"
)

func (k *keeper) reindex() *cobra.Command {
	cmd := &cobra.Command{
		Use: "reindex", Args: noArgs,
		Short: "Make the vectors of all users' messages and documents, or of one's with --user, by the embedding model of the settings; the old ones serve meanwhile",
	}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		user := ""
		if cmd.Flags().Changed("user") {
			user = k.user
		}
		return k.tiered(cmd, func(ctx context.Context, a *app, tiers []memory.Tier) error {
			tier, err := tierOf[*recall.Tier](tiers)
			if err != nil {
				return err
			}
			messages, documents, err := a.reindex(ctx, cmd, tier, user)
			if err != nil {
				return err
			}
			if user == "" {
				if err := k.reindexed(a, messages+documents); err != nil {
					return err
				}
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "%d messages have new vectors\n%d archived texts have new vectors\n", messages, documents)
			return err
		})
	}
	return cmd
}

// reindex makes what is missing, and tells how far it is.
func (a *app) reindex(ctx context.Context, cmd *cobra.Command, tier *recall.Tier, user string) (messages, documents int, err error) {
	var told *steps
	defer func() { told.finish() }()
	messages, err = tier.Backfill(ctx, user, func(at, total int) {
		if told == nil {
			told = newSteps(cmd, "sessions", total)
		}
		told.at(at)
	})
	if err != nil {
		return messages, 0, err
	}
	keys, err := a.sessionsOf(ctx, user)
	if err != nil {
		return messages, 0, err
	}
	told.finish()
	told = newSteps(cmd, "archives", len(keys))
	for i, key := range keys {
		n, err := a.archive.Backfill(ctx, key)
		if documents += n; err != nil {
			return messages, documents, err
		}
		told.at(i + 1)
	}
	return messages, documents, nil
}

// reindexed writes down that nothing is missing.
func (k *keeper) reindexed(a *app, made int) error {
	model, digest := wantedVectors(k.flags, a.settings)
	if model == "" {
		return nil
	}
	keys, err := a.sessionsOf(context.Background(), "")
	if err != nil {
		return err
	}
	return writeBackfill(k.flags.dataDir(a.settings), &backfilled{
		For: digest, Model: model, Done: len(keys), Total: len(keys), Made: made, Finished: true, At: wallClock(),
	})
}

// steps tells how far long work has come: by a bar on a terminal, else by a line each tenth. A
// nil one tells nothing.
type steps struct {
	bar         *bar
	out         io.Writer
	what        string
	done, total int
	ended       bool
}

func newSteps(cmd *cobra.Command, what string, total int) *steps {
	return &steps{bar: countBar(cmd, what, total), out: cmd.ErrOrStderr(), what: what, total: total}
}

// at tells that n steps are done.
func (s *steps) at(n int) {
	before := s.done
	s.done = n
	if s.bar != nil {
		s.bar.add(n - before)
		return
	}
	if tenth := max(s.total, 1); 10*before/tenth != 10*n/tenth {
		fmt.Fprintf(s.out, "%s: %d of %d\n", s.what, n, s.total)
	}
}

func (s *steps) finish() {
	if s != nil && !s.ended {
		s.ended = true
		s.bar.finish()
	}
}
