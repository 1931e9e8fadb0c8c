package main

import (
	"github.com/spf13/cobra"

	"github.com/slotway/slotway/config"
)

func newSchema() *cobra.Command {
	return &cobra.Command{
		Use:   "schema",
		Short: "Print the JSON Schema of an agent's YAML, for editors",
		Args:  noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := cmd.OutOrStdout().Write(config.SchemaJSON())
			return err
		},
	}
}
