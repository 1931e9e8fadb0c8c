package replay

import (
	"fmt"
	"slices"
	"time"

	"github.com/slotway/slotway/config/naming"
	"github.com/slotway/slotway/config/printable"
	"github.com/slotway/slotway/config/source"
	"github.com/slotway/slotway/tools"
)

// The keys of a conversation and of one scripted answer of a tool.
var (
	conversationKeys = []string{"conversation", "agent", "tools", "store", "session", "user", "start", "telemetry", "turns"}
	outcomeKeys      = []string{"result", "error"}
	stores           = []string{StoreInMemory, StoreSQLite}
)

// Parse reads the conversations of a replay file. name is the file's path. The error is
// source.Problems with all problems, each with its line and a remedy; Parse then returns no
// conversations.
func Parse(name string, data []byte) ([]Conversation, error) {
	docs, problems := source.ParseAll(name, data)
	p := &parser{problems: problems}
	var all []Conversation
	for _, doc := range docs {
		if doc.Kind() != source.KindNull {
			all = append(all, p.conversation(name, doc))
		}
	}
	if len(all) == 0 && p.problems == nil {
		p.problems = append(p.problems, source.Problem{
			Pos:     source.Position{File: name, Line: 1, Column: 1},
			Message: "there is no conversation", Hint: "write conversation: NAME and turns:",
		})
	}
	if err := p.problems.Err(); err != nil {
		return nil, err
	}
	return all, nil
}

// parser collects the problems of a file.
type parser struct{ problems source.Problems }

func (p *parser) conversation(file string, doc *source.Node) Conversation {
	p.problems = append(p.problems, doc.UnknownKeys(conversationKeys...)...)
	c := Conversation{
		File: file, Line: doc.Pos().Line,
		Name:      p.text(doc, "conversation", ""),
		Agent:     p.text(doc, "agent", ""),
		Store:     p.word(doc, "store", StoreInMemory, stores),
		Session:   p.id(doc, "session"),
		User:      p.id(doc, "user"),
		Telemetry: p.text(doc, "telemetry", ""),
		Tools:     p.tools(doc.Get("tools")),
		Start:     p.start(doc.Get("start")),
	}
	if c.Name == "" && doc.Kind() == source.KindMap {
		p.problems.Add(doc, "conversation is missing", "say in a few words what it shows")
	}
	turns := doc.Get("turns")
	if doc.Kind() == source.KindMap && len(turns.Items()) == 0 {
		p.problems.Add(orElse(turns, doc), "turns must be a list of at least one", "write turns: and below it - user: what is said")
	}
	for i, node := range turns.Items() {
		turn := p.turn(node, i)
		if turn.Restart && c.Store == StoreInMemory {
			p.problems.Add(node.Get("restart"), "nothing survives a restart in memory", "write store: sqlite")
		}
		if turn.Agent != "" && !turn.Restart {
			p.problems.Add(node.Get("agent"), "an agent changes only with a restart", "write restart: true too")
		}
		c.Turns = append(c.Turns, turn)
	}
	return c
}

// orElse returns the first node that exists.
func orElse(n, other *source.Node) *source.Node {
	if n != nil {
		return n
	}
	return other
}

// tools reads the results of scripted tools.
func (p *parser) tools(node *source.Node) map[string][]tools.Outcome {
	if node.Kind() == source.KindNull {
		return nil
	}
	if node.Kind() != source.KindMap {
		p.problems.Add(node, "is "+string(node.Kind())+", not a map", "write TOOL: and below it its answers, such as - result: {status: shipped}")
		return nil
	}
	scripts := map[string][]tools.Outcome{}
	for _, e := range node.Entries() {
		if e.Value.Kind() != source.KindList {
			p.problems.Add(e.Value, "the answers of a tool are a list", "write - result: ... or - error: CODE, one for each call")
			continue
		}
		scripts[e.Key] = []tools.Outcome{}
		for _, item := range e.Value.Items() {
			scripts[e.Key] = append(scripts[e.Key], p.outcome(item))
		}
	}
	return scripts
}

func (p *parser) outcome(node *source.Node) tools.Outcome {
	p.problems = append(p.problems, node.UnknownKeys(outcomeKeys...)...)
	if node.Has("result") == node.Has("error") {
		p.problems.Add(node, "an answer has a result or an error", "write result: ... or error: CODE")
		return tools.Outcome{}
	}
	if node.Has("result") {
		return tools.Outcome{Result: node.Get("result").Value()}
	}
	var words []string
	for _, code := range tools.Codes {
		words = append(words, string(code))
	}
	return tools.Outcome{Err: tools.Code(p.word(node, "error", "", words))}
}

func (p *parser) start(node *source.Node) time.Time {
	if node.Kind() == source.KindNull {
		return defaultStart
	}
	at, err := time.Parse(time.RFC3339, node.Text())
	if err != nil {
		p.problems.Add(node, "is no point in time", "write it as 2026-01-05T09:00:00Z")
	}
	return at
}

// id reads a session or user id.
func (p *parser) id(doc *source.Node, key string) string {
	id := p.text(doc, key, defaultID)
	if err := printable.CheckID(id); doc.Has(key) && err != nil {
		p.problems.Add(doc.Get(key), "is no id", err.Error())
	}
	return id
}

// text reads a scalar as it is written, or the default without the key.
func (p *parser) text(node *source.Node, key, otherwise string) string {
	value := node.Get(key)
	switch value.Kind() {
	case source.KindNull:
		return otherwise
	case source.KindList, source.KindMap:
		p.problems.Add(value, "is "+string(value.Kind())+", not text", "write text, in quotes if it holds { } [ ] or :")
		return otherwise
	}
	return value.Text()
}

// word reads one of a few words.
func (p *parser) word(node *source.Node, key, otherwise string, allowed []string) string {
	word := p.text(node, key, otherwise)
	if slices.Contains(allowed, word) {
		return word
	}
	if node.Has(key) {
		p.problems.Add(node.Get(key), fmt.Sprintf("%q is not known", word), "write "+naming.JoinOr(allowed))
	}
	return otherwise
}

// flag reads true or false.
func (p *parser) flag(node *source.Node, key string) bool {
	value := node.Get(key)
	b, ok := value.Bool()
	if !ok && value.Kind() != source.KindNull {
		p.problems.Add(value, "is "+string(value.Kind()), "write true or false")
	}
	return b
}
