package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"
)

func (k *sessionStore) reindex() *cobra.Command {
	cmd := &cobra.Command{
		Use: "reindex", Args: noArgs,
		Example: `  slotway memory reindex
  slotway memory reindex --user ann`,
		Short: "Compute all vectors anew, with the embedding model of the settings",
		Long: `Compute the vectors of all users' messages and documents anew, with the embedding model of the
settings. With --user, only those of one user. Searches use the old vectors meanwhile.`,
	}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		user := ""
		if cmd.Flags().Changed("user") {
			user = k.user
		}
		return k.tiered(cmd, func(a *openedMemory) error {
			if !a.settings.Memory.VectorStore.Enabled {
				return errors.New("memory.vector_store.enabled is false: texts are found by their words alone, and no vectors are made; set it to true")
			}
			var told *progressReport
			defer func() { told.finish() }()
			messages, documents, err := a.Reindex(a.ctx, user, func(what string, done, total int) {
				if told == nil || told.what != what {
					told.finish()
					told = newSteps(cmd, what, total)
				}
				told.update(done)
			})
			if err != nil && errors.Is(a.ctx.Err(), context.Canceled) {
				return fmt.Errorf("interrupted: %d messages and %d archived texts have new vectors; 'slotway memory reindex' goes on from there", messages, documents)
			}
			if err != nil {
				return err
			}
			told.finish()
			_, err = fmt.Fprintf(a.out, "%d messages have new vectors\n%d archived texts have new vectors\n", messages, documents)
			return err
		})
	}
	return cmd
}

// progressReport shows the progress of long work: a bar on a terminal, otherwise a line for each tenth.
// A nil one shows nothing.
type progressReport struct {
	bar         *bar
	out         io.Writer
	what        string
	done, total int
	ended       bool
}

func newSteps(cmd *cobra.Command, what string, total int) *progressReport {
	return &progressReport{bar: countBar(cmd, what, total), out: cmd.ErrOrStderr(), what: what, total: total}
}

// update reports that n steps are done.
func (s *progressReport) update(n int) {
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

func (s *progressReport) finish() {
	if s != nil && !s.ended {
		s.ended = true
		s.bar.finish()
	}
}
