package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/slotway/slotway/classifier/eval"
	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/source"
)

// checkResult is the result of `check`.
type checkResult struct {
	Errors         int             `json:"errors"`
	Warnings       int             `json:"warnings"`
	CrossValidated bool            `json:"cross_validated"` // the examples were looked at by the classifier
	Problems       source.Problems `json:"problems"`
	NotServed      []notServed     `json:"not_served,omitempty"` // what the agent lists as not served
	Probed         []probed        `json:"probed,omitempty"`     // with --probe: requests that the agent would act on, the worst first
	Probe          []probingCount  `json:"probe,omitempty"`      // what it would do with all of them
	language       string          // of the agent, in English
	ProbeAdvice    []string        `json:"probe_advice,omitempty"` // what to do about those that it would act on
	Advice         *eval.Advice    `json:"advice,omitempty"`       // with --advice
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
	var asJSON, noNLU, probing, advising bool
	cmd := &cobra.Command{
		Use:   "check [FILE]",
		Short: "Validate an agent's YAML: every error and warning with line, field and remedy",
		Long: fmt.Sprintf(`Validate an agent's YAML: every error and every doubt with line, field and remedy.

A file without errors is also cross-validated: the classifier is trained ten times, each time
without another tenth of the examples. Warnings name intents that are confused, examples
that another intent claims, values marked in an example that would not be recognised in it,
and a language that is not that of the examples. Agents of more than %d examples are left to "eval nlu".

With --probe, 500 requests that people make of any bot ("book a table for two", "tell me a joke")
and 300 in the agent's own words ("print my card", where it only blocks cards) are read as first
messages. The result counts how many would begin a task or an answer, lead to a question, or be
refused, and lists the worst with a remedy. No tool is called.

With --advice, training takes three times as long; a few lines then name the examples and intents
to look at first, and the gain from twice the examples. "eval advice" shows everything.`, eval.LintLimit),
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usagef("check takes one file, got %d", len(args))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			path := f.agent
			if len(args) == 1 {
				path = args[0]
			}
			c, err := f.check(cmd.Context(), path, !noNLU)
			if err != nil {
				return err
			}
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
			if advising && c.Errors == 0 {
				if c.Advice, err = f.advise(cmd, path); err != nil {
					return err
				}
			}
			if err := c.print(cmd.OutOrStdout(), path, asJSON); err != nil {
				return err
			}
			if c.Advice != nil && !asJSON {
				if err := printShortAdvice(cmd.OutOrStdout(), c.Advice); err != nil {
					return err
				}
			}
			if probing && !asJSON {
				return printProbed(cmd.OutOrStdout(), c)
			}
			if c.Errors > 0 {
				return &reported{}
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "the problems as JSON")
	cmd.Flags().BoolVar(&probing, "probe", false, "try 500 generic and 300 similar requests, and list those that the agent would wrongly act on")
	cmd.Flags().BoolVar(&advising, "advice", false, "name the examples to look at first, and estimate the gain from more of them")
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
	if !nlu || problems.Err() != nil {
		return newChecked(problems, false), nil
	}
	learn, err := f.learning(nil)
	if err != nil {
		return nil, err
	}
	doubts, ok, err := eval.Lint(ctx, agent, learn)
	if err != nil {
		return nil, fmt.Errorf("look at the examples: %w", err)
	}
	unread, err := eval.LintAnnotations(ctx, agent, learn)
	if err != nil {
		return nil, fmt.Errorf("look at the marked values: %w", err)
	}
	c := newChecked(slices.Concat(problems, eval.LintLanguage(agent, learn), doubts, unread), ok)
	c.NotServed = refusals(agent)
	return c, nil
}

// examine returns the agent of a file, or the embedded one, with its problems.
func examine(path string) (*config.Agent, source.Problems, error) {
	if path != "" {
		agent, problems := config.Examine(path)
		return agent, problems, nil
	}
	agent, err := config.Default()
	if err != nil {
		return nil, nil, err
	}
	return agent, agent.Warnings, nil
}

func newChecked(problems source.Problems, crossValidated bool) *checkResult {
	errs := len(problems.Errors())
	slices.SortStableFunc(problems, func(a, b source.Problem) int {
		return cmp.Or(cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Pos.Column, b.Pos.Column))
	})
	return &checkResult{Errors: errs, Warnings: len(problems) - errs, CrossValidated: crossValidated, Problems: append(source.Problems{}, problems...)}
}

func (c *checkResult) print(out io.Writer, path string, asJSON bool) error {
	if asJSON {
		if err := json.NewEncoder(out).Encode(c); err != nil {
			return fmt.Errorf("write the result: %w", err)
		}
		return nil
	}
	for _, p := range c.Problems {
		fmt.Fprintln(out, p)
	}
	for i, r := range c.NotServed {
		fmt.Fprintf(out, "%s%s (%d examples)", []string{"not served: ", ", "}[min(i, 1)], r.Name, r.Examples)
	}
	if len(c.NotServed) > 0 {
		fmt.Fprintln(out)
	}
	_, err := fmt.Fprintf(out, "%s: %d errors, %d warnings\n", nameOf(path), c.Errors, c.Warnings)
	return err
}

func nameOf(path string) string {
	if path == "" {
		return "the embedded agent"
	}
	return path
}
