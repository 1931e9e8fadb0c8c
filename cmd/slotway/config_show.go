package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/slotway/slotway/config/reference"
	"github.com/slotway/slotway/config/settings"
)

func newConfig(f *flags) *cobra.Command {
	var asJSON, doc bool
	show := &cobra.Command{
		Use: "show", Short: "Show every setting, its value and its source", Args: noArgs,
		Example: `  slotway config show --doc                 # with the meaning of each setting
  slotway --set memory.ttl=2h config show   # with a change`,
	}
	show.Flags().BoolVar(&asJSON, "json", false, "JSON instead of a table")
	show.Flags().BoolVar(&doc, "doc", false, "with the meaning of each setting")
	show.RunE = func(cmd *cobra.Command, _ []string) error {
		conf, err := f.settings()
		if err != nil {
			return err
		}
		if doc && !asJSON {
			return printExplained(cmd.OutOrStdout(), conf.Values(), columns(cmd.OutOrStdout()))
		}
		return output(cmd, asJSON, conf.Values(), printValues)
	}
	return group(&cobra.Command{Use: "config", Example: "  slotway config show\n  slotway config init", Short: "Show the runtime's settings, or write a file with all of them"}, show, newConfigInit())
}

// usualSettings is the settings file that every command reads if it is there.
const usualSettings = "slotway.yaml"

func newConfigInit() *cobra.Command {
	return &cobra.Command{
		Use:   "init [FILE]",
		Short: "Write a settings file that has every setting as a comment, with its meaning and default",
		Example: `  slotway config init                  # slotway.yaml, which every command reads
  slotway config init staging.yaml     # for --config staging.yaml`,
		Args: atMostOneArg("a file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			path := usualSettings
			if len(args) > 0 {
				path = args[0]
			}
			file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
			if errors.Is(err, fs.ErrExist) {
				return fmt.Errorf("%s is there already, and is not overwritten; name another file", path)
			}
			if err != nil {
				return fmt.Errorf("write the settings: %w", err)
			}
			_, err = io.WriteString(file, settings.Template())
			if err := errors.Join(err, file.Close()); err != nil {
				return fmt.Errorf("write the settings: %w", err)
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%s has every setting as a comment; remove a # to set one\n", path)
			return nil
		},
	}
}

// shown returns a setting's value as text.
func shown(v settings.Value) string {
	if list, ok := v.Value.([]any); ok {
		return settings.ShowList(list)
	}
	return fmt.Sprint(v.Value)
}

// leastValue is the width of the column of values below which it is not wrapped.
const leastValue = 20

func printValues(out io.Writer, values []settings.Value) error {
	path, source := 0, 0
	for _, v := range values {
		path, source = max(path, utf8.RuneCountInString(v.Path)), max(source, utf8.RuneCountInString(v.Source))
	}
	width := 0 // of a pipe: lines stay whole, for other programs
	if isTerminal(out) {
		width = columns(out) - path - source - 4
	}
	w := newTable(out)
	for _, v := range values {
		value, rest, _ := strings.Cut(wrapValue(shown(v), width), "\n")
		fmt.Fprintf(w, "%s\t%s\t%s\n", v.Path, value, v.Source)
		for line := range strings.SplitSeq(rest, "\n") {
			if line != "" {
				fmt.Fprintf(w, "\t%s\t\n", line)
			}
		}
	}
	return w.Flush()
}

func wrapValue(value string, width int) string {
	if width < leastValue {
		return value
	}
	return reference.Wrap(value, "", width)
}

// printExplained lists settings with their meanings.
func printExplained(out io.Writer, values []settings.Value, width int) error {
	library := referenceLibrary()
	for i, v := range values {
		if i > 0 {
			fmt.Fprintln(out)
		}
		fmt.Fprintln(out, reference.Wrap(fmt.Sprintf("%s: %s (%s)", v.Path, shown(v), v.Source), "", width))
		e := library.Entry("settings." + v.Path)
		if e == nil {
			continue
		}
		var text strings.Builder
		text.WriteString(e.Meaning)
		for _, allowed := range e.Allowed {
			if allowed.Meaning != "" {
				text.WriteString(fmt.Sprintf(" %s: %s.", allowed.Value, allowed.Meaning))
			}
		}
		if _, err := fmt.Fprintln(out, reference.Wrap(text.String(), "    ", width)); err != nil {
			return fmt.Errorf("write the settings: %w", err)
		}
	}
	return nil
}
