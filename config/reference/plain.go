package reference

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	eastasian "golang.org/x/text/width"
)

// Page writes the reference for a terminal.
type Page struct {
	Library *Library
	Width   int // columns; text is wrapped to it
}

// mostHead is the widest example beside which its result stands, not below.
const mostHead = 36

// leastWidth is the width below which a text is not wrapped: words would stand alone.
const leastWidth = 30

// Areas writes the list of areas, with the top-level keys of each.
func (p *Page) Areas(out io.Writer) error {
	var b strings.Builder
	b.WriteString(p.wrap("slotway explain KEY explains one of these keys, and a KEY below it such as intents.plan.call.", "") + "\n")
	for _, a := range p.Library.Areas {
		fmt.Fprintf(&b, "\n%s\n", a.Title)
		if a.Name != "agent" {
			p.row(&b, a.Name, firstSentence(a.Intro), widest([]string{a.Name}))
			continue
		}
		p.rows(&b, topLevel(a))
	}
	return write(out, b.String())
}

// Area writes an area with its keys.
func (p *Page) Area(out io.Writer, a *Area) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", a.Name, a.Title)
	for paragraph := range strings.SplitSeq(a.Intro, "\n\n") {
		fmt.Fprintf(&b, "\n%s\n", p.wrap(paragraph, "  "))
	}
	b.WriteString("\nKeys\n")
	p.rows(&b, topLevel(a))
	return write(out, b.String())
}

// topLevel returns the entries of an area that are below none of its others.
func topLevel(a *Area) []*Entry {
	has := map[string]bool{}
	for _, e := range a.Entries {
		has[e.Key] = true
	}
	var out []*Entry
	for _, e := range a.Entries {
		if !has[parent(e.Key)] {
			out = append(out, e)
		}
	}
	return out
}

// Entry writes one entry, and the keys below it.
func (p *Page) Entry(out io.Writer, e *Entry) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n%s\n", e.Key, p.wrap(e.Meaning, "  "))
	for i, f := range p.facts(e) {
		if i == 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "%s\n", p.wrapAt(fmt.Sprintf("%-13s", f.Name), f.Text, 13))
	}
	for _, v := range e.Allowed {
		fmt.Fprintf(&b, "%s\n", p.wrapAt("  "+v.Value, v.Meaning, 13))
	}
	for i, g := range e.Gives {
		if i == 0 {
			b.WriteString("\nExamples\n")
		}
		fmt.Fprintf(&b, "%s\n", p.wrapAt("  "+g.Text, "→ "+g.Is, 2+min(widestText(e.Gives), mostHead)))
	}
	if e.Example != "" {
		fmt.Fprintf(&b, "\nExample\n%s\n", indent(e.Example, "  "))
	}
	p.below(&b, e)
	return write(out, b.String())
}

func (p *Page) below(b *strings.Builder, e *Entry) {
	if e.Same != "" {
		fmt.Fprintf(b, "\nKeys: those of %s\n", e.Same)
		return
	}
	own := map[string][]*Entry{} // by area: the built-in types stand below the agent's types
	from := map[string]bool{}
	for _, k := range p.Library.Below(e.Key) {
		if k.From == "" {
			own[k.Area] = append(own[k.Area], k)
		} else {
			from[parent(k.From)] = true
		}
	}
	for _, a := range p.Library.Areas {
		if len(own[a.Name]) == 0 {
			continue
		}
		title := "Keys"
		if a.Name != e.Area {
			title = a.Title
		}
		b.WriteString("\n" + title + "\n")
		p.rows(b, own[a.Name])
	}
	for _, a := range p.Library.Areas {
		for _, g := range topLevel(a) {
			if from[g.Key] {
				fmt.Fprintf(b, "  and those of %s\n", g.Key)
			}
		}
	}
}

// facts lists what stands beside a key, for people.
func (p *Page) facts(e *Entry) []Fact {
	out := []Fact{}
	add := func(name, text string) {
		if text != "" {
			out = append(out, Fact{Name: name, Text: text})
		}
	}
	add("Type", e.Type)
	if e.Required {
		add("Required", "yes")
	}
	add("Default", e.Default)
	add("Limits", e.Limits)
	out = append(out, e.Also...)
	add("As", e.From)
	add("See also", strings.Join(e.See, ", "))
	if len(e.Allowed) > 0 {
		out = append(out, Fact{Name: "Values"})
	}
	return out
}

// Tree writes every key below a key, "" for all of them, with the first sentence of its meaning.
func (p *Page) Tree(out io.Writer, key string) error {
	var b strings.Builder
	for _, e := range p.Library.ordered {
		if e.From != "" || key != "" && e.Key != key && !strings.HasPrefix(e.Key, key+".") {
			continue
		}
		b.WriteString(p.wrapAt(e.Key, e.Short(), 36) + "\n")
	}
	return write(out, b.String())
}

func (p *Page) rows(b *strings.Builder, entries []*Entry) {
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = e.Last()
	}
	for _, e := range entries {
		p.row(b, e.Last(), e.Short(), widest(names))
	}
}

func (p *Page) row(b *strings.Builder, name, text string, column int) {
	b.WriteString(p.wrapAt("  "+name, text, column+4) + "\n")
}

// wrapAt writes a head, and a text from a column on; the text starts on the next line if the head
// is too long.
func (p *Page) wrapAt(head, text string, column int) string {
	head = strings.TrimRight(head, " ")
	if text == "" {
		return head
	}
	if p.Width-column < leastWidth { // two columns do not fit side by side
		return head + "\n" + p.wrap(text, "      ")
	}
	margin := strings.Repeat(" ", column)
	body := p.wrap(text, margin)
	if n := utf8.RuneCountInString(head); n < column {
		return head + strings.Repeat(" ", column-n) + strings.TrimPrefix(body, margin)
	}
	return head + "\n" + body
}

// wrap breaks a text into lines of at most the width, each after a margin.
func (p *Page) wrap(text, margin string) string { return Wrap(text, margin, max(p.Width, leastWidth)) }

// Wrap breaks a text into lines of at most width columns of a terminal, each after a margin. A word that is
// longer stays whole.
func Wrap(text, margin string, width int) string {
	var b strings.Builder
	at := 0
	for word := range strings.FieldsSeq(text) {
		n := Columns(word)
		switch {
		case at == 0:
			b.WriteString(margin)
			at = Columns(margin)
		case at+1+n > width:
			b.WriteString("\n" + margin)
			at = Columns(margin)
		default:
			b.WriteByte(' ')
			at++
		}
		b.WriteString(word)
		at += n
	}
	return b.String()
}

// Columns is how many columns of a terminal a text takes.
func Columns(text string) int {
	n := 0
	for _, r := range text {
		n++
		if k := eastasian.LookupRune(r).Kind(); k == eastasian.EastAsianWide || k == eastasian.EastAsianFullwidth {
			n++
		}
	}
	return n
}

func indent(text, margin string) string {
	return margin + strings.ReplaceAll(text, "\n", "\n"+margin)
}

func widest(names []string) int {
	n := 0
	for _, name := range names {
		n = max(n, utf8.RuneCountInString(name))
	}
	return n
}

func widestText(list []Example) int {
	names := make([]string, len(list))
	for i, g := range list {
		names[i] = g.Text
	}
	return widest(names) + 2
}

func firstSentence(text string) string {
	text, _, _ = strings.Cut(text, "\n\n")
	return (&Entry{Meaning: text}).Short()
}

func write(out io.Writer, text string) error {
	if _, err := io.WriteString(out, text); err != nil {
		return fmt.Errorf("write the reference: %w", err)
	}
	return nil
}
