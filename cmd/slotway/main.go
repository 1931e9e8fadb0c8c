package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"sync"
	"syscall"
	_ "time/tzdata" // an agent's time zone, where the system has none

	"github.com/spf13/cobra"

	"github.com/slotway/slotway/config/printable"
	"github.com/slotway/slotway/config/source"
)

// The exit codes of every subcommand.
const (
	exitOK    = 0
	exitCheck = 1 // the check failed: an invalid file, a replay that differs, a turn that could not be run
	exitUsage = 2 // wrong flags or arguments
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	os.Exit(run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run is main without the process: it returns the exit code. Everything that a command prints is made
// printable; [screenOf] returns the terminal for code that draws.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	stdout, stderr = printable.NewWriter(stdout), printable.NewWriter(stderr)
	root := newRoot()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	cmd, err := root.ExecuteContextC(ctx)
	if err == nil {
		return exitOK
	}
	var quiet *reported
	switch {
	case errors.Is(err, context.Canceled) && ctx.Err() != nil:
		fmt.Fprintln(stderr, "slotway: interrupted")
	case !errors.As(err, &quiet):
		fmt.Fprintf(stderr, "slotway: %v\n", err)
	}
	var usage *usageError
	if errors.As(err, &usage) {
		fmt.Fprintln(stderr, usageHint(cmd))
		return exitUsage
	}
	return exitCheck
}

// reported is a failure that has been shown already: only the exit code is missing.
type reported struct{}

func (*reported) Error() string { return "failed" }

// flags are the flags of every subcommand.
type flags struct {
	agent  string
	named  string // what names the agent, unless --agent does: a setting or a variable; ""
	config string
	data   string
	set    []string // PATH=VALUE, over the environment and the file

	root  *cobra.Command // whose context and error stream the command has; nil: neither
	waits bool           // a message waits for the agent to start

	warn func(source.Problems) // prints warnings about the settings file; nil: they are dropped
}

// onceWarned prints a file's warnings once, however often the file is read.
func onceWarned(to func() io.Writer) func(source.Problems) {
	var once sync.Once
	return func(ps source.Problems) {
		once.Do(func() {
			for _, p := range ps {
				fmt.Fprintln(to(), "slotway:", p)
			}
		})
	}
}

// newRoot builds the command tree. There are no package-level commands, so tests can build as many trees
// as they like.
func newRoot() *cobra.Command {
	f := &flags{}
	var root *cobra.Command
	f.warn = onceWarned(func() io.Writer { return root.ErrOrStderr() })
	root = &cobra.Command{
		Use:   "slotway",
		Short: "A runtime for task-oriented assistants: it never guesses, never forgets, never does a thing twice",
		Long: `A runtime for task-oriented assistants: it never guesses, never forgets, never does a thing twice.
An agent is one YAML file. Without --agent, the commands use agent.yaml in the working folder, else the
embedded order-support agent.`,
		Example: `  slotway chat                  # talk to the embedded agent
  slotway check agent.yaml      # every problem of an agent's file, with its line
  slotway serve                 # HTTP service and studio`,
		SilenceUsage:  true,
		SilenceErrors: true,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return unknownCommand(root, args[0])
			}
			return nil
		},
		PersistentPreRun: func(*cobra.Command, []string) { f.findAgent() },
		RunE:             func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetFlagErrorFunc(flagError)
	p := root.PersistentFlags()
	p.StringVar(&f.agent, "agent", "", "the agent's YAML (default: SLOTWAY_AGENT, else the setting agent.path, else agent.yaml, if there is one, else the embedded order-support agent)")
	p.StringVar(&f.config, "config", "", "settings file (default: slotway.yaml, if there is one)")
	p.StringVar(&f.data, "data", "", "folder for databases (default: the folder of memory.storage_path, ~/.slotway)")
	p.StringArrayVar(&f.set, "set", nil, "a setting as PATH=VALUE, for example memory.storage=inmem; may be repeated")
	root.AddCommand(commands(f)...)
	f.root = root
	completeFiles(root)
	root.SetHelpCommand(newHelp())
	groupCommands(root)
	return root
}

// commands returns the subcommands, in the order of the help.
func commands(f *flags) []*cobra.Command {
	return []*cobra.Command{
		newImport(f),
		newInit(),
		newChat(f), newServe(f), newDev(f), newCheck(f), newClassify(f), newTest(f), newReplay(f), newRecord(f), newLabel(f), newReport(f),
		newSessions(f), newKeys(f), newMemory(f), newEval(f), newMigrate(f), newDB(f), newStore(f),
		newGraph(f), newDocs(f), newExport(f), newMCP(f), newBench(f), newConfig(f), newExplain(), newSchema(), newVersion(),
	}
}

// exactArgs is cobra.ExactArgs as a usage error.
func exactArgs(n int, what string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) != n {
			return usagef("expected %s, got %d arguments", what, len(args))
		}
		return nil
	}
}

// atMostOneArg is cobra.MaximumNArgs(1) as a usage error.
func atMostOneArg(what string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) > 1 {
			return usagef("expected %s at most, got %d arguments", what, len(args))
		}
		return nil
	}
}

// noArgs refuses arguments.
func noArgs(_ *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usagef("unexpected argument %q", args[0])
	}
	return nil
}
