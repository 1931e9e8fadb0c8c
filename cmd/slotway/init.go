package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/slotway/slotway/cmd/slotway/scaffold"
)

// initResult is the result of `init`.
type initResult struct {
	Dir      string          `json:"dir"`
	Template string          `json:"template"`
	Files    []scaffold.File `json:"files"`
}

func newInit() *cobra.Command {
	var template string
	var force, list, asJSON bool
	cmd := &cobra.Command{
		Use:   "init DIR",
		Short: "Write a new agent with tests, settings and a CI workflow",
		Long: `Write a new agent into a folder: agent.yaml, conversations as tests, settings, a CI workflow,
a README, and a backend or a database where the template needs one. What it writes checks without
a warning, and its tests pass.

A folder that has files is refused; with --force the missing files are added. No file is
overwritten.`,
		Example: `  slotway init clinic --template appointments
  slotway init --list`,
		Args: func(_ *cobra.Command, args []string) error {
			if list || len(args) == 1 {
				return nil
			}
			return usagef("expected the folder of the new agent, got %d arguments", len(args))
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if list {
				return output(cmd, asJSON, scaffold.List(), printTemplates)
			}
			if !cmd.Flags().Changed("template") && isTemplate(args[0]) {
				return usagef("%[1]s is the name of a template, and the folder is to be named first: write 'slotway init DIR --template %[1]s', or 'slotway init %[1]s --template %[2]s' for a folder of that name", args[0], scaffold.Default)
			}
			files, err := scaffold.Write(args[0], template, force)
			if err != nil {
				return err
			}
			return output(cmd, asJSON, initResult{args[0], template, files}, printInit)
		},
	}
	cmd.Flags().StringVar(&template, "template", scaffold.Default, "kind of agent to begin with; --list shows all")
	cmd.Flags().BoolVar(&force, "force", false, "accept a folder that has files; they are kept")
	cmd.Flags().BoolVar(&list, "list", false, "list the templates")
	cmd.Flags().BoolVar(&asJSON, "json", false, "the result as JSON")
	return cmd
}

func isTemplate(name string) bool {
	return slices.ContainsFunc(scaffold.List(), func(t scaffold.Template) bool { return t.Name == name })
}

func printTemplates(out io.Writer, templates []scaffold.Template) error {
	rows := make([][2]string, len(templates))
	for i, t := range templates {
		rows[i] = [2]string{t.Name, t.Summary}
	}
	return printRows(out, rows)
}

// printInit lists the files, and the commands to try next.
func printInit(out io.Writer, r initResult) error {
	for _, f := range r.Files {
		word := "wrote"
		if f.Kept {
			word = "kept"
		}
		fmt.Fprintf(out, "%-5s %s\n", word, filepath.Join(r.Dir, filepath.FromSlash(f.Path)))
	}
	fmt.Fprintln(out, "\nNext:")
	if here, err := os.Getwd(); err != nil || filepath.Clean(r.Dir) != here && filepath.Clean(r.Dir) != "." {
		fmt.Fprintf(out, "  cd %s\n", shellWord(r.Dir))
	}
	named := ""
	if slices.Contains(r.Files, scaffold.File{Path: usualSettings, Kept: true}) {
		named = " --agent agent.yaml" // the settings that were there may name another agent, or none
	}
	_, err := fmt.Fprintf(out, "  slotway check%[1]s\n  slotway test\n  slotway chat%[1]s\n", named)
	return err
}

// shellWord quotes a word for a POSIX shell where it must be.
func shellWord(s string) string {
	if !strings.ContainsAny(s, " \t\n'\"\\$`!*?[](){}<>|&;#~") {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
