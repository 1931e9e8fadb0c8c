package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"github.com/slotway/slotway/config/settings"
	"github.com/slotway/slotway/config/source"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/transfer"
	"github.com/slotway/slotway/router/sessions"
)

// aboutFlags describe a session.
type aboutFlags struct {
	title, prompt, metadata, expires string
	tags                             []string
}

func addAbout(cmd *cobra.Command) *aboutFlags {
	a := &aboutFlags{}
	f := cmd.Flags()
	f.StringVar(&a.title, "title", "", "its title; empty takes it away")
	f.StringArrayVar(&a.tags, "tag", nil, "one of its tags, in place of those it has; may be repeated, empty takes them away")
	f.StringVar(&a.prompt, "system-prompt", "", "what models are told in it, behind the agent's own system_prompt; @FILE reads it; empty takes it away")
	f.StringVar(&a.metadata, "metadata", "", "a JSON object to keep with it, in place of what it has; {} takes it away")
	f.StringVar(&a.expires, "expires", "", "when to erase it: a time as in 2006-01-02T15:04:05Z, or how long from now as in 12h or 7d; empty for never")
	return a
}

// apply changes about by the flags that were given.
func (a *aboutFlags) apply(cmd *cobra.Command, about *memory.About, now time.Time) error {
	given := cmd.Flags().Changed
	if given("title") {
		about.Title = a.title
	}
	if given("tag") {
		about.Tags = nil
		for _, tag := range a.tags {
			if tag != "" {
				about.Tags = append(about.Tags, tag)
			}
		}
	}
	if given("system-prompt") {
		text, err := textOrFile(a.prompt)
		if err != nil {
			return err
		}
		about.SystemPrompt = text
	}
	if given("metadata") {
		about.Metadata = json.RawMessage(a.metadata)
	}
	if given("expires") {
		at, err := expiry(a.expires, now)
		if err != nil {
			return err
		}
		about.ExpiresAt = at
	}
	if err := about.Validate(); err != nil {
		return usagef("%v", err)
	}
	return nil
}

// textOrFile returns a text, or the content of the file that it names by @.
func textOrFile(text string) (string, error) {
	if len(text) < 2 || text[0] != '@' {
		return text, nil
	}
	f, err := source.OpenFile(text[1:])
	if err != nil {
		return "", err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, 4*memory.MaxSystemPrompt+1))
	if err != nil {
		return "", fmt.Errorf("read the system prompt: %w", err)
	}
	return string(data), nil
}

// expiry reads a time, or a duration from now.
func expiry(text string, now time.Time) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		d, err := source.ParseDuration(text)
		if err != nil {
			return at, usagef("--expires is %q, expected a time as in 2006-01-02T15:04:05Z or a duration as in 12h or 7d", text)
		}
		at = now.Add(d)
	}
	if !at.After(now) {
		return at, usagef("--expires is %q, which is not ahead", text)
	}
	return at, nil
}

func (k *sessionStore) create() *cobra.Command {
	cmd := &cobra.Command{
		Use: "create [SESSION]", Args: atMostOneArg("a session"),
		Example: "  slotway sessions create ann-1 --user ann --title 'a late order'",
		Short:   "Create a session without messages and print its id; 'chat --session ID' continues it",
	}
	said := addAbout(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		id := uuid.NewString()
		if len(args) > 0 {
			id = args[0]
		}
		settings, err := k.flags.settings()
		if err != nil {
			return err
		}
		if err := checkLasting(settings); err != nil {
			return err
		}
		return k.open(cmd, func(o *opened) error {
			if err := checkUser(k.user); err != nil {
				return err
			}
			var about memory.About
			now := time.Now()
			if err := said.apply(cmd, &about, now); err != nil {
				return err
			}
			if err := transfer.Create(o.ctx, o.store, o.key(id), about, now); err != nil {
				if errors.Is(err, memory.ErrConflict) {
					return fmt.Errorf("session %q of user %q exists; 'slotway sessions describe' changes its description", id, k.user)
				}
				return err
			}
			fmt.Fprintln(o.out, id)
			return nil
		})
	}
	return cmd
}

// checkLasting returns why a session that this command creates would be gone when it ends.
func checkLasting(s *settings.Settings) error {
	switch m := &s.Memory; {
	case !m.Enabled:
		return errors.New("no session is created: memory.enabled is false, so each message is a conversation of its own")
	case m.Storage == "inmem":
		return errors.New("no session is created: memory.storage is inmem, which keeps sessions only while a process runs; POST /v1/sessions creates one in a running service")
	}
	return nil
}

func (k *sessionStore) describe() *cobra.Command {
	cmd := &cobra.Command{
		Use: "describe SESSION", Args: exactArgs(1, "a session"),
		Example: "  slotway sessions describe ann-1 --title 'a late order' --tag complaint",
		Short:   "Describe a session: title and tags (list finds them), system prompt, metadata, expiry",
	}
	said := addAbout(cmd)
	return k.run(cmd, func(o *opened, args []string) error {
		about, err := memory.AboutOf(o.ctx, o.store, o.key(args[0]))
		if err != nil {
			return err
		}
		if err := said.apply(o.cmd, &about, time.Now()); err != nil {
			return err
		}
		if err := o.store.Describe(o.ctx, o.key(args[0]), about); err != nil {
			return fmt.Errorf("session %q: %w", args[0], err)
		}
		return nil
	})
}

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
