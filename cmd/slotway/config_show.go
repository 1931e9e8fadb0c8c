package main

import (
	"encoding/json"
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/slotway/slotway/config/settings"
)

func newConfig(f *flags) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "config",
		Short: "The runtime's settings",
		Args:  noArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	var asJSON bool
	show := &cobra.Command{Use: "show", Short: "Every setting, its value and where it comes from", Args: noArgs}
	show.Flags().BoolVar(&asJSON, "json", false, "JSON instead of a table")
	show.RunE = func(cmd *cobra.Command, _ []string) error {
		conf, err := f.settings()
		if err != nil {
			return err
		}
		if asJSON {
			return json.NewEncoder(cmd.OutOrStdout()).Encode(conf.Values())
		}
		w := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 4, 2, ' ', 0)
		for _, v := range conf.Values() {
			value := v.Value
			if list, ok := value.([]any); ok {
				value = settings.ShowList(list)
			}
			fmt.Fprintf(w, "%s\t%v\t%s\n", v.Path, value, v.Source)
		}
		return w.Flush()
	}
	cmd.AddCommand(show)
	return cmd
}
