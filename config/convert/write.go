package convert

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/durable"
	"github.com/slotway/slotway/config/edit"
)

// The files that Write makes.
const (
	AgentFile = "agent.yaml"
	TestsFile = "tests/imported.yaml"
)

// Files returns the texts of the agent and of its tests, if there are any, by the names of their files.
func (b *Bot) Files() (map[string]string, error) {
	agent, err := b.agent()
	if err != nil {
		return nil, err
	}
	files := map[string]string{AgentFile: agent}
	if len(b.Tests) > 0 {
		if files[TestsFile], err = b.tests(); err != nil {
			return nil, err
		}
	}
	for _, in := range b.Intents {
		if text := in.answers(); text != "" {
			files[in.answersFile()] = text
		}
	}
	return files, nil
}

// Write writes the files into a folder. One that is there already is an error, and then nothing is
// written.
func (b *Bot) Write(dir string) error {
	files, err := b.Files()
	if err != nil {
		return err
	}
	for name := range files {
		if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
			return fmt.Errorf("%s is there already: name another folder with --output", filepath.Join(dir, name))
		}
	}
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := durable.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := durable.NewFile(path, func(w io.Writer) error { _, err := io.WriteString(w, text); return err }); err != nil {
			return err
		}
	}
	return nil
}

// agent returns the text of agent.yaml.
func (b *Bot) agent() (string, error) {
	if len(b.Intents) == 0 {
		return "", fmt.Errorf("nothing of the bot could become an intent, so there would be no agent: %s", b.why())
	}
	y := &yamlFile{}
	y.comment("Imported. Points marked TODO are for a person to decide; `slotway check` and `slotway test` show where it stands.")
	y.line("version: 1")
	y.gap()
	y.under("agent", func() {
		y.text("id", Snake(b.Name))
		y.text("description", b.Description)
		y.text("language", b.Language)
		y.text("timezone", b.Timezone)
	})
	if b.IdleTTL != "" || b.CarryParams != nil {
		y.gap()
		y.under("session", func() {
			y.text("idle_ttl", b.IdleTTL)
			if b.CarryParams != nil {
				y.line(fmt.Sprintf("carry_params: %t", *b.CarryParams))
			}
		})
	}
	if b.Digression != "" {
		y.gap()
		y.under("policy", func() { y.text("digression", b.Digression) })
	}
	if b.Fallback != "" {
		y.gap()
		y.under("classifier", func() { y.text("fallback", b.Fallback) })
	}
	for _, part := range []func(*yamlFile) error{b.types, b.params, b.intents, b.notServed, b.system, b.tools, b.responses, b.redaction} {
		if err := part(y); err != nil {
			return "", err
		}
	}
	return y.b.String(), nil
}

// why returns what may have kept the intents away.
func (b *Bot) why() string {
	for _, outcome := range []Outcome{Unread, Lost, Left} {
		for _, note := range b.Report.Of(outcome) {
			return note.At.String() + ": " + note.Text
		}
	}
	return "give it examples with their intents, and rules, stories or flows"
}

func (b *Bot) types(y *yamlFile) error {
	if len(b.Types) == 0 {
		return nil
	}
	y.gap()
	y.under("types", func() {
		for _, t := range b.Types {
			y.todo(t.Open)
			y.under(t.Name, func() { t.write(y) })
		}
	})
	return nil
}

func (t *Type) write(y *yamlFile) {
	if len(t.Patterns) > 0 {
		y.under("patterns", func() {
			for _, p := range t.Patterns {
				y.line("- '" + strings.ReplaceAll(p, "'", "''") + "'")
			}
		})
	}
	if len(t.Values) > 0 {
		y.under("values", func() {
			for _, v := range t.Values {
				if len(v.Synonyms) == 0 {
					y.line("- " + edit.Scalar(v.Value))
					continue
				}
				y.depth--
				y.item(func() {
					y.text("value", v.Value)
					y.under("synonyms", func() { y.list(v.Synonyms) })
				})
				y.depth++
			}
		})
	}
	if t.Fuzzy > 0 {
		y.line(fmt.Sprintf("fuzzy: %d", t.Fuzzy))
	}
}

func (b *Bot) params(y *yamlFile) (err error) {
	if len(b.Params) == 0 {
		return nil
	}
	y.gap()
	y.under("params", func() {
		for _, p := range b.Params {
			y.todo(p.Open)
			y.under(p.Name, func() { err = firstOf(err, p.write(y)) })
		}
	})
	return err
}

// firstOf returns the first error of two.
func firstOf(a, b error) error {
	if a != nil {
		return a
	}
	return b
}

func (p *Param) write(y *yamlFile) error {
	y.text("type", p.Type)
	y.flag("list", p.List)
	y.text("label", p.Label)
	if p.Session {
		y.text("scope", "session")
	}
	if len(p.Prompts) > 0 {
		y.text("prompt", p.Prompts[0])
		y.texts("reprompt", p.Prompts[1:])
	}
	if p.Keep {
		y.text("else", "keep")
	}
	if p.Min != nil || p.Max != nil || p.Pattern != "" || p.Expr != "" {
		y.under("validation", func() {
			y.text("expr", p.Expr)
			if p.Pattern != "" {
				y.line("pattern: '" + strings.ReplaceAll(p.Pattern, "'", "''") + "'")
			}
			if p.Min != nil {
				y.line(fmt.Sprintf("min: %v", *p.Min))
			}
			if p.Max != nil {
				y.line(fmt.Sprintf("max: %v", *p.Max))
			}
			y.text("invalid", p.Invalid)
		})
	}
	if p.Default != nil {
		return y.value("default", p.Default)
	}
	return nil
}

func (b *Bot) intents(y *yamlFile) (err error) {
	y.gap()
	y.elements("intents", len(b.Intents), func(i int) ([]Open, func()) {
		if i > 0 {
			y.gap()
		}
		return b.Intents[i].Open, func() { err = firstOf(err, b.Intents[i].write(y)) }
	})
	return err
}

func (in *Intent) write(y *yamlFile) (err error) {
	y.text("id", in.ID)
	y.text("title", in.Title)
	y.text("description", in.Description)
	y.flag("answer_only", in.AnswerOnly)
	y.flag("internal", in.Internal)
	if in.Unconfirmed {
		y.comment("The source calls its tools without a question, so no yes is needed here either.")
		y.line("confirm_writes: false")
	}
	if len(in.Examples) > 0 {
		y.under("examples", func() { err = writeExamples(y, in.Examples) })
	}
	if len(in.Answers) > 0 {
		y.names("examples_from", []string{in.answersFile()})
	}
	if len(in.Required)+len(in.Optional) > 0 {
		y.under("params", func() {
			in.params(y, "required", in.Required)
			in.params(y, "optional", in.Optional)
		})
	}
	return firstOf(err, writePlan(y, "plan", in.Plan))
}

func writeExamples(y *yamlFile, list []config.Example) error {
	for _, e := range list {
		text, err := edit.Marked(e)
		if err != nil {
			return fmt.Errorf("example %q: %w", e.Text, err)
		}
		y.line("- " + edit.Scalar(text))
	}
	return nil
}

func (b *Bot) notServed(y *yamlFile) error {
	if len(b.NotServed) == 0 {
		return nil
	}
	y.gap()
	y.elements("not_served", len(b.NotServed), func(i int) ([]Open, func()) {
		g := b.NotServed[i]
		return g.Open, func() {
			y.text("name", g.Name)
			y.under("examples", func() { y.list(g.Examples) })
		}
	})
	return nil
}

func (b *Bot) system(y *yamlFile) (err error) {
	if len(b.System) == 0 {
		return nil
	}
	y.gap()
	y.under("system", func() {
		for _, s := range b.System {
			y.todo(s.Open)
			y.under(s.ID, func() {
				if len(s.Examples) > 0 {
					y.under("examples", func() { err = firstOf(err, writeExamples(y, s.Examples)) })
				}
				err = firstOf(err, writePlan(y, "plan", s.Plan))
			})
		}
	})
	return err
}

func (b *Bot) tools(y *yamlFile) (err error) {
	if len(b.Tools) == 0 {
		return nil
	}
	y.gap()
	y.comment("Each tool gives a fixed answer until somebody connects it: see docs/reference/agent.md, tools.")
	y.under("tools", func() {
		for _, t := range b.Tools {
			if t.Note != "" {
				y.comment(t.Note)
			}
			y.todo(t.Open)
			y.under(t.Name, func() {
				y.text("kind", "static")
				y.text("description", t.Description)
				effect := "read"
				if t.Write {
					effect = "write"
				}
				y.text("effect", effect)
				result := t.Result
				if result == nil {
					result = map[string]any{}
				}
				err = firstOf(err, y.value("result", result))
			})
		}
	})
	return err
}

func (b *Bot) responses(y *yamlFile) error {
	if len(b.Responses) == 0 {
		return nil
	}
	y.gap()
	y.under("responses", func() {
		for _, r := range b.Responses {
			y.todo(r.Open)
			y.texts(r.ID, r.Texts)
		}
	})
	return nil
}

func (b *Bot) redaction(y *yamlFile) error {
	if len(b.Redact) == 0 {
		return nil
	}
	y.gap()
	y.under("redaction", func() { y.names("params", b.Redact) })
	return nil
}
