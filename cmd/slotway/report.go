package main

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/settings"
	"github.com/slotway/slotway/internal/build"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/router/report"
)

// reportFlags are the flags of report.
type reportFlags struct {
	*flags
	user         string
	since, until time.Time
	groups       int
	most         int
	json         bool
}

func newReport(f *flags) *cobra.Command {
	r := &reportFlags{flags: f}
	now := build.Now()
	cmd := &cobra.Command{
		Use:   "report",
		Short: "Count what became of the tasks, and list messages that were not understood",
		Long: `Read the stored sessions and count, for each task that was begun in a range of time, what became
of it up to the end of the range. A task is counted once, however often it was interrupted; a
sub-task is a part of the task that runs it. Undone turns do not count.

begun        its plan became active
done         its plan came to its end
declined     the user said no to its confirmation, and it ended
stopped      the user stopped it or let it drop, or the session was cleared
handed off   a person took over
failed       a call failed for good, or it is unknown whether a write was made
abandoned    it was open, and the session was silent for longer than session.idle_ttl (a day
             where sessions never expire); the report says what it waited for
open         it is under way or interrupted

The seven fates add up to begun. Turns are those in which the task was under way, and their mean
is of those that were done. A param is asked again if a later turn of the same task asks for it,
too. A correction is a turn in which the user replaces a value that the task knew before.

Messages count as not understood if no task was recognised in them (fallback), or if the agent
asked its question again because the answer was none (unanswered). Alike ones are one group.
Values of all params are shown as marks, such as {order_id}, whatever redaction.params says; a refused
answer to the question for a redacted param is shown without numbers, and not at all if any text could
be its value. Sessions that cannot be read are named and left out.

--json prints the same as one JSON object; GET /v1/report answers with it for the sessions of
one user.`,
		Example: `  slotway report
  slotway report --since 24h --user ann
  slotway report --since 2026-03-01 --until 2026-04-01 --json`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return r.run(cmd, now) },
	}
	fl := cmd.Flags()
	addID(fl, &r.user, "user", "", "user whose sessions are read (default: all users)")
	fl.Var(momentOrAge(&r.since, now), "since", "begin of the range: an age (7d, 12h), a day or a time (2006-01-02, 2006-01-02T15:04:05Z) (default 7d)")
	fl.Var(momentOrAge(&r.until, now), "until", "end of the range, not in it (default: now)")
	fl.IntVar(&r.groups, "groups", 20, "maximum number of groups of messages")
	fl.IntVar(&r.most, "recent", 100_000, "maximum number of sessions that are read, the latest first")
	fl.BoolVar(&r.json, "json", false, "one JSON object instead of tables")
	return cmd
}

// momentOrAge is a flag for a moment, which may be said as an age.
func momentOrAge(at *time.Time, now time.Time) flagFunc {
	return func(text string) (err error) {
		*at, err = report.Moment(text, now)
		return err
	}
}

func (r *reportFlags) run(cmd *cobra.Command, now time.Time) error {
	q := report.Query{UserID: r.user, Since: r.since, Until: r.until, Now: now, Most: r.most, Groups: r.groups}
	if q.Since.IsZero() {
		q.Since = now.Add(-report.Usual)
	}
	if q.Until.IsZero() {
		q.Until = now
	}
	switch {
	case r.groups < 1 || r.most < 1:
		return usagef("--groups and --recent take 1 or more")
	case !q.Since.Before(q.Until):
		return usagef("--until is not behind --since")
	}
	var out *report.Report
	err := (&sessionStore{flags: r.flags}).open(cmd, func(o *opened) (err error) {
		out, err = r.collect(cmd, o.settings, o.agent, o.store, q)
		return err
	})
	if err != nil {
		return err
	}
	if r.json {
		enc := json.NewEncoder(cmd.OutOrStdout())
		enc.SetIndent("", "  ")
		return enc.Encode(out)
	}
	return printReport(cmd.OutOrStdout(), out)
}

func (r *reportFlags) collect(cmd *cobra.Command, s *settings.Settings, agent *config.Agent, store memory.Reader, q report.Query) (*report.Report, error) {
	understand, err := build.Classifier(agent, s, nil, build.ModelsIn(build.DataDir(s), cmd.ErrOrStderr()))
	if err != nil {
		return nil, err
	}
	table, err := build.WordVectors()
	if err != nil {
		return nil, fmt.Errorf("open the word vectors: %w", err)
	}
	bar := countBar(cmd, "sessions", -1)
	defer bar.finish()
	return report.Collect(cmd.Context(), store, agent, report.Reading{Classifier: understand, Embedder: table}, q, func(int) { bar.add(1) })
}

// printReport prints a report for people.
func printReport(out io.Writer, r *report.Report) error {
	var b strings.Builder
	const form = "2006-01-02 15:04"
	fmt.Fprintf(&b, "%s to %s UTC: %s, %s", r.Since.UTC().Format(form), r.Until.UTC().Format(form), numbered(r.Sessions, "session"), numbered(r.Turns, "turn"))
	if r.Handoffs > 0 {
		fmt.Fprintf(&b, ", %s handed to a person", numbered(r.Handoffs, "turn"))
	}
	if r.Taken > 0 {
		fmt.Fprintf(&b, ", taken over %s", numbered(r.Taken, "time"))
	}
	b.WriteString("\n")
	if r.More {
		b.WriteString("Not all sessions were read; --recent N reads more.\n")
	}
	if r.DamagedAll > 0 {
		fmt.Fprintf(&b, "%s cannot be read, see slotway db check: %s\n", numbered(r.DamagedAll, "session"), damagedNames(r))
	}
	if err := printTasks(&b, r.Tasks); err != nil {
		return err
	}
	for i := range r.Tasks {
		if err := printDetails(&b, &r.Tasks[i]); err != nil {
			return err
		}
	}
	printUnanswered(&b, &r.Unanswered)
	if err := printFailures(&b, "failed calls", r.Failures); err != nil {
		return err
	}
	_, err := io.WriteString(out, b.String())
	return err
}

func damagedNames(r *report.Report) string {
	var names []string
	for _, d := range r.Damaged {
		names = append(names, d.SessionID+" of "+d.UserID)
	}
	if r.DamagedAll > len(names) {
		names = append(names, fmt.Sprintf("and %d more", r.DamagedAll-len(names)))
	}
	return strings.Join(names, ", ")
}

func printTasks(b *strings.Builder, tasks []report.Task) error {
	if len(tasks) == 0 {
		b.WriteString("\nNo task was begun.\n")
		return nil
	}
	b.WriteString("\n")
	return table(b, "TASK\tBEGUN\tDONE\tDECLINED\tSTOPPED\tHANDED OFF\tFAILED\tABANDONED\tOPEN\tTURNS", tasks, func(t *report.Task) []any {
		return []any{t.Intent, t.Begun, share(t.Done, t.Begun), t.Declined, t.Stopped, t.HandedOff, t.Failed, t.Abandoned, t.Open, mean(t.TurnsPerDone)}
	})
}

// share returns a count with its part of a whole.
func share(n, of int) string { return fmt.Sprintf("%d (%d %%)", n, (200*n+of)/(2*of)) }

// mean returns the turns of the tasks that were done.
func mean(turns float64) string {
	if turns == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f", turns)
}

// printDetails prints what a task asked, confirmed and met, and where it was left.
func printDetails(b *strings.Builder, t *report.Task) error {
	if len(t.Params)+len(t.AbandonedAt)+len(t.Failures)+t.Confirmations.Asked+t.Corrections == 0 {
		return nil
	}
	fmt.Fprintf(b, "\n%s: %s in all", t.Intent, numbered(t.Turns, "turn"))
	if t.Corrections > 0 {
		fmt.Fprintf(b, ", %s", numbered(t.Corrections, "correction"))
	}
	b.WriteString("\n")
	if c := t.Confirmations; c.Asked+c.Yes+c.No > 0 {
		fmt.Fprintf(b, "  confirmation asked %s, yes %d, no %d\n", numbered(c.Asked, "time"), c.Yes, c.No)
	}
	if len(t.Params) > 0 {
		if err := table(b, "  PARAM\tASKED\tAGAIN\tCORRECTED", t.Params, func(p *report.Param) []any {
			return []any{"  " + p.Param, p.Asked, p.Again, p.Corrected}
		}); err != nil {
			return err
		}
	}
	for _, p := range t.AbandonedAt {
		fmt.Fprintf(b, "  abandoned %s: %d\n", placeText(p), p.Count)
	}
	return printFailures(b, "  failed calls", t.Failures)
}

// places are what a task waited for, by the kind of its question.
var places = map[string]string{
	"ask": "asked for %s", "choose": "at the choice of %s", "confirm": "at the confirmation of %s", "clarify": `at "A or B?"`,
	"change": "asked what should be different", "handoff": "at the offer of a person", "resume": "at the offer to go on",
	"correct": "at the question whether to replace %s", "retry": "after a failed call (%s)", "": "without a question",
}

func placeText(p report.Place) string {
	text, known := places[p.Waiting]
	if !known {
		text = p.Waiting
	}
	if !strings.Contains(text, "%s") {
		return text
	}
	for _, what := range []string{p.Param, p.Tool, p.Step} {
		if what != "" {
			return fmt.Sprintf(text, what)
		}
	}
	return fmt.Sprintf(text, "-")
}

func printFailures(b *strings.Builder, title string, list []report.Failure) error {
	if len(list) == 0 {
		return nil
	}
	if !strings.HasPrefix(title, " ") {
		b.WriteString("\n")
	}
	indent := strings.Repeat(" ", len(title)-len(strings.TrimLeft(title, " ")))
	return table(b, indent+strings.ToUpper(strings.TrimLeft(title, " "))+"\tCODE\tCALLS", list, func(f *report.Failure) []any {
		code := f.Code
		if f.Status == "unknown" {
			code += " (effect unknown)"
		}
		return []any{indent + f.Tool, code, f.Count}
	})
}

func printUnanswered(b *strings.Builder, u *report.Unanswered) {
	if u.Messages == 0 {
		b.WriteString("\nEvery message was understood.\n")
		return
	}
	fmt.Fprintf(b, "\nNot understood: %s\n", numbered(u.Messages, "message"))
	for i := range u.Groups {
		g := &u.Groups[i]
		b.WriteString(groupHead(g.ID, g.Size, g.Sessions, g.Last, g.Reasons))
		for _, t := range g.Texts {
			fmt.Fprintf(b, "     %s%s\n", t.Text, timesSaid(t.Count))
		}
	}
	if u.More {
		b.WriteString("There are more; --groups N lists more of them, and slotway label makes examples of them.\n")
	}
}

// groupHead is the line above the texts of a group of messages.
func groupHead[R ~string](id string, size, sessions int, last time.Time, reasons map[R]int) string {
	var parts []string
	for _, r := range slices.Sorted(maps.Keys(reasons)) {
		parts = append(parts, fmt.Sprintf("%s %d", r, reasons[r]))
	}
	return fmt.Sprintf("%s  %s in %s, the last %s: %s\n", id, numbered(size, "message"), numbered(sessions, "session"), last.Format("2006-01-02 15:04"), strings.Join(parts, ", "))
}

// timesSaid says how often a text was said, if more than once.
func timesSaid(n int) string {
	if n < 2 {
		return ""
	}
	return fmt.Sprintf("  (%d times)", n)
}
