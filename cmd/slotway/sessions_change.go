package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/router/sessions"
)

func (k *keeper) undo() *cobra.Command {
	cmd := &cobra.Command{
		Use: "undo SESSION", Args: exactArgs(1, "a session"),
		Short: "Take the last turn back: its messages become inactive, the state is that of the turn before",
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return k.with(cmd, func(ctx context.Context, store memory.Store, agent *config.Agent) error {
			undone, err := sessions.Undo(ctx, store, k.key(agent, args[0]), time.Now())
			if err != nil {
				return fmt.Errorf("session %q: %w", args[0], err)
			}
			fmt.Fprintf(cmd.OutOrStdout(), "turn %d is undone%s\n", undone.Turn, madeCalls(len(undone.Calls)))
			return nil
		})
	}
	return cmd
}

// madeCalls warns of what an undo cannot take back.
func madeCalls(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("; %d write calls that it made stay made", n)
}

func (k *keeper) fork() *cobra.Command {
	var turn int64
	cmd := &cobra.Command{
		Use: "fork SESSION NEW", Args: exactArgs(2, "a session and the id of the new one"),
		Short: "Copy a session, as it is or as it stood after a turn",
	}
	cmd.Flags().Int64Var(&turn, "turn", 0, "after this turn (default: as it is now)")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if turn < 0 {
			return usagef("--turn is %d, expected 0 or more", turn)
		}
		return k.with(cmd, func(ctx context.Context, store memory.Store, agent *config.Agent) error {
			if err := sessions.Fork(ctx, store, k.key(agent, args[0]), k.key(agent, args[1]), turn); err != nil {
				return fmt.Errorf("fork session %q to %q: %w", args[0], args[1], err)
			}
			fmt.Fprintf(cmd.OutOrStdout(), "session %s goes on from there\n", args[1])
			return nil
		})
	}
	return cmd
}

func (k *keeper) describe() *cobra.Command {
	var title string
	var tags []string
	cmd := &cobra.Command{
		Use: "describe SESSION", Args: exactArgs(1, "a session"),
		Short: "Give a session a title and tags, by which list finds it",
	}
	cmd.Flags().StringVar(&title, "title", "", "its title; empty takes it away")
	cmd.Flags().StringArrayVar(&tags, "tag", nil, "one of its tags, in place of those it has; may be repeated, empty takes them away")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return k.with(cmd, func(ctx context.Context, store memory.Store, agent *config.Agent) error {
			about, err := k.about(ctx, store, k.key(agent, args[0]))
			if err != nil {
				return err
			}
			if cmd.Flags().Changed("title") {
				about.Title = title
			}
			if cmd.Flags().Changed("tag") {
				about.Tags = nil
				for _, tag := range tags {
					if tag != "" {
						about.Tags = append(about.Tags, tag)
					}
				}
			}
			if err := store.Describe(ctx, k.key(agent, args[0]), about); err != nil {
				return fmt.Errorf("session %q: %w", args[0], err)
			}
			return nil
		})
	}
	return cmd
}

// about finds what a session is called today; nothing for one that does not exist.
func (k *keeper) about(ctx context.Context, store memory.Store, key memory.Key) (memory.About, error) {
	list, err := store.Sessions(ctx, memory.Query{UserID: key.UserID, AgentID: key.AgentID, SessionID: key.SessionID})
	if err != nil || len(list) == 0 {
		return memory.About{}, err
	}
	return list[0].About, nil
}

func (k *keeper) erase() *cobra.Command {
	cmd := &cobra.Command{
		Use: "erase USER", Args: exactArgs(1, "a user"),
		Short: "Erase a person: every session with every agent, and all that was made of them",
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return k.with(cmd, func(ctx context.Context, store memory.Store, _ *config.Agent) error {
			n, err := memory.Erase(ctx, store, args[0])
			if err == nil {
				fmt.Fprintf(cmd.OutOrStdout(), "%d sessions erased\n", n)
			}
			return err
		})
	}
	return cmd
}
