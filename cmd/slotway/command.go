package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
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
