package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/settings"
	"github.com/slotway/slotway/internal/build"
	"github.com/slotway/slotway/router/review"
)

// labelFlags are the flags of label.
type labelFlags struct {
	*flags
	user     string
	sessions []string
	limit    int
	recent   int
	json     bool
	apply    string
}

// newLabel makes examples of what users said and the agent did not understand.
func newLabel(f *flags) *cobra.Command {
	l := &labelFlags{flags: f}
	cmd := &cobra.Command{
		Use:   "label",
		Short: "Make examples of stored messages that were not understood",
		Long: `Read the stored sessions for messages that the agent can learn from: not understood, understood
with little confidence, only after "A or B?", corrected by the next message, or undone. Alike
messages are one group; the largest groups come first. On a terminal label asks for the intent
of each group and writes its messages as examples into a file beside the agent's, which then
names it under examples_from. What is an example already, or is understood by now, is not
offered.

Values of params are shown as marks, such as {order_id}, and are marked in an example; in place
of a value that the agent redacts stands the example of its type.

--json lists the groups, one JSON object a line. --apply FILE ("-" is stdin) labels without
asking: a line {"group": "1a2b3c4d", "intent": "cancel_order"} each, with "texts": [...] to
take only some of its texts. An intent not_served.NAME is a group of requests that get a text
and no action; a new NAME makes a new one.`,
		Example: `  slotway label --agent agent.yaml
  slotway label --agent agent.yaml --json | head -3
  echo '{"group": "1a2b3c4d", "intent": "cancel_order"}' | slotway label --agent agent.yaml --apply -`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return l.run(cmd) },
	}
	fl := cmd.Flags()
	addID(fl, &l.user, "user", "", "user whose sessions are read (default: all users)")
	fl.StringArrayVar(&l.sessions, "session", nil, "session to read; may be repeated (default: all)")
	fl.IntVar(&l.limit, "limit", 20, "maximum number of groups")
	fl.IntVar(&l.recent, "recent", 500, "maximum number of sessions that are read, the latest first")
	fl.BoolVar(&l.json, "json", false, "list the groups, one JSON object a line")
	fl.StringVar(&l.apply, "apply", "", "file of decisions, one JSON object a line")
	return cmd
}

func (l *labelFlags) run(cmd *cobra.Command) error {
	if l.limit < 1 || l.recent < 1 {
		return usagef("--limit and --recent take 1 or more")
	}
	if l.agent == "" && !l.json {
		return usagef("label writes examples beside the agent's file: name it with --agent FILE, or list the groups with --json")
	}
	s, err := l.settings()
	if err != nil {
		return err
	}
	agent, err := l.loadAgent()
	if err != nil {
		return err
	}
	reader, groups, err := l.groups(cmd, s, agent)
	if err != nil {
		return err
	}
	switch {
	case l.apply != "":
		return l.applyFile(cmd, reader, groups)
	case l.json:
		return printGroups(cmd.OutOrStdout(), groups[:min(l.limit, len(groups))])
	case len(groups) == 0:
		fmt.Fprintln(cmd.OutOrStdout(), "nothing to label: every stored message was understood, or is an example")
		return nil
	}
	shown := groups[:min(l.limit, len(groups))]
	if in, out := screenOf(cmd.InOrStdin()), screenOf(cmd.OutOrStdout()); in != nil && out != nil {
		return onTerminal(in, out, func(screen *term.Terminal, _ func() int) error {
			asks := &labeller{agentFile: l.agent, agent: agent, reader: reader, screen: screen}
			onTab(screen, func(line string) string { return completed(line, asks.ids) })
			return asks.all(shown)
		})
	}
	return l.list(cmd, shown)
}

// groups collects what can be labelled.
func (l *labelFlags) groups(cmd *cobra.Command, s *settings.Settings, agent *config.Agent) (*review.Reader, []review.Alike, error) {
	store, err := openStore(cmd.Context(), s)
	if err != nil {
		return nil, nil, err
	}
	reader, found, err := l.collect(cmd, s, agent, store)
	if err = errors.Join(err, store.Close()); err != nil {
		return nil, nil, err
	}
	if found.Damaged > 0 || found.More {
		fmt.Fprintf(cmd.ErrOrStderr(), "slotway: %s\n", foundNote(found))
	}
	table, err := build.WordVectors()
	if err != nil {
		return nil, nil, fmt.Errorf("open the word vectors: %w", err)
	}
	return reader, review.Group(found.Items, table), nil
}

func foundNote(found *review.Found) string {
	var notes []string
	if found.Damaged > 0 {
		notes = append(notes, fmt.Sprintf("%d sessions are damaged and left out; see slotway db check", found.Damaged))
	}
	if found.More {
		notes = append(notes, fmt.Sprintf("only the latest %d sessions are read; --recent N reads more", found.Sessions))
	}
	return strings.Join(notes, "; ")
}

func (l *labelFlags) collect(cmd *cobra.Command, s *settings.Settings, agent *config.Agent, store review.Store) (*review.Reader, *review.Found, error) {
	understand, err := build.Classifier(agent, s, nil, build.ModelsIn(build.DataDir(s), cmd.ErrOrStderr()))
	if err != nil {
		return nil, nil, err
	}
	reader := review.NewReader(agent, understand)
	step, finish := stepBar[int](cmd, "sessions")
	defer finish()
	found, err := review.Collect(cmd.Context(), store, review.Query{AgentID: agent.ID, UserID: l.user, Sessions: l.sessions, Most: l.recent}, reader, step)
	return reader, found, err
}

// groupLine is one line of `label --json`.
type groupLine struct {
	Group      string                `json:"group"`
	Size       int                   `json:"size"` // messages
	Sessions   int                   `json:"sessions"`
	Last       time.Time             `json:"last"`
	Reasons    map[review.Reason]int `json:"reasons"`
	Texts      []textLine            `json:"texts"`
	Candidates []review.Candidate    `json:"candidates"`
}

type textLine struct {
	Text  string `json:"text"`
	Count int    `json:"count"`
}

func asGroupLine(g *review.Alike) groupLine {
	line := groupLine{Group: g.ID, Size: g.Size, Sessions: g.Sessions, Last: g.Last, Reasons: g.Reasons, Texts: []textLine{}, Candidates: g.Candidates}
	for _, t := range g.Texts {
		line.Texts = append(line.Texts, textLine{t.Text, t.Count})
	}
	return line
}

func printGroups(out io.Writer, groups []review.Alike) error {
	lines := make([]groupLine, len(groups))
	for i := range groups {
		lines[i] = asGroupLine(&groups[i])
	}
	return encodeLines(out, lines)
}

// list prints the groups for people, where nobody can be asked.
func (l *labelFlags) list(cmd *cobra.Command, groups []review.Alike) error {
	out := cmd.OutOrStdout()
	for i := range groups {
		fmt.Fprint(out, describeGroup(&groups[i]))
	}
	_, err := fmt.Fprintln(out, "Label them on a terminal, or with --apply FILE.")
	return err
}

// describeGroup returns the lines that show a group.
func describeGroup(g *review.Alike) string {
	var b strings.Builder
	b.WriteString(groupHead(g.ID, g.Size, g.Sessions, g.Last, g.Reasons))
	for i, t := range g.Texts {
		if i == review.MostTexts {
			fmt.Fprintf(&b, "     and %d more\n", len(g.Texts)-i)
			break
		}
		fmt.Fprintf(&b, "  %c  %s%s\n", 'a'+i, t.Text, timesSaid(t.Count))
	}
	return b.String()
}

// decision is one line of --apply.
type decision struct {
	Group  string   `json:"group"`
	Intent string   `json:"intent"`
	Texts  []string `json:"texts"` // of the group; none: the first five
}

func (l *labelFlags) applyFile(cmd *cobra.Command, reader *review.Reader, groups []review.Alike) error {
	in, close, err := openInput(cmd, l.apply)
	if err != nil {
		return err
	}
	defer close()
	decode := json.NewDecoder(in)
	decode.DisallowUnknownFields()
	for number := 1; ; number++ {
		var d decision
		err := decode.Decode(&d)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf(`decision %d of %s: %w; write {"group": "1a2b3c4d", "intent": "cancel_order"}`, number, l.apply, err)
		}
		if err := l.applyOne(cmd.OutOrStdout(), reader, groups, d); err != nil {
			return fmt.Errorf("decision %d of %s: %w", number, l.apply, err)
		}
	}
}

func (l *labelFlags) applyOne(out io.Writer, reader *review.Reader, groups []review.Alike, d decision) error {
	i := slices.IndexFunc(groups, func(g review.Alike) bool { return g.ID == d.Group })
	if i < 0 {
		return fmt.Errorf("there is no group %q; slotway label --json lists them", d.Group)
	}
	if d.Intent == "" {
		return fmt.Errorf("the group %s has no intent", d.Group)
	}
	done, err := reader.Label(l.agent, &groups[i], d.Texts, d.Intent)
	if errors.Is(err, review.ErrNothing) {
		fmt.Fprintf(out, "%s: %v\n", d.Group, err)
		return nil
	}
	if err != nil {
		return err
	}
	printLabelled(out, done)
	return nil
}

func printLabelled(out io.Writer, done *review.Labelled) {
	for _, text := range done.Added {
		fmt.Fprintf(out, "%s: %s: %s\n", done.File, done.Intent, text)
	}
	for _, w := range done.Warnings {
		fmt.Fprintln(out, w)
	}
}
