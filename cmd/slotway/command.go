package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"text/tabwriter"
	"time"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/slotway/slotway/config/printable"
	"github.com/slotway/slotway/router/telemetry"
)

// group makes cmd a command that only has subcommands: by itself it prints its help.
func group(cmd *cobra.Command, subcommands ...*cobra.Command) *cobra.Command {
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 {
			return unknownCommand(cmd, args[0])
		}
		return nil
	}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	cmd.AddCommand(subcommands...)
	return cmd
}

// output writes v to the command's standard output: as one JSON object if asJSON is set,
// otherwise as print writes it for people.
func output[T any](cmd *cobra.Command, asJSON bool, v T, print func(io.Writer, T) error) error {
	if asJSON {
		return json.NewEncoder(cmd.OutOrStdout()).Encode(v)
	}
	return print(cmd.OutOrStdout(), v)
}

// newTable aligns the columns of what is written to it, which tabs separate. The caller flushes it.
func newTable(out io.Writer) *tabwriter.Writer { return tabwriter.NewWriter(out, 0, 0, 2, ' ', 0) }

// table prints a list in columns under a head, which tabs separate; "" is no head.
func table[T any](out io.Writer, head string, list []T, row func(*T) []any) error {
	w := newTable(out)
	if head != "" {
		fmt.Fprintln(w, head)
	}
	for i := range list {
		var cells []string
		for _, cell := range row(&list[i]) {
			cells = append(cells, fmt.Sprint(cell))
		}
		fmt.Fprintln(w, strings.Join(cells, "\t"))
	}
	return w.Flush()
}

// listing is table, or one JSON object a line.
func listing[T any](out io.Writer, asJSON bool, head string, list []T, row func(*T) []any) error {
	if asJSON {
		return encodeLines(out, list)
	}
	return table(out, head, list, row)
}

// printRows writes a table of names and values.
func printRows(out io.Writer, rows [][2]string) error {
	return table(out, "", rows, func(row *[2]string) []any { return []any{row[0], row[1]} })
}

// numbered counts things: "1 error", "2 errors".
func numbered(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return fmt.Sprintf("%d %s", n, thing)
}

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

// spoolStderr puts a spool in front of a long-running command's standard error: neither one that nobody
// reads nor one whose reader has ended may block or end the service. The caller calls flush at the
// end.
func spoolStderr(cmd *cobra.Command) (flush func()) {
	spool := telemetry.NewSpool(cmd.ErrOrStderr())
	cmd.SetErr(spool)
	// The runtime ends a process that writes to a broken standard error, unless it listens for the signal
	// (os/signal, "SIGPIPE"). Nothing reads the channel.
	pipe := make(chan os.Signal, 1)
	signal.Notify(pipe, syscall.SIGPIPE)
	return func() {
		_ = spool.Close() // what could not be written cannot be told either
		signal.Stop(pipe)
	}
}

// onTerminal runs do with line editing. width is the number of columns, which may change; 0: unknown.
func onTerminal(in, out *os.File, do func(screen *term.Terminal, width func() int) error) error {
	restore, err := term.MakeRaw(int(in.Fd()))
	if err != nil {
		return fmt.Errorf("set up the terminal: %w", err)
	}
	defer func() { _ = term.Restore(int(in.Fd()), restore) }()
	screen := term.NewTerminal(struct {
		io.Reader
		io.Writer
	}{in, printable.NewScreen(out)}, "> ")
	width := func() int {
		w, h, err := term.GetSize(int(out.Fd()))
		if err != nil || w <= 0 {
			return 0
		}
		_ = screen.SetSize(w, h) // the window may have changed
		return w
	}
	width()
	return do(screen, width)
}

// onTab makes Tab complete a line whose end the cursor is at.
func onTab(screen *term.Terminal, complete func(line string) string) {
	screen.AutoCompleteCallback = func(line string, pos int, key rune) (string, int, bool) {
		if key != '\t' || pos != len(line) {
			return "", 0, false
		}
		line = complete(line)
		return line, len(line), true
	}
}

// bar shows the progress of long work, only on a terminal. A nil bar shows nothing. It is safe for
// concurrent use.
type bar struct{ bar *progressbar.ProgressBar }

// countBar starts a bar of total steps on the command's error stream.
func countBar(cmd *cobra.Command, what string, total int) *bar {
	screen := screenOf(cmd.ErrOrStderr())
	if screen == nil {
		return nil
	}
	return newBar(screen, what, total)
}

// newBar draws a bar at zero.
func newBar(screen io.Writer, what string, total int) *bar {
	b := progressbar.NewOptions(total,
		progressbar.OptionSetWriter(screen),
		progressbar.OptionSetDescription(what),
		progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionClearOnFinish(),
	)
	_ = b.RenderBlank() // a terminal that cannot be written to is no reason to stop
	return &bar{b}
}

func (b *bar) add(n int) {
	if b != nil {
		_ = b.bar.Add(n) // as in newBar
	}
}

func (b *bar) finish() {
	if b != nil {
		_ = b.bar.Finish()
	}
}

// stepBar is a bar that learns its total with its first step.
func stepBar[N int | int64](cmd *cobra.Command, what string) (step func(done, total N), finish func()) {
	var b *bar
	var shown N
	return func(done, total N) {
		if b == nil {
			b = countBar(cmd, what, int(total))
		}
		b.add(int(done - shown))
		shown = done
	}, func() { b.finish() }
}

// timeBar shows the elapsed time until stop is called or total is over.
func timeBar(cmd *cobra.Command, what string, total time.Duration) (stop func()) {
	const step = 100 * time.Millisecond
	b := countBar(cmd, what, int(total/step))
	if b == nil {
		return func() {}
	}
	end, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(step)
		defer tick.Stop()
		for range int(total / step) {
			select {
			case <-tick.C:
				b.add(1)
			case <-end:
				return
			}
		}
	}()
	return func() {
		close(end)
		<-ended
		b.finish()
	}
}
