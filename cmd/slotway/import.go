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
	most        int  // paths; 0: any number
	read        func(locale string, paths ...string) (*convert.Bot, error)
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
		read:    func(_ string, paths ...string) (*convert.Bot, error) { return rasa.Read(paths...) },
	},
	{
		name: "lex", paths: "PATH", most: 1, languages: true,
		short: "Import a bot of Amazon Lex V2: its export",
		long: `Import a bot of Amazon Lex V2. PATH is an export in the format Amazon Lex: the zip file or its folder.

Slots become params with their questions, slot types become types, utterances become examples with
sample values in the places of slots. Confirmation and closing response are kept. The fulfillment
function becomes a tool that gives a fixed answer until you connect it; behind a confirmation it is a
write.`,
		example: "  slotway import lex Bakery-DRAFT-LexJson.zip\n  slotway import lex Bakery.zip --locale de_DE --output bakery-de",
		read:    exported(lex.Read),
	},
	{
		name: "dialogflow", paths: "PATH", most: 1, languages: true,
		short: "Import an agent of Dialogflow ES or CX: its export",
		long: `Import an agent of Dialogflow ES or CX. PATH is an export, the zip file or its folder; of CX in the JSON
package format.

Parameters and forms become params with their questions, entities become types, training phrases keep
their marks, webhooks become tools that give a fixed answer until you connect them. A yes and a no after
an intent or on a page become the confirmation of what follows, and the tool behind it a write. Test
cases of CX become conversations.`,
		example: "  slotway import dialogflow agent.zip\n  slotway import dialogflow exported_agent.zip --locale fr --output cinema",
		read:    exported(dialogflow.Read),
	},
	{
		name: "lines", paths: "FILE", most: 1,
		short: "Import sentences with their intents: CSV, tabs or JSON lines",
		long: `Import sentences with their intents. FILE is CSV, also with semicolons or tabs, with a first line that
names the columns, or JSON lines. The text is in text, utterance, message, query, sentence, instruction,
question or example; the intent in label, intent, category, class, tag or intent_name.

Each intent answers with a text until you say what it does.`,
		example: "  slotway import lines support.csv --output support",
		read: func(_ string, paths ...string) (*convert.Bot, error) {
			data, err := source.ReadFile(paths[0], mostLines)
			if err != nil {
				return nil, err
			}
			return labelled.Read(paths[0], data)
		},
	},
}

// mostLines is the size of the largest file of lines, in bytes.
const mostLines = 256 << 20

// exported reads an export with a reader of its files.
func exported(read func(*convert.Files, string) (*convert.Bot, error)) func(string, ...string) (*convert.Bot, error) {
	return func(locale string, paths ...string) (bot *convert.Bot, err error) {
		files, err := convert.OpenFiles(paths[0])
		if err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, files.Close()) }()
		return read(files, locale)
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
	var dir, locale string
	var asJSON bool
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
			bot, err := im.read(locale, args...)
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
	if im.languages {
		cmd.Flags().StringVar(&locale, "locale", "", "language of the bot to import, such as en_US; by default its own, or English")
	}
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
