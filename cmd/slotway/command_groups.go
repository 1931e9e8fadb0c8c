package main

import "github.com/spf13/cobra"

// commandGroups orders the list of commands in the help. A test finds commands that are in no group.
var commandGroups = []struct {
	id, title string
	commands  []string
}{
	{"start", "Start:", []string{"chat", "init", "dev", "serve"}},
	{"author", "Author:", []string{"check", "classify", "docs", "eval", "explain", "export", "graph", "import", "label", "record", "replay", "schema", "test"}},
	{"run", "Run:", []string{"config", "keys", "mcp", "report"}},
	{"memory", "Memory:", []string{"memory", "sessions", "store"}},
	{"maintain", "Maintain:", []string{"bench", "completion", "db", "help", "migrate", "version"}},
}

// groupCommands puts the commands of root into their groups.
func groupCommands(root *cobra.Command) {
	of := map[string]string{}
	for _, g := range commandGroups {
		root.AddGroup(&cobra.Group{ID: g.id, Title: g.title})
		for _, name := range g.commands {
			of[name] = g.id
		}
	}
	root.SetHelpCommandGroupID(of["help"])
	root.SetCompletionCommandGroupID(of["completion"])
	for _, c := range root.Commands() {
		c.GroupID = of[c.Name()]
	}
}

// newHelp is cobra's command help, with an error for what is no command.
func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:     "help [COMMAND]",
		Short:   "Show the help of a command",
		Example: "  slotway help\n  slotway help sessions list",
		ValidArgsFunction: func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			at, _, err := cmd.Root().Find(args)
			if err != nil {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			var names []string
			for _, c := range at.Commands() {
				if c.IsAvailableCommand() {
					names = append(names, cobra.CompletionWithDesc(c.Name(), c.Short))
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			at := cmd.Root()
			for _, name := range args {
				below := subcommand(at, name)
				if below == nil {
					return unknownCommand(at, name)
				}
				at = below
			}
			at.InitDefaultHelpFlag()
			return at.Help()
		},
	}
}

// subcommand returns the command of this name below cmd; nil if there is none.
func subcommand(cmd *cobra.Command, name string) *cobra.Command {
	for _, c := range cmd.Commands() {
		if c.Name() == name || c.HasAlias(name) {
			return c
		}
	}
	return nil
}
