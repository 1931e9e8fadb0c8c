package main

import (
	"github.com/spf13/cobra"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/router/telemetry"
)

func newSchema() *cobra.Command {
	var lines bool
	cmd := &cobra.Command{
		Use: "schema",
		Example: `  slotway schema > agent.schema.json
  slotway schema --telemetry`,
		Short: "Print the JSON Schema of an agent's YAML, for editors, or of a telemetry line",
		Args:  noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			schema := config.SchemaJSON()
			if lines {
				schema = telemetry.Schema()
			}
			_, err := cmd.OutOrStdout().Write(schema)
			return err
		},
	}
	cmd.Flags().BoolVar(&lines, "telemetry", false, "print the schema of a line of telemetry.log")
	return cmd
}
