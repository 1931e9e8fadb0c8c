package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/term"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/naming"
	"github.com/slotway/slotway/config/source"
	"github.com/slotway/slotway/router/review"

	"github.com/spf13/cobra"
)

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
