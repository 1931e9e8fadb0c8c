package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/slotway/slotway"
	"github.com/spf13/cobra"
)

// begin opens the agent of the flags. With --fresh everything that it stores is in a new folder, which
// is removed when it is closed.
func (c *chatFlags) begin(cmd *cobra.Command, f *flags, o slotway.Options) (a *slotway.Runtime, end func() error, err error) {
	f.waits = true
	if !c.fresh {
		if f, err = loggedFlags(f, isTerminal(cmd.ErrOrStderr())); err != nil {
			return nil, nil, err
		}
		a, err = f.open(cmd.Context(), o)
		if err != nil {
			return nil, nil, err
		}
		return a, a.Close, nil
	}
	if f.data != "" {
		return nil, nil, usagef("--fresh does not go with --data: it makes a folder of its own")
	}
	dir, err := os.MkdirTemp("", "slotway-fresh-")
	if err != nil {
		return nil, nil, fmt.Errorf("make a data folder: %w", err)
	}
	if f, err = loggedFlags(freshFlags(f, dir), isTerminal(cmd.ErrOrStderr())); err != nil {
		return nil, nil, errors.Join(err, os.RemoveAll(dir))
	}
	a, err = f.open(cmd.Context(), o)
	if err != nil {
		return nil, nil, errors.Join(err, os.RemoveAll(dir))
	}
	return a, func() error { return errors.Join(a.Close(), os.RemoveAll(dir)) }, nil
}

// freshFlags store everything that outlives a process in dir, whatever the settings say: a shared
// database or an external index would remember the conversation.
func freshFlags(f *flags, dir string) *flags {
	fresh := *f
	fresh.data = dir
	fresh.set = append(
		append([]string{}, f.set...),
		"memory.storage=sqlite", "memory.durability=relaxed", "memory.redis_url=", "memory.vector_store.backend=sqlite",
	)
	return &fresh
}
