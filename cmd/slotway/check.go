package main

import (
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/slotway/slotway/config"
)

func newCheck(f *flags) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "check [FILE]",
		Short: "Validate an agent's YAML: every error and every doubt with line, field and remedy",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usagef("check takes one file, got %d", len(args))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			path := f.agent
			if len(args) == 1 {
				path = args[0]
			}
			var problems config.Problems
			if path == "" {
				problems = config.CheckSource("intents.yaml", config.DefaultSource(), "")
			} else {
				problems = config.Check(path)
			}
			errs := 0
			for _, p := range problems {
				if p.Severity == config.SeverityError {
					errs++
				}
			}
			if asJSON {
				if err := json.NewEncoder(cmd.OutOrStdout()).Encode(map[string]any{"errors": errs, "warnings": len(problems) - errs, "problems": problems}); err != nil {
					return fmt.Errorf("write the result: %w", err)
				}
			} else {
				for _, p := range problems {
					fmt.Fprintln(cmd.OutOrStdout(), p)
				}
				fmt.Fprintf(cmd.OutOrStdout(), "%s: %d errors, %d warnings\n", nameOf(path), errs, len(problems)-errs)
			}
			if errs > 0 {
				return &reported{}
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "the problems as JSON")
	return cmd
}

func nameOf(path string) string {
	if path == "" {
		return "the embedded agent"
	}
	return path
}
