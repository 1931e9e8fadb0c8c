package main

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// TestExamplesInHelp: the help of every command has examples, and each of their lines parses: the
// command exists, has the flags and takes the arguments.
func TestExamplesInHelp(t *testing.T) {
	eachCommand(newRoot(), func(c *cobra.Command) {
		if c.Example == "" {
			t.Errorf("%s: the help has no examples (field Example)", c.CommandPath())
			return
		}
		for line := range strings.Lines(c.Example) {
			if err := exampleProblem(c, strings.TrimRight(line, "\n")); err != "" {
				t.Errorf("%s: example %q: %s", c.CommandPath(), line, err)
			}
		}
	})
}

// TestShortHelpIsShort: the line of a command in its list fits on a terminal, or nearly.
func TestShortHelpIsShort(t *testing.T) {
	const most = 96
	root := newRoot()
	eachCommand(root, func(c *cobra.Command) {
		if n := len(c.Short); n > most && c != root {
			t.Errorf("%s: Short has %d characters, at most %d; Long has room for the rest", c.CommandPath(), n, most)
		}
	})
}

// TestExampleProblems: the reader of examples finds faults.
func TestExampleProblems(t *testing.T) {
	chat, _, err := newRoot().Find([]string{"chat"})
	if err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]string{
		"  slotway chat --session ann":           "",
		"  echo 'a | b' | slotway chat > out":    "",
		"slotway chat":                           "two spaces",
		"  echo hello":                           "no slotway command",
		"  slotway chat --sessoin ann":           "unknown flag",
		"  slotway chat ann":                     "unexpected argument",
		"  slotway check agent.yaml":             "another command",
		"  slotway chatt":                        "unknown command",
		"  slotway chat # --nothing of a remark": "",
	} {
		if got := exampleProblem(chat, line); (got == "") != (want == "") || !strings.Contains(got, want) {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
}

// eachCommand calls f for root and every command below it.
func eachCommand(root *cobra.Command, f func(*cobra.Command)) {
	f(root)
	for _, c := range root.Commands() {
		if !c.Hidden {
			eachCommand(c, f)
		}
	}
}

// exampleProblem returns what is wrong with a line of a command's examples, "" for nothing.
func exampleProblem(c *cobra.Command, line string) string {
	if !strings.HasPrefix(line, "  ") {
		return "it does not begin with two spaces"
	}
	words := commandWords(line)
	if words == nil {
		return "no slotway command in it"
	}
	root := newRoot()
	found, rest, err := root.Find(words)
	if err == nil {
		err = found.ParseFlags(rest)
	}
	if err == nil {
		err = found.ValidateArgs(found.Flags().Args())
	}
	if err != nil {
		return err.Error()
	}
	if path := found.CommandPath(); path != c.CommandPath() && !strings.HasPrefix(path, c.CommandPath()+" ") {
		return "it shows another command, " + path
	}
	return ""
}

// commandWords returns the arguments of slotway in a line of a shell; nil if the line has none.
func commandWords(line string) []string {
	var words []string
	in := false
	var word strings.Builder
	var quote rune
	end := func() bool { // false: the command ends here
		w := word.String()
		word.Reset()
		switch {
		case w == "":
		case !in && w == "slotway":
			in, words = true, []string{}
		case in && slices.Contains([]string{"|", ">", "<", "&&", "&"}, w) || strings.HasPrefix(w, "#"):
			return false
		case in:
			words = append(words, w)
		}
		return true
	}
	for _, r := range line {
		switch {
		case quote != 0:
			if r == quote {
				quote = 0
			} else {
				word.WriteRune(r)
			}
		case r == '\'' || r == '"':
			quote = r
		case r == ' ':
			if !end() {
				return words
			}
		default:
			word.WriteRune(r)
		}
	}
	end()
	return words
}

// TestEveryCommandInAGroup: the help lists each command under a title.
func TestEveryCommandInAGroup(t *testing.T) {
	root := newRoot()
	for _, c := range root.Commands() {
		if !c.Hidden && c.GroupID == "" {
			t.Errorf("%s is in no group: see commandGroups", c.Name())
		}
	}
	var out bytes.Buffer
	if code := run(t.Context(), nil, strings.NewReader(""), &out, &out); code != exitOK {
		t.Fatalf("exit code %d", code)
	}
	if strings.Contains(out.String(), "Additional Commands") {
		t.Errorf("the help has commands without a group:\n%s", out.String())
	}
}

// TestUsageErrorsSuggest: a wrong word or flag names what may be meant, and where the help is.
func TestUsageErrorsSuggest(t *testing.T) {
	for args, want := range map[string][]string{
		"chatt":                        {`unknown command "chatt"; did you mean 'slotway chat'?`, "Run 'slotway --help'"},
		"sess":                         {"did you mean 'slotway sessions'?"},
		"run":                          {"did you mean 'slotway chat' or 'slotway serve'?"},
		"server":                       {"did you mean 'slotway serve'?"},
		"Check":                        {"did you mean 'slotway check'?"},
		"forget":                       {"did you mean 'slotway sessions forget'?"},
		"zebra":                        {`unknown command "zebra"` + "\n"},
		"sessions lst":                 {`unknown command "lst" for sessions; did you mean 'slotway sessions list'?`, "Run 'slotway sessions --help' for its commands."},
		"eval sumary":                  {"did you mean 'slotway eval summary'?"},
		"help sessions lst":            {"did you mean 'slotway sessions list'?"},
		"chat --sesion x":              {"unknown flag: --sesion; did you mean --session?", "Run 'slotway chat --help'"},
		"sessions list --al-users":     {"did you mean --all-users?", "Run 'slotway sessions list --help'"},
		"chat -agent x.yaml":           {"did you mean --agent?"},
		"check --addr 127.0.0.1:1":     {"unknown flag: --addr of 'slotway check'; it is a flag of 'slotway dev' and 'slotway serve'"},
		"check --zzzzzzz":              {"unknown flag: --zzzzzzz\n"},
		"sessions show":                {"expected a session", "Run 'slotway sessions show --help'"},
		"--dta x chat":                 {"did you mean --data?"},
		"memory search --limit x text": {`invalid argument "x"`, "Run 'slotway memory search --help'"},
	} {
		var out, errs bytes.Buffer
		code := run(t.Context(), strings.Fields(args), strings.NewReader(""), &out, &errs)
		if code != exitUsage || out.Len() > 0 {
			t.Errorf("slotway %s: exit code %d, printed %q", args, code, out.String())
		}
		for _, w := range want {
			if !strings.Contains(errs.String(), w) {
				t.Errorf("slotway %s: %q does not contain %q", args, errs.String(), w)
			}
		}
	}
}
