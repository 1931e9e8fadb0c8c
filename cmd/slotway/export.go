package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/convert"
)

func newExport(f *flags) *cobra.Command {
	return group(&cobra.Command{
		Use:     "export",
		Short:   "Write the agent's examples in another system's format",
		Example: "  slotway export rasa --output nlu.yml",
		Long: `Write the agent's examples, those of the built-in intents included, in another system's format.
"slotway sessions export" writes conversations.`,
	}, f.newExportOf("rasa", "Write Rasa's nlu.yml",
		`Write the examples as the training data of Rasa 3: entities with their values, synonyms, lookup tables
and regular expressions. What nlu.yml cannot hold is listed on standard error.`,
		"slotway export rasa --output nlu.yml", convert.RasaNLU),
		f.newExportOf("lines", "Write JSON lines",
			`Write the examples as JSON lines: {"text", "intent", "slots": [{"name", "value", "start", "end"}]}.
Offsets count code points, end exclusive. "asked" names the param that an answer is for.`,
			"slotway export lines | head -3",
			func(out io.Writer, agent *config.Agent) ([]string, error) {
				return nil, convert.LabelledLines(out, agent)
			}))
}

// newExportOf is the command of one format; write returns what the format cannot hold.
func (f *flags) newExportOf(name, short, long, example string, write func(io.Writer, *config.Agent) ([]string, error)) *cobra.Command {
	var file string
	cmd := &cobra.Command{
		Use: name, Short: short, Long: long, Example: "  " + example, Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			agent, err := f.loadAgent()
			if err != nil {
				return err
			}
			return writeTo(cmd.OutOrStdout(), file, func(out io.Writer) error {
				left, err := write(out, agent)
				for _, what := range left {
					fmt.Fprintln(cmd.ErrOrStderr(), "left out:", what)
				}
				return err
			})
		},
	}
	cmd.Flags().StringVarP(&file, "output", "o", "", "write to this `file` instead of the terminal")
	return cmd
}
