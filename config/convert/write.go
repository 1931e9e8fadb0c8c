package convert

import (
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/durable"
)

// The files that Write makes.
const (
	AgentFile = "agent.yaml"
	TestsFile = "tests/imported.yaml"
)

// Files returns the texts of the agent and of its tests, if there are any, by the names of their files.
func (b *Bot) Files() (map[string]string, error) {
	if len(b.Intents) == 0 {
		return nil, fmt.Errorf("nothing of the bot could become an intent, so there would be no agent: %s", b.why())
	}
	var agent strings.Builder
	agent.WriteString(wrap("Imported. Points marked TODO are for a person to decide; `slotway check` and `slotway test` show where it stands.") + "\n")
	for _, part := range b.doc() {
		text, err := doc{part}.text()
		if err != nil {
			return nil, err
		}
		if text != "" {
			agent.WriteString(text + "\n")
		}
	}
	files := map[string]string{AgentFile: agent.String()}
	for i, c := range b.Tests {
		text, err := c.doc().text()
		if err != nil {
			return nil, err
		}
		head := wrap("Imported conversations. Run them with `slotway test`.") + "\n"
		if i > 0 {
			head = files[TestsFile] + "---\n"
		}
		files[TestsFile] = head + text
	}
	for _, in := range b.Intents {
		if len(in.Answers) > 0 { // a line teaches values, not the intent
			var lines strings.Builder
			_ = config.WriteExamples(&lines, "", in.Answers) // texts and numbers can always be encoded
			files[in.answersFile()] = lines.String()
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
		file := filepath.Join(dir, name)
		if err := durable.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := durable.NewFile(file, func(w io.Writer) error { _, err := io.WriteString(w, text); return err }); err != nil {
			return err
		}
	}
	return nil
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

func (b *Bot) doc() doc {
	session := doc{{key: "idle_ttl", value: b.IdleTTL}}
	if b.CarryParams != nil {
		session = append(session, entry{key: "carry_params", value: whole{*b.CarryParams}})
	}
	return doc{
		{key: "version", value: 1},
		{key: "agent", value: doc{
			{key: "id", value: Snake(b.Name)}, {key: "description", value: OneLine(b.Description)}, {key: "language", value: b.Language}, {key: "timezone", value: b.Timezone},
		}},
		{key: "session", value: session},
		{key: "types", value: named(b.Types, func(t *Type) entry { return entry{key: t.Name, value: t.doc(), open: t.Open} })},
		{key: "params", value: named(b.Params, func(p *Param) entry { return entry{key: p.Name, value: p.doc(), open: p.Open} })},
		{key: "intents", value: list(b.Intents, func(in *Intent) listed { return listed{in.doc(), in.Open} })},
		{key: "not_served", value: list(b.NotServed, func(g *Group) listed {
			return listed{doc{{key: "name", value: g.Name}, {key: "examples", value: g.Examples}}, g.Open}
		})},
		{key: "system", value: named(b.System, func(s *Builtin) entry {
			return entry{key: s.ID, value: doc{{key: "examples", value: s.Examples}, {key: "plan", value: planOf(s.Plan)}}, open: s.Open}
		})},
		{
			key: "tools", note: "Each tool gives a fixed answer until somebody connects it: see docs/reference/agent.md, tools.",
			value: named(b.Tools, func(t *Tool) entry { return entry{key: t.Name, value: t.doc(), open: t.Open, note: t.Note} }),
		},
		{key: "responses", value: named(b.Responses, func(r *Response) entry { return entry{key: r.ID, value: wordings(r.Texts), open: r.Open} })},
		{key: "redaction", value: doc{{key: "params", value: names(b.Redact)}}},
	}
}

func (t *Type) doc() doc {
	values := list(t.Values, func(v Value) listed {
		if len(v.Synonyms) == 0 {
			return listed{value: v.Value}
		}
		return listed{value: doc{{key: "value", value: v.Value}, {key: "synonyms", value: v.Synonyms}}}
	})
	return doc{{key: "patterns", value: t.Patterns}, {key: "values", value: values}, {key: "fuzzy", value: t.Fuzzy}}
}

// asks are the keys of a question.
func asks(prompts []string) doc {
	if len(prompts) == 0 {
		return nil
	}
	return doc{{key: "prompt", value: prompts[0]}, {key: "reprompt", value: wordings(prompts[1:])}}
}

func (p *Param) doc() doc {
	out := doc{{key: "type", value: p.Type}, {key: "list", value: p.List}, {key: "label", value: p.Label}}
	if p.Session {
		out = append(out, entry{key: "scope", value: "session"})
	}
	out = append(out, asks(p.Prompts)...)
	if p.Keep {
		out = append(out, entry{key: "else", value: "keep"})
	}
	if p.Needed {
		out = append(out, entry{key: "skippable", value: whole{false}})
	}
	return append(out, entry{key: "default", value: whole{p.Default}})
}

func (in *Intent) doc() doc {
	out := doc{
		{key: "id", value: in.ID},
		{key: "title", value: in.Title},
		{key: "description", value: in.Description},
		{key: "answer_only", value: in.AnswerOnly},
		{key: "internal", value: in.Internal},
		{key: "after", value: names(in.After)},
	}
	if in.Unconfirmed {
		out = append(out, entry{key: "confirm_writes", value: whole{false}, note: "The source asks where it wants a yes, so no other one is needed here."})
	}
	out = append(out, entry{key: "examples", value: in.Examples})
	if len(in.Answers) > 0 {
		out = append(out, entry{key: "examples_from", value: names{in.answersFile()}})
	}
	return append(out, entry{key: "params", value: doc{{key: "required", value: in.params(in.Required)}, {key: "optional", value: in.params(in.Optional)}}}, entry{key: "plan", value: planOf(in.Plan)})
}

// params lists params; those with a question of their own as maps.
func (in *Intent) params(list []string) any {
	if !slices.ContainsFunc(list, func(name string) bool { return in.Own[name] != nil }) {
		return names(list)
	}
	var out []listed
	for _, name := range list {
		if own := in.Own[name]; own != nil {
			out = append(out, listed{value: append(doc{{key: "name", value: name}}, asks(own)...)})
		} else {
			out = append(out, listed{value: name})
		}
	}
	return out
}

func planOf(plan []*Step) []listed {
	return list(plan, func(s *Step) listed {
		with, save := "with", any(s.Save)
		if s.Set {
			with = "set"
		}
		if len(s.Saves) > 0 {
			save = args(s.Saves)
		}
		return listed{open: s.Open, value: doc{
			{key: "when", value: s.When},
			{key: "ask", value: s.Ask},
			{key: "confirm", value: s.Confirm},
			{key: "denied", value: s.Denied},
			{key: "respond", value: s.Respond},
			{key: "handoff", value: s.Handoff},
			{key: "call", value: s.Call},
			{key: "run", value: s.Run},
			{key: with, value: args(s.With)},
			{key: "save", value: save},
			{key: "then", value: planOf(s.Then)},
			{key: "else", value: planOf(s.Else)},
			{key: "end", value: s.End},
		}}
	})
}

func (t *Tool) doc() doc {
	effect, result := "read", t.Result
	if t.Write {
		effect = "write"
	}
	if result == nil {
		result = map[string]any{}
	}
	return doc{{key: "kind", value: "static"}, {key: "description", value: t.Description}, {key: "effect", value: effect}, {key: "result", value: whole{result}}}
}

func (c *Conversation) doc() doc {
	return doc{
		{key: "conversation", value: c.Name, open: c.Open},
		{key: "agent", value: "../" + AgentFile},
		{key: "turns", value: list(c.Turns, func(t Turn) listed {
			expect := doc{
				{key: "intent", value: t.Intent},
				{key: "asked", value: t.Asked},
				{key: "calls", value: names(t.Calls)},
				{key: "reply_matches", value: wordings(t.Matches)},
				{key: "params", value: args(t.Params)},
			}
			return listed{doc{{key: "user", value: t.User}, {key: "expect", value: expect}}, t.Open}
		})},
	}
}

// answersFile returns the name of the file with the answers to an intent's questions.
func (in *Intent) answersFile() string { return path.Join("examples", Snake(in.ID)+".jsonl") }
