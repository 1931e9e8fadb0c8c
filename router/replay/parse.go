package replay

import (
	"fmt"
	"regexp"
	"slices"
	"time"

	"github.com/slotway/slotway/config/naming"
	"github.com/slotway/slotway/config/printable"
	"github.com/slotway/slotway/config/source"
	"github.com/slotway/slotway/planner"
	"github.com/slotway/slotway/router"
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

// The keys of a turn and of what is set before it.
var (
	turnKeys  = []string{"user", "handoff", "id", "after", "restart", "agent", "given", "expect"}
	givenKeys = []string{"intent", "params", "waiting_for_param", "confirming"}
	toolKeys  = []string{"tool"}

	unheardKeys = []string{"text", "told"}
)

func (p *parser) turn(node *source.Node, index int) Turn {
	p.problems = append(p.problems, node.UnknownKeys(turnKeys...)...)
	act := node.Get("handoff")
	switch {
	case node.Kind() != source.KindMap:
	case act != nil && (node.Has("user") || node.Has("given")):
		p.problems.Add(act, "a person acts here, and the user says nothing", "leave user and given out")
	case act == nil && !node.Has("user"):
		p.problems.Add(node, "user is missing", `write what is said, or user: "" for an empty message`)
	}
	person, said := p.handOver(act)
	return Turn{
		Line:    node.Pos().Line,
		User:    p.text(node, "user", said),
		Person:  person,
		ID:      p.text(node, "id", fmt.Sprintf("t%d", index+1)),
		After:   p.after(node.Get("after")),
		Restart: p.flag(node, "restart"),
		Agent:   p.text(node, "agent", ""),
		Preset:  p.given(node.Get("given")),
		Expect:  p.expect(node.Get("expect")),
	}
}

// handOver reads what a person does: one action, with the person's name, or what the person says.
func (p *parser) handOver(node *source.Node) (act *router.HandOver, said string) {
	if node == nil {
		return nil, ""
	}
	if node.Kind() != source.KindMap || len(node.Entries()) != 1 {
		p.problems.Add(node, "is not one action of a person", "write {take: Ann}, {answer: what Ann says} or {give_back: Ann}")
		return nil, ""
	}
	p.problems = append(p.problems, node.UnknownKeys(actionKeys()...)...)
	action := node.Entries()[0].Key
	value := p.text(node, action, "")
	if router.Action(action) == router.ActionAnswer {
		return &router.HandOver{Action: router.ActionAnswer}, value
	}
	return &router.HandOver{Action: router.Action(action), By: value}, ""
}

// actionKeys are the keys under handoff.
func actionKeys() []string {
	keys := make([]string, len(router.Actions))
	for i, a := range router.Actions {
		keys[i] = string(a)
	}
	return keys
}

func (p *parser) after(node *source.Node) time.Duration {
	if node.Kind() == source.KindNull {
		return 0
	}
	d, err := time.ParseDuration(node.Text())
	if err != nil || d < 0 {
		p.problems.Add(node, "is no span of time", "write it as 90s, 5m or 1h30m")
	}
	return max(d, 0)
}

func (p *parser) given(node *source.Node) *planner.Preset {
	if node.Kind() == source.KindNull {
		return nil
	}
	p.problems = append(p.problems, node.UnknownKeys(givenKeys...)...)
	g := &planner.Preset{
		Intent:  p.text(node, "intent", ""),
		Waiting: p.text(node, "waiting_for_param", ""),
	}
	switch params := node.Get("params"); params.Kind() {
	case source.KindNull:
	case source.KindMap:
		g.Params, _ = params.Value().(map[string]any)
		for _, e := range params.Entries() {
			if e.Value.Kind() == source.KindNull {
				p.problems.Add(e.Value, "a given param needs a value", "write one, or leave the param out")
			}
		}
	default:
		p.problems.Add(params, "is "+string(params.Kind())+", not a map", "write params: {order_id: O-12345}")
	}
	g.Confirming, g.ConfirmTool = p.confirming(node.Get("confirming"))
	return g
}

// confirming reads the pending confirmation: true, the write tool, or {tool: NAME}.
func (p *parser) confirming(node *source.Node) (pending bool, tool string) {
	switch node.Kind() {
	case source.KindNull:
		return false, ""
	case source.KindBool:
		b, _ := node.Bool()
		return b, ""
	case source.KindMap:
		p.problems = append(p.problems, node.UnknownKeys(toolKeys...)...)
		return true, p.text(node, "tool", "")
	case source.KindText:
		return true, node.Text()
	}
	p.problems.Add(node, "is "+string(node.Kind()), "write true or the name of the write tool")
	return false, ""
}

// forms lists the keys under expect with the kinds of their values.
var forms = []struct {
	key   string
	kinds []source.Kind
	hint  string
}{
	{"intent", nameKinds, "write an intent, or null for none"},
	{"asked", nameKinds, "write a param, or null for none"},
	{"waiting_for_param", nameKinds, "write a param, or null for none"},
	{"confirming", []source.Kind{source.KindText, source.KindBool, source.KindNull}, "write a write tool, true for any, or null for none"},
	{"params", []source.Kind{source.KindMap}, "write params: {order_id: O-12345}; null means that it is not known"},
	{"params_exact", []source.Kind{source.KindBool}, "write true or false"},
	{"calls", listKinds, "write calls: [find_orders], or [] for none"},
	{"reply", scalarKinds, "write the whole reply as text"},
	{"reply_contains", textsKinds, "write a text or a list of texts"},
	{"reply_matches", textsKinds, "write a regular expression or a list of them"},
	{"handoff", []source.Kind{source.KindBool}, "write true or false"},
	{"person", nameKinds, "write who has the conversation, or null for nobody"},
	{"error", nameKinds, "write an error code, or null for none"},
	{"options", listKinds, "write options: [Yes, No], or [] for none"},
	{"unheard", listKinds, "write unheard: [what was left over], or [] for nothing"},
	{"rule", nameKinds, "write the name of a rule, or null for none"},
	{"outcome", []source.Kind{source.KindText}, "write waiting or responded"},
	{"turn", []source.Kind{source.KindNum}, "write the number of the turn"},
	{"replayed", []source.Kind{source.KindBool}, "write true or false"},
}

var (
	nameKinds   = []source.Kind{source.KindText, source.KindNull}
	scalarKinds = []source.Kind{source.KindText, source.KindNum, source.KindBool}
	listKinds   = []source.Kind{source.KindList, source.KindNull}
	textsKinds  = []source.Kind{source.KindText, source.KindNum, source.KindBool, source.KindList}
)

func (p *parser) expect(node *source.Node) []Expectation {
	known := make([]string, len(forms))
	for i, f := range forms {
		known[i] = f.key
	}
	p.problems = append(p.problems, node.UnknownKeys(known...)...)
	exact := p.flag(node, "params_exact")
	if node.Has("params_exact") && !node.Has("params") {
		p.problems.Add(node.Get("params_exact"), "there are no params to compare exactly", "write params: {}")
	}
	var all []Expectation
	for _, e := range node.Entries() {
		if !p.fits(e) || e.Key == "params_exact" {
			continue
		}
		x := Expectation{Key: e.Key, node: e.Value, exact: exact && e.Key == "params"}
		if e.Key == "reply_matches" {
			x.patterns = p.patterns(e.Value)
		}
		all = append(all, x)
	}
	return all
}

// fits reports whether the kind of an expected value is right for its key.
func (p *parser) fits(e source.Entry) bool {
	for _, f := range forms {
		if f.key != e.Key {
			continue
		}
		for _, k := range f.kinds {
			if e.Value.Kind() == k {
				return p.listOfTexts(e, e.Key == "unheard")
			}
		}
		p.problems.Add(e.Value, "is "+string(e.Value.Kind()), f.hint)
	}
	return false
}

// listOfTexts checks the elements of a list. With told, an element may also be a map.
func (p *parser) listOfTexts(e source.Entry, told bool) bool {
	ok := true
	for _, item := range e.Value.Items() {
		if told && item.Kind() == source.KindMap {
			ok = p.unheard(item) && ok
			continue
		}
		switch item.Kind() {
		case source.KindList, source.KindMap, source.KindNull:
			p.problems.Add(item, "is "+string(item.Kind())+", not text", "write one text for each element")
			ok = false
		}
	}
	return ok
}

// unheard checks one map under unheard.
func (p *parser) unheard(item *source.Node) bool {
	problems := item.UnknownKeys(unheardKeys...)
	p.problems = append(p.problems, problems...)
	_, isFlag := item.Get("told").Bool()
	if !isFlag || item.Get("text").Kind() != source.KindText {
		p.problems.Add(item, "is not the text and whether it was told", "write {text: what was left over, told: true}, or the text alone")
		return false
	}
	return len(problems) == 0
}

func (p *parser) patterns(node *source.Node) []*regexp.Regexp {
	var all []*regexp.Regexp
	for _, n := range elements(node) {
		re, err := regexp.Compile(n.Text())
		if err != nil {
			p.problems.Add(n, "is no regular expression: "+err.Error(), `put a \ before . ? * + ( ) [ ] that are meant as they stand`)
			continue
		}
		all = append(all, re)
	}
	return all
}

// elements returns the elements of a list, or the single value.
func elements(node *source.Node) []*source.Node {
	if node.Kind() == source.KindList {
		return node.Items()
	}
	return []*source.Node{node}
}
