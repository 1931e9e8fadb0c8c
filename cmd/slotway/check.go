package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/slotway/slotway/classifier/eval"
	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/naming"
	"github.com/slotway/slotway/config/source"
	"github.com/slotway/slotway/internal/build"
)

// checkResult is the result of `check`.
type checkResult struct {
	Errors         int             `json:"errors"`
	Warnings       int             `json:"warnings"`
	CrossValidated bool            `json:"cross_validated"` // the examples were looked at by the classifier
	Problems       source.Problems `json:"problems"`
	Notes          int             `json:"notes"`
	Ignored        int             `json:"ignored"`              // switched off by comments of the file, or by --disable
	Skipped        []skipped       `json:"skipped,omitempty"`    // what was not looked at
	NotServed      []notServed     `json:"not_served,omitempty"` // what the agent lists as not served
	Probed         []probed        `json:"probed,omitempty"`     // with --probe: requests that the agent would act on, the worst first
	Probe          []probingCount  `json:"probe,omitempty"`      // what it would do with all of them
	language       string          // of the agent, in English
	ProbeAdvice    []string        `json:"probe_advice,omitempty"` // what to do about those that it would act on
}

// skipped is a check that was not made.
type skipped struct {
	Check string `json:"check"`
	Why   string `json:"why"`
}

// notServed is a group of requests that an agent does not serve.
type notServed struct {
	Name     string `json:"name"`
	Examples int    `json:"examples"`
}

// refusals returns the groups that an agent does not serve.
func refusals(agent *config.Agent) []notServed {
	var out []notServed
	for _, in := range agent.NotServed {
		out = append(out, notServed{strings.TrimPrefix(in.ID, "not_served."), len(in.Examples)})
	}
	return out
}

func newCheck(f *flags) *cobra.Command {
	var asJSON, noNLU, probing, listing bool
	var format string
	var disabled []string
	cmd := &cobra.Command{
		Use: "check [FILE]",
		Example: `  slotway check agent.yaml
  slotway check agent.yaml --probe`,
		Short: "Validate an agent's YAML: every error and warning with line, field and remedy",
		Long: fmt.Sprintf(`Validate an agent's YAML: every error and every doubt with line, field and remedy.

A file without errors is also cross-validated: the classifier is trained ten times, each time
without another tenth of the examples. Warnings name intents that are confused, examples
that another intent claims, values marked in an example that would not be recognised in it,
and a language that is not that of the examples. Agents of more than %d examples are left to "eval nlu".

Every problem has a code, such as free-text; --codes lists them. A comment "# slotway: ignore CODE" at the end of
a line, or on a line of its own before it, switches a warning off there, and --disable everywhere.

With --probe, 500 requests that people make of any bot ("book a table for two", "tell me a joke")
and 300 in the agent's own words ("print my card", where it only blocks cards) are read as first
messages. The result counts how many would begin a task or an answer, lead to a question, or be
refused, and lists the worst with a remedy. No tool is called.`, eval.LintLimit),
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usagef("check takes one file, got %d", len(args))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if listing {
				return printCodes(cmd.OutOrStdout(), asJSON || format == "json")
			}
			path := f.agent
			if len(args) == 1 {
				path = args[0]
			}
			if asJSON {
				format = "json"
			}
			write, ok := checkFormats[format]
			if !ok {
				return usagef("--format: %v", naming.Unknown("format", format, checkFormatNames()))
			}
			for _, code := range disabled {
				if known, ok := source.CodeOf(code); !ok {
					return usagef("--disable: %v", naming.Unknown("code", code, source.CodeNames()))
				} else if known.Severity == source.SeverityError {
					return usagef("--disable: %s is an error, which cannot be switched off", code)
				}
			}
			c, err := f.check(cmd.Context(), path, !noNLU)
			if err != nil {
				return err
			}
			c.disable(disabled)
			if probing && c.Errors == 0 {
				agent, _, err := examine(path)
				if err != nil {
					return err
				}
				if c.Probed, c.Probe, err = f.probe(cmd.Context(), agent, cmd.ErrOrStderr()); err != nil {
					return err
				}
				c.ProbeAdvice, c.language = advise(agent, c.Probed), agent.EnglishLanguageName()
			}
			if err := write(c, cmd.OutOrStdout(), path); err != nil {
				return err
			}
			if probing && format == "text" {
				return printProbed(cmd.OutOrStdout(), c)
			}
			if c.Errors > 0 {
				return &reported{}
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "the problems as JSON, like --format json")
	cmd.Flags().StringVar(&format, "format", "text", "text, json, github (annotations of a workflow) or sarif (SARIF 2.1.0)")
	cmd.Flags().StringArrayVar(&disabled, "disable", nil, "a code of warnings to leave out; may be repeated")
	cmd.Flags().BoolVar(&listing, "codes", false, "list the codes with meaning and remedy")
	cmd.Flags().BoolVar(&probing, "probe", false, "try 500 generic and 300 similar requests, and list those that the agent would wrongly act on")
	cmd.Flags().BoolVar(&noNLU, "no-nlu", false, "do not train on the examples")
	return cmd
}

// check checks a file, or the embedded agent.
func (f *flags) check(ctx context.Context, path string, nlu bool) (*checkResult, error) {
	agent, problems, err := examine(path)
	if err != nil {
		return nil, err
	}
	if problems, err = f.withSettings(problems); err != nil {
		return nil, err
	}
	if problems.Err() != nil {
		return newChecked(problems, skipped{exampleChecks, "the file has errors"}), nil
	}
	if !nlu {
		return newChecked(append(problems, agent.Ignores.Unused(problems, source.ExampleOverlap, source.ExampleClaimed, source.ExampleUnread, source.ExampleLanguage)...), skipped{exampleChecks, "--no-nlu"}), nil
	}
	learn, err := f.learning(nil)
	if err != nil {
		return nil, err
	}
	learn.Tick = f.tick("Training without each tenth of the examples in turn, to find doubtful ones (--no-nlu leaves that out).", eval.LintTrainings)
	doubts, ok, err := eval.Lint(ctx, agent, learn)
	if err != nil {
		return nil, fmt.Errorf("look at the examples: %w", err)
	}
	unread, err := eval.LintAnnotations(ctx, agent, learn)
	if err != nil {
		return nil, fmt.Errorf("look at the marked values: %w", err)
	}
	problems = agent.Ignores.Mark(slices.Concat(problems, eval.LintLanguage(agent, learn), doubts, unread))
	c := newChecked(append(problems, agent.Ignores.Unused(problems)...))
	if c.CrossValidated = ok; !ok {
		c.Skipped = append(c.Skipped, skipped{"the intents of the examples", eval.Unexamined(agent)})
	}
	c.NotServed = refusals(agent)
	return c, nil
}

// examine returns the agent of a file, or the embedded one, with its problems.
func examine(path string) (*config.Agent, source.Problems, error) {
	if path != "" {
		agent, problems := config.ExamineAll(path)
		return agent, problems, nil
	}
	agent, err := config.Default()
	if err != nil {
		return nil, nil, err
	}
	return agent, agent.Warnings, nil
}

// exampleChecks are the checks that train on the examples.
const exampleChecks = "the examples: confused intents, marked values, language"

func newChecked(problems source.Problems, left ...skipped) *checkResult {
	all := len(problems)
	problems = problems.Shown()
	slices.SortStableFunc(problems, func(a, b source.Problem) int {
		return cmp.Or(cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Pos.Column, b.Pos.Column))
	})
	c := &checkResult{Problems: append(source.Problems{}, problems...), Ignored: all - len(problems), Skipped: left}
	c.count()
	return c
}

func (c *checkResult) count() {
	c.Errors, c.Warnings = len(c.Problems.Errors()), len(c.Problems.Warnings())
	c.Notes = len(c.Problems) - c.Errors - c.Warnings
}

// disable leaves the problems of codes out.
func (c *checkResult) disable(codes []string) {
	before := len(c.Problems)
	c.Problems = slices.DeleteFunc(c.Problems, func(p source.Problem) bool { return slices.Contains(codes, p.Code) })
	c.Ignored += before - len(c.Problems)
	c.count()
}

func (c *checkResult) printText(out io.Writer, path string) error {
	for _, p := range c.Problems {
		fmt.Fprintf(out, "%s [%s]\n", p, p.Code)
	}
	for _, s := range c.Skipped {
		fmt.Fprintf(out, "not checked: %s (%s)\n", s.Check, s.Why)
	}
	for i, r := range c.NotServed {
		fmt.Fprintf(out, "%s%s (%s)", []string{"not served: ", ", "}[min(i, 1)], r.Name, numbered(r.Examples, "example"))
	}
	if len(c.NotServed) > 0 {
		fmt.Fprintln(out)
	}
	ignored := ""
	if c.Ignored > 0 {
		ignored = fmt.Sprintf(", %d ignored", c.Ignored)
	}
	_, err := fmt.Fprintf(out, "%s: %s, %s%s\n", nameOf(path), numbered(c.Errors, "error"), numbered(c.Warnings, "warning"), ignored)
	return err
}

func nameOf(path string) string {
	if path == "" {
		return "the embedded agent"
	}
	return path
}

// withSettings adds the problems of the settings that the agent would start with.
func (f *flags) withSettings(problems source.Problems) (source.Problems, error) {
	f.warn = nil // they are among the problems
	s, err := f.settings()
	var wrong source.Problems
	if errors.As(err, &wrong) {
		return append(problems, wrong...), nil
	}
	if err == nil {
		problems = append(problems, s.Warnings...)
	}
	return problems, err
}

// checkFormats write the result of `check`.
var checkFormats = map[string]func(c *checkResult, out io.Writer, path string) error{
	"text":   (*checkResult).printText,
	"json":   func(c *checkResult, out io.Writer, _ string) error { return encode(out, c) },
	"github": (*checkResult).printGitHub,
	"sarif":  func(c *checkResult, out io.Writer, _ string) error { return encode(out, c.sarif()) },
}

func checkFormatNames() []string { return slices.Sorted(maps.Keys(checkFormats)) }

func encode(out io.Writer, v any) error {
	if err := json.NewEncoder(out).Encode(v); err != nil {
		return fmt.Errorf("write the result: %w", err)
	}
	return nil
}

// printCodes lists what the codes of problems mean.
func printCodes(out io.Writer, asJSON bool) error {
	if asJSON {
		return encode(out, source.Codes)
	}
	return table(out, "", source.Codes, func(c *source.Code) []any { return []any{c.Code, c.Severity, c.Meaning + " " + c.Remedy} })
}

// said is a problem's text without its place and code.
func said(p source.Problem) string {
	p.Pos, p.Severity = source.Position{}, source.SeverityError
	return strings.TrimPrefix(p.String(), ": ")
}

// annotationNames are the workflow commands of severities.
var annotationNames = map[source.Severity]string{source.SeverityWarning: "warning", source.SeverityNote: "notice"}

// printGitHub writes a workflow command for each problem, which GitHub shows at its line.
func (c *checkResult) printGitHub(out io.Writer, _ string) error {
	for _, p := range c.Problems {
		name := annotationNames[p.Severity]
		if name == "" {
			name = "error"
		}
		a := annotation{name, p.Pos.File, p.Pos.Line, 0, "slotway " + p.Code, said(p)}
		if p.Pos.Line > 0 {
			a.column = p.Pos.Column
		}
		if err := a.write(out); err != nil {
			return err
		}
	}
	return nil
}

// The parts of a SARIF 2.1.0 log that `check` writes.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool       sarifTool     `json:"tool"`
		ColumnKind string        `json:"columnKind"`
		Results    []sarifResult `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name           string      `json:"name"`
		Version        string      `json:"version,omitempty"`
		InformationURI string      `json:"informationUri"`
		Rules          []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID               string      `json:"id"`
		ShortDescription sarifText   `json:"shortDescription"`
		Help             sarifText   `json:"help"`
		Configuration    sarifConfig `json:"defaultConfiguration"`
	}
	sarifConfig struct {
		Level string `json:"level"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifResult struct {
		RuleID    string          `json:"ruleId"`
		RuleIndex int             `json:"ruleIndex"`
		Level     string          `json:"level"`
		Message   sarifText       `json:"message"`
		Locations []sarifLocation `json:"locations,omitempty"`
	}
	sarifLocation struct {
		Physical sarifPhysical `json:"physicalLocation"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   *sarifRegion  `json:"region,omitempty"`
	}
	sarifArtifact struct {
		URI string `json:"uri"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn"`
	}
)

// sarif returns the problems as a SARIF log.
func (c *checkResult) sarif() *sarifLog {
	run := sarifRun{ColumnKind: "unicodeCodePoints", Results: []sarifResult{}}
	run.Tool.Driver = sarifDriver{Name: "slotway", Version: build.ReadInfo().Version, InformationURI: "https://github.com/slotway/slotway"}
	for _, code := range source.Codes {
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{code.Code, sarifText{code.Meaning}, sarifText{code.Remedy}, sarifConfig{string(code.Severity)}})
	}
	for _, p := range c.Problems {
		r := sarifResult{
			RuleID: p.Code, Level: string(p.Severity), Message: sarifText{said(p)},
			RuleIndex: slices.IndexFunc(source.Codes, func(known source.Code) bool { return known.Code == p.Code }),
		}
		if p.Pos.File != "" {
			at := sarifPhysical{Artifact: sarifArtifact{fileURI(p.Pos.File)}}
			if p.Pos.Line > 0 {
				at.Region = &sarifRegion{p.Pos.Line, max(p.Pos.Column, 1)}
			}
			r.Locations = []sarifLocation{{at}}
		}
		run.Results = append(run.Results, r)
	}
	return &sarifLog{Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0", Runs: []sarifRun{run}}
}

// fileURI returns a relative reference for a relative path, and a file URI for an absolute one.
func fileURI(path string) string {
	u := url.URL{Path: filepath.ToSlash(path)}
	if filepath.IsAbs(path) {
		u.Scheme = "file"
	}
	return u.String()
}
