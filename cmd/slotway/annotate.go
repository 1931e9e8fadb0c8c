package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/slotway/slotway/router/replay"
)

// What GitHub's workflow commands escape, in the text and in the properties
// (https://docs.github.com/actions/reference/workflow-commands-for-github-actions).
var (
	commandText     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	commandProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// annotation is a workflow command that GitHub shows at a line of a pull request.
type annotation struct {
	level        string // error, warning or notice
	file         string // "": of no file
	line, column int    // 0: unknown
	title, text  string
}

func (a *annotation) write(out io.Writer) error {
	place := ""
	if a.file != "" {
		place = "file=" + commandProperty.Replace(workspacePath(a.file)) + ","
	}
	if a.line > 0 {
		place += fmt.Sprintf("line=%d,", a.line)
	}
	if a.column > 0 {
		place += fmt.Sprintf("col=%d,", a.column)
	}
	if _, err := fmt.Fprintf(out, "::%s %stitle=%s::%s\n", a.level, place, commandProperty.Replace(a.title), commandText.Replace(a.text)); err != nil {
		return fmt.Errorf("write the result: %w", err)
	}
	return nil
}

// workspacePath returns a path as GitHub finds it: from the root of the repository that is checked out.
func workspacePath(file string) string {
	root := os.Getenv("GITHUB_WORKSPACE")
	whole, err := filepath.Abs(file)
	if root == "" || err != nil {
		return filepath.ToSlash(file)
	}
	inside, err := filepath.Rel(root, whole)
	if err != nil || !filepath.IsLocal(inside) {
		return filepath.ToSlash(file)
	}
	return filepath.ToSlash(inside)
}

// annotateTests writes each failure at its line of the conversation.
func annotateTests(out io.Writer, results []replay.Result) error {
	for _, r := range results {
		for _, f := range r.Failures {
			a := annotation{level: "error", file: r.File, line: f.Line, title: "slotway test: " + r.Name, text: strings.TrimSpace(f.Diff + "\n" + f.Why)}
			if err := a.write(out); err != nil {
				return err
			}
		}
	}
	return nil
}
