package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/slotway/slotway/config/convert"
	"github.com/slotway/slotway/config/convert/dialogflow"
	"github.com/slotway/slotway/config/convert/labelled"
	"github.com/slotway/slotway/config/convert/lex"
	"github.com/slotway/slotway/config/convert/rasa"
	"github.com/slotway/slotway/config/source"
)

// importer reads bots of one format.
type importer struct {
	name, paths string // of the command, and what its arguments are
	short, long string
	example     string
	languages   bool // a bot has several, of which --locale names one
	lines       bool // a table, whose columns flags name
	most        int  // paths; 0: any number
	read        func(o importOptions, paths ...string) (*convert.Bot, error)
}

// importOptions are what flags say about the source.
type importOptions struct {
	locale string
	lines  labelled.Options
}

// importers are the formats that can be brought along.
var importers = []importer{
	{
		name: "rasa", paths: "PATH...",
		short: "Import a bot of Rasa: its folder, or some of its files",
		long: `Import a bot of Rasa 1 to 3. PATH is its folder, of which is read what Rasa itself reads, or some of its files.

Forms become params with their questions, rules, stories and flows of CALM become plans, custom actions
become tools that give a fixed answer until you connect them, and test stories become conversations, as
does a story whose steps cannot all be carried over. An action behind questions is taken for a write.`,
		example: "  slotway import rasa ~/bots/helpdesk\n  slotway import rasa domain.yml data/nlu.yml --output helpdesk",
		read:    func(_ importOptions, paths ...string) (*convert.Bot, error) { return rasa.Read(paths...) },
	},
	{
		name: "lex", paths: "PATH", most: 1, languages: true,
		short: "Import a bot of Amazon Lex V2: its export",
		long: `Import a bot of Amazon Lex V2. PATH is an export in the format Amazon Lex: the zip file or its folder.

Slots become params with their questions, utterances become examples with sample values in the places of
slots. The fulfillment function becomes a tool that gives a fixed answer until you connect it.`,
		example: "  slotway import lex Bakery-DRAFT-LexJson.zip\n  slotway import lex Bakery.zip --locale de_DE --output bakery-de",
		read:    exported(lex.Read),
	},
	{
		name: "dialogflow", paths: "PATH", most: 1, languages: true,
		short: "Import an agent of Dialogflow ES or CX: its export",
		long: `Import an agent of Dialogflow ES or CX. PATH is an export, the zip file or its folder; of CX in the JSON
package format.

Parameters and forms become params with their questions, webhooks tools that give a fixed answer until you
connect them, a yes and a no after an intent or on a page a question with two ways on.`,
		example: "  slotway import dialogflow agent.zip\n  slotway import dialogflow exported_agent.zip --locale fr --output cinema",
		read:    exported(dialogflow.Read),
	},
	{
		name: "lines", paths: "FILE", most: 1, lines: true,
		short: "Import sentences with their intents: CSV, tabs or JSON lines",
		long: `Import sentences with their intents. FILE is CSV, also with semicolons or tabs, with a first line that
names the columns, or JSON lines. The text is in text, utterance, message, query, sentence, instruction,
question or example; the intent in label, intent, category, class, tag or intent_name; or in the columns
that you name. Lines that cannot be read are counted. Each intent answers with a text until you say what
it does.`,
		example: "  slotway import lines support.csv --output support\n  slotway import lines calls.csv --text answer --label goal --where split=train --language de",
		read: func(o importOptions, paths ...string) (*convert.Bot, error) {
			data, err := source.ReadFile(paths[0], mostLines)
			if err != nil {
				return nil, err
			}
			return labelled.Read(paths[0], data, o.lines)
		},
	},
}

// mostLines is the size of the largest file of lines, in bytes.
const mostLines = 256 << 20

// exported reads an export with a reader of its files.
func exported(read func(*convert.Files, string) (*convert.Bot, error)) func(importOptions, ...string) (*convert.Bot, error) {
	return func(o importOptions, paths ...string) (bot *convert.Bot, err error) {
		files, err := convert.OpenFiles(paths[0])
		if err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, files.Close()) }()
		return read(files, o.locale)
	}
}

// importResult is the result of an import.
type importResult struct {
	Dir      string         `json:"dir"`
	Report   convert.Report `json:"report"`
	Errors   int            `json:"errors"` // of slotway check
	Warnings int            `json:"warnings"`
	Tests    int            `json:"tests"` // conversations
	checked  *checkResult
	every    bool // note of the report
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

The report says what users will miss and what a person must decide, one line for each kind; --verbose
lists all. The open points are comments in the YAML, too. Nothing is overwritten.`,
	}, formats...)
}

func newImportOf(f *flags, im importer) *cobra.Command {
	var dir string
	var asJSON, every bool
	var from importOptions
	cmd := &cobra.Command{
		Use:     im.name + " " + im.paths,
		Short:   im.short,
		Long:    im.long,
		Example: im.example,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("name what to import: %s", im.paths)
			}
			if im.most > 0 && len(args) > im.most {
				return usagef("one %s at a time: %q is one too many", im.paths, args[im.most])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			bot, err := im.read(from, args...)
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
			result := importResult{dir, bot.Report, c.Errors, c.Warnings, len(bot.Tests), c, every}
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
	if im.languages {
		cmd.Flags().StringVar(&from.locale, "locale", "", "language of the bot to import, such as en_US; by default its own, or English")
	}
	if im.lines {
		cmd.Flags().StringVar(&from.lines.Text, "text", "", "`column` with the sentences")
		cmd.Flags().StringVar(&from.lines.Label, "label", "", "`column` with the intents")
		cmd.Flags().StringVar(&from.lines.Language, "language", "", "language of the sentences, such as de; by default English")
		cmd.Flags().StringToStringVar(&from.lines.Where, "where", nil, "read only lines that have a value in a column: `column=value`")
	}
	cmd.Flags().BoolVarP(&every, "verbose", "v", false, "every line of the report")
	cmd.Flags().BoolVar(&asJSON, "json", false, "the report as JSON")
	return cmd
}

// printImport writes the report, the errors of the agent, and the commands to try next.
func printImport(out io.Writer, r importResult) error {
	if err := r.Report.Print(out, r.every); err != nil {
		return err
	}
	fmt.Fprintln(out)
	for _, p := range r.checked.Problems.Errors() {
		fmt.Fprintf(out, "%s [%s]\n", p, p.Code)
	}
	agent := filepath.Join(r.Dir, convert.AgentFile)
	fmt.Fprintf(out, "%s: %s, %s\n", agent, numbered(r.Errors, "error"), numbered(r.Warnings, "warning"))
	if r.Errors > 0 {
		return nil
	}
	next := "\nNext:\n  slotway check " + shellWord(agent) + "\n"
	if r.Tests > 0 {
		next += "  slotway test " + shellWord(filepath.Join(r.Dir, filepath.Dir(convert.TestsFile))) + "\n"
	}
	if seconds := r.Report.Counts["examples"] / 160; seconds > 10 { // measured: 9,784 examples of 77 labels in 61.6 s of one core
		next = fmt.Sprintf("\nThe first start learns from %d examples, which takes about %d seconds of one core; later ones read what it learnt.\n", r.Report.Counts["examples"], seconds) + next
	}
	_, err := io.WriteString(out, next+"  slotway --agent "+shellWord(agent)+" chat\n")
	return err
}
