package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/flow"
	"github.com/slotway/slotway/config/flow/diagram"
	"github.com/slotway/slotway/config/handbook"
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

// covering are the flags about coverage.
type covering struct {
	show    bool
	html    string
	least   float64
	reports []*coverage.Report
}

func (c *covering) register(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&c.show, "coverage", false, "tell which intents, params, steps, branches and responses no conversation reaches")
	cmd.Flags().StringVar(&c.html, "coverage-html", "", "write the agent with its coverage as one HTML page to this `file`")
	cmd.Flags().Float64Var(&c.least, "coverage-min", 0, "fail if less than this `percentage` is reached")
}

// wanted reports whether coverage is to be measured.
func (c *covering) wanted() bool { return c.show || c.html != "" || c.least > 0 }

// collectors holds what each tested agent has reached. It is safe for concurrent use.
type collectors struct {
	mu     sync.Mutex // guards the fields below
	agents []*config.Agent
	of     map[*config.Agent]*coverage.Collector
}

// collector returns the collector of an agent.
func (c *collectors) collector(a *config.Agent) *coverage.Collector {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.of == nil {
		c.of = map[*config.Agent]*coverage.Collector{}
	}
	if c.of[a] == nil {
		c.agents = append(c.agents, a)
		c.of[a] = coverage.New()
	}
	return c.of[a]
}

// finish makes the reports and the page, after the conversations were played.
func (c *covering) finish(got *collectors, results []replay.Result) error {
	for _, a := range got.agents {
		c.reports = append(c.reports, got.of[a].Report(a))
	}
	if c.html == "" {
		return nil
	}
	if len(got.agents) != 1 {
		return fmt.Errorf("--coverage-html shows one agent, but the conversations talk to %d; name the tests of one agent", len(got.agents))
	}
	page := handbook.Options{Coverage: covered(c.reports[0], countConversations(len(results)))}
	return writeFile(c.html, func(w io.Writer) error { return handbook.Write(w, got.agents[0], page) })
}

// countConversations says how many conversations there are.
func countConversations(n int) string {
	if n == 1 {
		return "1 conversation"
	}
	return fmt.Sprintf("%d conversations", n)
}

// covered converts a report for the page of an agent.
func covered(r *coverage.Report, of string) *handbook.Coverage {
	c := &handbook.Coverage{Of: of, Intents: map[string]handbook.Share{}, Reached: func(intent string, n *diagram.Node) bool {
		return r.Reached(intent, diagram.Value(n.Attrs, flow.AttrStep), diagram.Value(n.Attrs, flow.AttrParam), diagram.Value(n.Attrs, flow.AttrPart))
	}}
	for _, i := range r.Items {
		if _, known := c.Intents[i.Intent]; i.Intent != "" && !known {
			n := r.Intent(i.Intent)
			c.Intents[i.Intent] = handbook.Share{Reached: n.Reached, All: n.All}
		}
	}
	for _, k := range r.Kinds {
		c.Kinds = append(c.Kinds, handbook.Kind{Name: string(k.Kind), Share: handbook.Share{Reached: k.Reached, All: k.All}})
	}
	return c
}

// print writes the reports for people.
func (c *covering) print(out io.Writer) error {
	if !c.show {
		return nil
	}
	for _, r := range c.reports {
		if err := coverage.WriteText(out, r); err != nil {
			return fmt.Errorf("write the coverage: %w", err)
		}
	}
	return nil
}

// enough reports whether every agent is covered as --coverage-min asks; it names those that are not.
func (c *covering) enough(warnings io.Writer) bool {
	return !slices.ContainsFunc(c.reports, func(r *coverage.Report) bool {
		low := r.Percent < c.least
		if low {
			fmt.Fprintf(warnings, "slotway: coverage of agent %s is %.1f %%, below the %g %% of --coverage-min; --coverage lists what is missing\n", r.Agent, r.Percent, c.least)
		}
		return low
	})
}
