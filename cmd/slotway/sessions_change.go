package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/router/sessions"
)

func (k *sessionStore) undo() *cobra.Command {
	cmd := &cobra.Command{
		Use: "undo SESSION", Args: exactArgs(1, "a session"),
		Example: "  slotway sessions undo ann-1 --user ann",
		Short:   "Undo the last turn: its messages become inactive, the state is that of the turn before",
	}
	return k.run(cmd, func(o *opened, args []string) error {
		undone, err := sessions.Undo(o.ctx, o.store, o.key(args[0]), time.Now())
		if err != nil {
			return fmt.Errorf("session %q: %w", args[0], err)
		}
		fmt.Fprintf(o.out, "turn %d is undone%s\n", undone.Turn, callsNote(len(undone.Calls)))
		return nil
	})
}

// callsNote warns about calls that an undo cannot take back.
func callsNote(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("; %d write calls that it made stay made", n)
}

func (k *sessionStore) fork() *cobra.Command {
	var turn int64
	cmd := &cobra.Command{
		Use: "fork SESSION NEW", Args: exactArgs(2, "a session and the id of the new one"),
		Example: "  slotway sessions fork ann-1 ann-2 --turn 3",
		Short:   "Copy a session as it is, or as it was after a turn",
	}
	cmd.Flags().Int64Var(&turn, "turn", 0, "after this turn (default: as it is now)")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if turn < 0 {
			return usagef("--turn is %d, expected 0 or more", turn)
		}
		return k.open(cmd, func(o *opened) error {
			if err := sessions.Fork(o.ctx, o.store, o.key(args[0]), o.key(args[1]), turn); err != nil {
				return fmt.Errorf("fork session %q to %q: %w", args[0], args[1], err)
			}
			fmt.Fprintf(o.out, "session %s goes on from there\n", args[1])
			return nil
		})
	}
	return cmd
}

func (k *sessionStore) erase() *cobra.Command {
	cmd := &cobra.Command{
		Use: "erase USER", Args: exactArgs(1, "a user"),
		Example: "  slotway sessions erase ann",
		Short:   "Erase a user: all sessions with all agents, and everything derived from them",
	}
	return k.run(cmd, func(o *opened, args []string) error {
		n, err := memory.Erase(o.ctx, o.store, args[0])
		if err == nil {
			fmt.Fprintf(o.out, "%d sessions erased\n", n)
		}
		return err
	})
}
