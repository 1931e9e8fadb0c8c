package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/naming"
	"github.com/slotway/slotway/config/settings"
	"github.com/slotway/slotway/config/source"
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

// lineReader is a screen on which a person is asked.
type lineReader interface {
	io.Writer
	ReadLine() (string, error)
}

// completed returns a line whose last word is completed as far as the words agree.
func completed(line string, words []string) string {
	head, last := "", line
	if i := strings.LastIndexByte(line, ' '); i >= 0 {
		head, last = line[:i+1], line[i+1:]
	}
	fits := beginning(words, last)
	if last == "" || len(fits) == 0 {
		return line
	}
	return head + common(fits)
}

// labeller asks a person for the intents of groups.
type labeller struct {
	agentFile string
	agent     *config.Agent
	reader    *review.Reader
	screen    lineReader
	ids       []string // of the intents
	added     int
}

const labelHelp = `  1-5      the intent of that number
  NAME     an intent by its name; Tab completes it
  n NAME   a group of requests that are not served, such as n exchange_rates
  x a,c    leave these texts out of the group
  s        skip the group
  q        leave
`

// all asks about every group until the person leaves.
func (l *labeller) all(groups []review.Alike) error {
	for _, in := range slices.Concat(l.agent.Intents, l.agent.NotServed) {
		l.ids = append(l.ids, in.ID)
	}
	for i := range groups {
		fmt.Fprintf(l.screen, "\nGroup %d of %d\n", i+1, len(groups))
		err := l.group(&groups[i])
		if errors.Is(err, errQuit) || errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
	}
	fmt.Fprintf(l.screen, "%d examples added to %s\n", l.added, l.agentFile)
	return nil
}

// group asks about one group until it has an intent or is skipped.
func (l *labeller) group(g *review.Alike) error {
	texts := g.Texts[:min(len(g.Texts), review.MostTexts)]
	fmt.Fprint(l.screen, describeGroup(g))
	for i, c := range g.Candidates {
		fmt.Fprintf(l.screen, "  %d  %s%s\n", i+1, c.Intent, candidateNote(c))
	}
	for {
		fmt.Fprintln(l.screen, "Which intent? (number, name, n not served, s skip, q quit, ? help)")
		line, err := l.screen.ReadLine()
		if err != nil && !errors.Is(err, term.ErrPasteIndicator) {
			return err
		}
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch strings.ToLower(word) {
		case "":
		case "s", "skip":
			return nil
		case "q", "quit":
			return errQuit
		case "?", "help":
			fmt.Fprint(l.screen, labelHelp)
		case "x":
			texts = l.leaveOut(texts, rest)
		default:
			if done := l.label(g, texts, word, strings.TrimSpace(rest)); done {
				return nil
			}
		}
	}
}

func candidateNote(c review.Candidate) string {
	switch {
	case c.WentOn == 1:
		return "  (the conversation went on with it)"
	case c.WentOn > 1:
		return fmt.Sprintf("  (%d conversations went on with it)", c.WentOn)
	}
	return fmt.Sprintf("  (confidence %.2f)", c.Confidence)
}

// leaveOut takes texts out of a group by their letters.
func (l *labeller) leaveOut(texts []review.Said, letters string) []review.Said {
	out := slices.Clone(texts)
	for _, letter := range strings.FieldsFunc(letters, func(r rune) bool { return r == ',' || r == ' ' }) {
		i := int(letter[0]) - 'a'
		if len(letter) != 1 || i < 0 || i >= len(texts) {
			fmt.Fprintf(l.screen, "There is no text %s here.\n", letter)
			return texts
		}
		out = slices.DeleteFunc(out, func(s review.Said) bool { return s.Text == texts[i].Text })
	}
	if len(out) == 0 {
		fmt.Fprintln(l.screen, "No text would be left: s skips the group.")
		return texts
	}
	for i, t := range out {
		fmt.Fprintf(l.screen, "  %c  %s\n", 'a'+i, t.Text)
	}
	return out
}

// label adds the texts to the intent that a person named. It reports whether the group is done.
func (l *labeller) label(g *review.Alike, texts []review.Said, word, rest string) bool {
	intent, problem := l.intentOf(g, word, rest)
	if problem != "" {
		fmt.Fprintln(l.screen, problem)
		return false
	}
	var chosen []string
	for _, t := range texts {
		chosen = append(chosen, t.Text)
	}
	done, err := l.reader.Label(l.agentFile, g, chosen, intent)
	if errors.Is(err, review.ErrNothing) {
		fmt.Fprintf(l.screen, "%v\n", err)
		return true
	}
	if err != nil {
		fmt.Fprintf(l.screen, "%v\n", err)
		return false
	}
	l.added += len(done.Added)
	printLabelled(l.screen, done)
	return true
}

// intentOf returns the intent that an answer names, or what is wrong with the answer.
func (l *labeller) intentOf(g *review.Alike, word, rest string) (intent, problem string) {
	if n, err := strconv.Atoi(word); err == nil {
		if n < 1 || n > len(g.Candidates) {
			return "", fmt.Sprintf("There is no intent of number %d: 1 to %d, or a name.", n, len(g.Candidates))
		}
		return g.Candidates[n-1].Intent, ""
	}
	if word == "n" {
		if rest == "" || !naming.IsName(rest) {
			return "", "Name the group: n exchange_rates."
		}
		return "not_served." + rest, ""
	}
	var fits []string
	for _, id := range l.ids {
		if id == word {
			return id, ""
		}
		if strings.HasPrefix(id, word) {
			fits = append(fits, id)
		}
	}
	if len(fits) == 1 {
		return fits[0], ""
	}
	if len(fits) > 1 {
		return "", "Which one: " + naming.JoinOr(fits) + "?"
	}
	return "", fmt.Sprintf("There is no intent %q: %s.", word, cmp.Or(naming.Suggest(word, l.ids), "? lists what can be answered"))
}

// openInput opens a file, or the command's input for "-".
func openInput(cmd *cobra.Command, path string) (in io.Reader, done func(), err error) {
	if path == "-" {
		return cmd.InOrStdin(), func() {}, nil
	}
	f, err := source.OpenFile(path)
	if err != nil {
		return nil, nil, err
	}
	return f, func() { _ = f.Close() }, nil
}
