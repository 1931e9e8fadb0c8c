package main

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/slotway/slotway"
	"github.com/slotway/slotway/memory"
)

func newMCP(f *flags) *cobra.Command {
	var user string
	cmd := &cobra.Command{
		Use:     "mcp",
		Example: "  slotway mcp --agent agent.yaml      # as the command that an MCP client starts",
		Short:   "Run an MCP server on stdin and stdout, with the agent's intents as tools",
		Long: `Run an MCP server on stdin and stdout, for a client that starts it: each task and answer of
the agent is a tool, beside send_message, search_memory and list_sessions. Nothing but the
protocol goes to stdout; logs go to stderr.

` + reloadHelp,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := checkUser(user); err != nil {
				return err
			}
			defer spoolStderr(cmd)()
			a, err := f.open(cmd.Context(), slotway.Options{Stderr: cmd.ErrOrStderr(), NoHTTP: true})
			if err != nil {
				return err
			}
			a.Watch()
			return errors.Join(a.ServeMCP(cmd.Context(), cmd.InOrStdin(), cmd.OutOrStdout(), user), a.Close())
		},
	}
	addID(cmd.Flags(), &user, "user", "local", "user that the conversations belong to")
	return cmd
}

// checkUser refuses a user id that the program reserves.
func checkUser(user string) error {
	if memory.Reserved(user) {
		return usagef("--user %q cannot be a user's id: those that begin with $ are the program's own", user)
	}
	return nil
}
