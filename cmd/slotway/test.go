package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/slotway/slotway/router/replay"
	"github.com/slotway/slotway/router/replay/coverage"
)

// testRun holds the flags that `test` and `replay` share.
type testRun struct {
	update, asJSON, live bool
	github               bool // failures as annotations, too
	junit                string

	coverage covering // of test alone
}

func (t *testRun) register(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&t.update, "update", false, "update golden telemetry and the expectations that differ")
	cmd.Flags().StringVar(&t.junit, "junit", "", "also write the results as JUnit XML to this file")
	cmd.Flags().BoolVar(&t.asJSON, "json", false, "results as one JSON object")
	cmd.Flags().BoolVar(&t.github, "github", false, "also write failures as annotations for GitHub Actions")
	cmd.Flags().BoolVar(&t.live, "live", false, "call write tools for real where a conversation does not script them")
}

// liveHelp is the help text about calls that leave a test.
const liveHelp = `A write tool is called only if the conversation scripts its answer under "tools", or if it writes
nothing but the data folder of the test, which is thrown away: an SQL tool on a SQLite database
below ${DATA} or in memory. Any other write (http, exec, mcp, rasa_action, SQL elsewhere) fails the turn,
and the message shows the lines to add; --live calls it for real. A tool of kind go needs its answer
in the conversation whatever it does, since its function is in your program. Read tools without a
script are called, and named at the end.`

// testsFolder is the folder in which tests are looked for first.
const testsFolder = "tests"

func newTest(f *flags) *cobra.Command {
	t := &testRun{}
	cmd := &cobra.Command{
		Use:   "test [PATH...]",
		Short: "Run conversations as tests; by default those below the folder tests, else below this folder",
		Long: `Run conversations as tests. PATH is a file with conversations, or a folder: then all YAML files
below it with the key conversation. Without PATH it is the folder tests of this folder if there is
one, else this folder.

The agent is the one that a conversation names under "agent", else that of --agent.

` + liveHelp + `

Coverage is measured by what the turns really passed, whatever the tests expect: the intents that
began; the params that were asked for and given; the steps of the plans; both ways of each condition
and confirmation, and each way of on_error; the responses of the agent's file that were said.`,
		Example: `  slotway test
  slotway test tests/booking.yaml --update
  slotway test --coverage --coverage-min 90
  slotway test --coverage-html coverage.html
  slotway --agent agent.yaml test --live`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				args = []string{defaultTests()}
			}
			return t.run(cmd, f, args)
		},
	}
	t.register(cmd)
	t.coverage.register(cmd)
	return cmd
}

// defaultTests returns the folder of the tests if no path is given.
func defaultTests() string {
	if info, err := os.Stat(testsFolder); err == nil && info.IsDir() {
		return testsFolder
	}
	return "."
}

// run plays the conversations below paths and writes their results.
func (t *testRun) run(cmd *cobra.Command, f *flags, paths []string) error {
	files, err := replay.Find(paths)
	if err != nil {
		return err
	}
	if len(files) == 0 {
		return fmt.Errorf("no conversation found in %s: a test is a YAML file with the key conversation; 'slotway record' writes one from a stored session", strings.Join(paths, ", "))
	}
	r := newReplayer(f)
	if t.coverage.wanted() {
		r.reached = &collectors{}
	}
	var results []replay.Result
	for _, file := range files {
		results = append(results, r.file(cmd.Context(), file, &replay.Options{Update: t.update, Live: t.live})...)
	}
	if r.reached != nil {
		if err := t.coverage.finish(r.reached, results); err != nil {
			return err
		}
	}
	if err := t.write(cmd, results); err != nil {
		return err
	}
	if enough := t.coverage.enough(cmd.ErrOrStderr()); !enough || replay.Count(results).Failed > 0 {
		return &reported{}
	}
	return nil
}

func (t *testRun) write(cmd *cobra.Command, results []replay.Result) error {
	if t.junit != "" {
		if err := writeFile(t.junit, func(w io.Writer) error { return replay.WriteJUnit(w, results) }); err != nil {
			return err
		}
	}
	result := testResult{replay.Count(results), append([]replay.Result{}, results...), t.coverage.reports}
	if err := output(cmd, t.asJSON, result, t.print); err != nil {
		return fmt.Errorf("write results: %w", err)
	}
	if names := calledOutside(results); len(names) > 0 && !t.asJSON {
		fmt.Fprintf(cmd.ErrOrStderr(), "slotway: called for real: %s; script them under \"tools\" to make the tests repeatable\n", strings.Join(names, ", "))
	}
	return nil
}

// testResult is the result of `test` and `replay`.
type testResult struct {
	replay.Summary
	Conversations []replay.Result    `json:"conversations"`
	Coverage      []*coverage.Report `json:"coverage,omitempty"` // by agent
}

func (t *testRun) print(out io.Writer, r testResult) error {
	if t.github {
		if err := annotateTests(out, r.Conversations); err != nil {
			return err
		}
	}
	if err := t.coverage.print(out); err != nil {
		return err
	}
	return replay.WriteText(out, r.Conversations)
}

// calledOutside returns the tools whose real calls left the tests.
func calledOutside(results []replay.Result) []string {
	var names []string
	for _, r := range results {
		names = append(names, r.Outside...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// writeFile writes a file that only its owner can read.
func writeFile(path string, write func(io.Writer) error) (err error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	return write(file)
}
