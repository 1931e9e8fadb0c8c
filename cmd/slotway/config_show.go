package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/slotway/slotway/config/settings"
)

func newConfig(f *flags) *cobra.Command {
	var asJSON bool
	show := &cobra.Command{Use: "show", Short: "Show every setting, its value and its source", Args: noArgs}
	show.Flags().BoolVar(&asJSON, "json", false, "JSON instead of a table")
	show.RunE = func(cmd *cobra.Command, _ []string) error {
		conf, err := f.settings()
		if err != nil {
			return err
		}
		return output(cmd, asJSON, conf.Values(), printValues)
	}
	return group(&cobra.Command{Use: "config", Short: "Show the runtime's settings"}, show)
}

func printValues(out io.Writer, values []settings.Value) error {
	w := newTable(out)
	for _, v := range values {
		value := v.Value
		if list, ok := value.([]any); ok {
			value = settings.ShowList(list)
		}
		fmt.Fprintf(w, "%s\t%v\t%s\n", v.Path, value, v.Source)
	}
	return w.Flush()
}
