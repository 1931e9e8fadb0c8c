package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"github.com/slotway/slotway/config/naming"
	"github.com/slotway/slotway/memory"
)

// notFound words the error for a session that the command's user and agent do not have: it says which
// have one of that id.
func (o *opened) notFound(session string) error {
	text := fmt.Sprintf("session %q of user %q and agent %q: %%w", session, o.user, o.agent.ID)
	owners, err := sessionOwners(o.ctx, o.store, session)
	if err != nil || len(owners) == 0 {
		return fmt.Errorf(text+"; 'slotway sessions list --all-users' shows what there is", memory.ErrNotFound)
	}
	at := owners[0]
	for _, k := range owners {
		if k.UserID == o.user {
			at = k
		}
	}
	if at.AgentID != o.agent.ID {
		return fmt.Errorf(text+"; one of user %q belongs to agent %q: name that agent's file with --agent%s", memory.ErrNotFound, at.UserID, at.AgentID, o.userFlag(at))
	}
	return fmt.Errorf(text+"; one belongs to user %q:%s", memory.ErrNotFound, at.UserID, o.userFlag(at))
}

// userFlag is the flag for the user of a session, if it is not the command's.
func (o *opened) userFlag(at memory.Key) string {
	if at.UserID == o.user {
		return ""
	}
	return " --user " + at.UserID
}

// sessionOwners returns the keys of the sessions with an id.
func sessionOwners(ctx context.Context, store memory.Backend, session string) ([]memory.Key, error) {
	const most = 20
	list, err := store.Sessions(ctx, memory.Query{SessionID: session, Limit: most})
	if err != nil {
		return nil, err
	}
	var keys []memory.Key
	for _, i := range list {
		if !memory.Reserved(i.Key.UserID) {
			keys = append(keys, i.Key)
		}
	}
	return keys, nil
}

// otherAgents says, of a session that the user does not have with this agent, which agents have one of
// that id; "" for any other.
func (h *localBackend) otherAgents(ctx context.Context, session string) string {
	if session == "" {
		return ""
	}
	owners, err := sessionOwners(ctx, h.app.Store(), session)
	if err != nil {
		return "" // the turns report it
	}
	var agents []string
	for _, k := range owners {
		switch {
		case k == h.key(session):
			return ""
		case k.UserID == h.user:
			agents = append(agents, k.AgentID)
		}
	}
	if len(agents) == 0 {
		return ""
	}
	return fmt.Sprintf("session %q belongs to agent %s; this is agent %s, which begins its own (--agent names an agent's file)", session, naming.JoinAnd(agents), h.app.Agent().ID)
}

// completeSession lists the ids of the user's sessions for a shell.
func (k *sessionStore) completeSession(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var ids []string
	err := k.eachStored(cmd, func(i *memory.Info) {
		ids = append(ids, cobra.CompletionWithDesc(i.Key.SessionID, fmt.Sprintf("%d turns, last %s", i.Turns, i.UpdatedAt.Local().Format("2006-01-02 15:04"))))
	})
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	return ids, cobra.ShellCompDirectiveNoFileComp
}

// eachStored calls f for the newest sessions of the user with the agent. It makes no store.
func (k *sessionStore) eachStored(cmd *cobra.Command, f func(*memory.Info)) error {
	s, err := k.flags.settings()
	if err != nil {
		return err
	}
	if _, err := os.Stat(s.Memory.StoragePath); s.Memory.Storage == "sqlite" && errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return k.open(cmd, func(o *opened) error {
		const most = 100
		list, err := o.store.Sessions(o.ctx, memory.Query{UserID: o.user, AgentID: o.agent.ID, Limit: most})
		for i := range list {
			f(&list[i])
		}
		return err
	})
}

// completeIDs makes Tab complete the flag --session of a command.
func completeIDs(f *flags, cmd *cobra.Command) {
	_ = cmd.RegisterFlagCompletionFunc("session", func(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
		k := &sessionStore{flags: f, user: "local"}
		if user := cmd.Flags().Lookup("user"); user != nil {
			k.user = user.Value.String()
		}
		return k.completeSession(cmd, nil, "")
	}) // fails only for an unknown flag
}

// completeFiles tells a shell which files the flags of every command take.
func completeFiles(root *cobra.Command) {
	_ = root.MarkPersistentFlagFilename("agent", "yaml", "yml")
	_ = root.MarkPersistentFlagFilename("config", "yaml", "yml")
	_ = root.MarkPersistentFlagDirname("data") // all three fail only for an unknown flag
}
