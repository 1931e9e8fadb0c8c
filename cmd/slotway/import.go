package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/slotway/slotway/config/convert"
	"github.com/slotway/slotway/config/convert/rasa"
)

// importer reads bots of one format.
type importer struct {
	name, paths string // of the command, and what its arguments are
	short, long string
	example     string
	read        func(paths ...string) (*convert.Bot, error)
}

// importers are the formats that can be brought along.
var importers = []importer{
	{
		name: "rasa", paths: "PATH...",
		short: "Import a bot of Rasa 2 or 3: its folder, or some of its files",
		long: `Import a bot of Rasa 2 or 3. PATH is its folder, with domain.yml or domain/, data/ and tests/, or one
or more of its files.

Forms become params with their questions, rules and stories become plans, custom actions become tools
that give a fixed answer until you connect them, flows of CALM become plans, and test stories become
conversations. An action is taken for a write only if the form ends with a question for a yes.`,
		example: "  slotway import rasa ~/bots/helpdesk\n  slotway import rasa domain.yml data/nlu.yml --output helpdesk",
		read:    rasa.Read,
	},
}

// importResult is the result of an import.
type importResult struct {
	Dir      string         `json:"dir"`
	Report   convert.Report `json:"report"`
	Errors   int            `json:"errors"` // of slotway check
	Warnings int            `json:"warnings"`
	Tests    int            `json:"tests"` // conversations
	checked  *checkResult
}

func newImport(f *flags) *cobra.Command {
	formats := make([]*cobra.Command, len(importers))
	for i, im := range importers {
		formats[i] = newImportOf(f, im)
	}
	return group(&cobra.Command{
		Use:     "import",
		Short:   "Make an agent of a bot of another system",
		Example: "  slotway import rasa ~/bots/helpdesk",
		Long: `Make an agent of a bot of another system: agent.yaml and, of the bot's own tests, conversations.

The report lists with file and line what was carried over with a change, what was not, and what a
person must decide; the open points are comments in the YAML, too. Nothing is overwritten. The result
is checked like "slotway check" does.`,
	}, formats...)
}

func newImportOf(f *flags, im importer) *cobra.Command {
	var dir string
	var asJSON bool
	cmd := &cobra.Command{
		Use:     im.name + " " + im.paths,
		Short:   im.short,
		Long:    im.long,
		Example: im.example,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("name what to import: its folder or its files")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			bot, err := im.read(args...)
			if err != nil {
				return err
			}
			if dir == "" {
				dir = convert.Snake(bot.Name)
				if _, err := os.Lstat(dir); err == nil { // it may be the bot's own
					return fmt.Errorf("the folder %s is there already: name another one with --output", dir)
				}
			}
			if err := bot.Write(dir); err != nil {
				return err
			}
			c, err := f.check(cmd.Context(), filepath.Join(dir, convert.AgentFile), false)
			if err != nil {
				return err
			}
			result := importResult{dir, bot.Report, c.Errors, c.Warnings, len(bot.Tests), c}
			if err := output(cmd, asJSON, result, printImport); err != nil {
				return err
			}
			if c.Errors > 0 {
				return &reported{}
			}
			return nil
		},
	}
	cmd.Flags().StringVarP(&dir, "output", "o", "", "folder of the new agent; by default the name of the bot")
	cmd.Flags().BoolVar(&asJSON, "json", false, "the report as JSON")
	return cmd
}

// printImport writes the report, the errors of the agent, and the commands to try next.
func printImport(out io.Writer, r importResult) error {
	if err := r.Report.Print(out); err != nil {
		return err
	}
	fmt.Fprintln(out)
	for _, p := range r.checked.Problems.Errors() {
		fmt.Fprintf(out, "%s [%s]\n", p, p.Code)
	}
	agent := filepath.Join(r.Dir, convert.AgentFile)
	fmt.Fprintf(out, "%s: %s, %s\n", agent, numbered(r.Errors, "error"), numbered(r.Warnings, "warning"))
	next := "\nNext:\n  slotway check " + shellWord(agent) + "\n"
	if r.Tests > 0 {
		next += "  slotway test " + shellWord(filepath.Join(r.Dir, filepath.Dir(convert.TestsFile))) + "\n"
	}
	_, err := io.WriteString(out, next+"  slotway --agent "+shellWord(agent)+" chat\n")
	return err
}
