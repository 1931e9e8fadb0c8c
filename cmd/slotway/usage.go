package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/slotway/slotway/config/naming"
)

// usageError is a wrong flag or argument.
type usageError struct{ err error }

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Unwrap() error { return e.err }

// usagef makes a usageError.
func usagef(format string, args ...any) error { return &usageError{fmt.Errorf(format, args...)} }

// soughtWords are the words of other programs for what a command here does.
var soughtWords = map[string][]string{
	"ask": {"chat"}, "backup": {"db backup"}, "console": {"chat"}, "create": {"init", "sessions create"},
	"data": {"label"}, "delete": {"sessions forget"}, "describe": {"explain", "sessions describe"}, "diagram": {"graph"},
	"doc": {"docs", "explain"}, "evaluate": {"eval"}, "generate": {"init"}, "history": {"sessions show"},
	"inspect": {"explain", "sessions show"}, "interactive": {"chat"}, "lint": {"check"}, "login": {"keys new"}, "new": {"init"},
	"parse": {"classify"}, "predict": {"classify"}, "repl": {"chat"}, "reset": {"sessions clear", "sessions forget"},
	"run": {"chat", "serve"}, "scaffold": {"init"}, "server": {"serve"}, "session": {"sessions"}, "setting": {"config show"},
	"settings": {"config show"}, "shell": {"chat"}, "start": {"serve", "chat"}, "studio": {"serve"}, "talk": {"chat"},
	"train": {"check", "eval"}, "ui": {"serve"}, "up": {"serve"}, "validate": {"check"}, "verify": {"check", "db check"},
	"visualize": {"graph"}, "watch": {"dev", "serve"}, "web": {"serve"},
}

// unknownCommand is the error for a word that is no command below cmd. It suggests the nearest name,
// names that begin with the word, what other programs call by it, and commands elsewhere in the tree.
func unknownCommand(cmd *cobra.Command, word string) error {
	var of string
	if cmd.HasParent() {
		of = " for " + cmd.Name()
	}
	near := nearCommands(cmd, word)
	if len(near) == 0 {
		return usagef("unknown command %q%s", word, of)
	}
	return usagef("unknown command %q%s; did you mean %s?", word, of, naming.JoinOr(near))
}

// nearCommands returns the quoted paths of the commands that a person may have meant.
func nearCommands(cmd *cobra.Command, word string) []string {
	word = strings.ToLower(word)
	var names, begin []string
	for _, c := range cmd.Commands() {
		if !c.IsAvailableCommand() {
			continue
		}
		names = append(names, c.Name())
		if word != "" && strings.HasPrefix(c.Name(), word) {
			begin = append(begin, quotedPath(c))
		}
	}
	if len(begin) > 0 {
		return begin
	}
	if meant := sought(cmd.Root(), word); len(meant) > 0 && !cmd.HasParent() {
		return meant
	}
	if near := naming.Nearest(word, names); near != "" {
		return []string{quotedPath(subcommand(cmd, near))}
	}
	return elsewhere(cmd.Root(), word)
}

// sought returns the commands of soughtWords that this program has.
func sought(root *cobra.Command, word string) []string {
	var out []string
	for _, path := range soughtWords[word] {
		at := root
		for name := range strings.FieldsSeq(path) {
			if at = subcommand(at, name); at == nil {
				break
			}
		}
		if at != nil {
			out = append(out, quotedPath(at))
		}
	}
	return out
}

// elsewhere returns the commands called word anywhere below cmd.
func elsewhere(cmd *cobra.Command, word string) []string {
	var out []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() && c.Name() == word {
			out = append(out, quotedPath(c))
		}
		out = append(out, elsewhere(c, word)...)
	}
	return out
}

func quotedPath(c *cobra.Command) string { return "'" + c.CommandPath() + "'" }

// flagError is the usage error for a wrong flag: for one that cmd does not have, with the flag that
// may be meant, or with the commands that have it.
func flagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return &usageError{err}
	}
	name := unknown.GetSpecifiedName()
	if short := unknown.GetSpecifiedShortnames(); short != "" {
		name = short // one dash before a long name reads as a row of short flags
	}
	var known []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			known = append(known, f.Name)
		}
	})
	if near := naming.Nearest(name, known); near != "" {
		return usagef("%w; did you mean --%s?", err, near)
	}
	if owners := flagOwners(cmd.Root(), name); len(owners) > 0 {
		const most = 3
		if len(owners) > most {
			owners = append(owners[:most:most], "others")
		}
		return usagef("%w of %s; it is a flag of %s", err, quotedPath(cmd), naming.JoinAnd(owners))
	}
	return &usageError{err}
}

// flagOwners returns the quoted paths of the commands below cmd that have a flag.
func flagOwners(cmd *cobra.Command, name string) []string {
	var out []string
	for _, c := range cmd.Commands() {
		if f := c.Flags().Lookup(name); f != nil && !f.Hidden || c.PersistentFlags().Lookup(name) != nil {
			out = append(out, quotedPath(c))
		}
		out = append(out, flagOwners(c, name)...)
	}
	slices.Sort(out)
	return out
}

// usageHint tells where the help for a usage error is.
func usageHint(cmd *cobra.Command) string {
	if cmd.HasAvailableSubCommands() {
		return fmt.Sprintf("Run '%s --help' for its commands.", cmd.CommandPath())
	}
	return fmt.Sprintf("Run '%s --help' for its arguments, flags and examples.", cmd.CommandPath())
}
