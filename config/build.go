package config

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/slotway/slotway/config/expr"
	"github.com/slotway/slotway/config/naming"
	"github.com/slotway/slotway/config/phrase"
	"github.com/slotway/slotway/config/source"
)

// builder turns the nodes of a file into an Agent. The schema has already reported wrong kinds and
// unknown keys, so the builder ignores these and reports what a schema cannot know.
type builder struct {
	agent    *Agent
	problems source.Problems
	root     *source.Node

	// Where things were declared, for checks over the whole agent.
	params    map[*Param]*source.Node
	steps     map[*Step]*source.Node
	intents   map[*Intent]*source.Node
	replaced  map[string]*source.Node // by id of a built-in response: the node that replaces it
	spoken    map[string]bool         // ids of built-in responses that are in the agent's language
	external  []byte                  // content of further files, for the hash
	openAPI   map[string]any          // by file; nil: unusable
	usedTypes map[string]bool
	objectsAt map[*source.Node]*Param // lists of objects, by their fields
	texts     []*phrase.Text          // all texts, to bind them to the params' types and the language
	read      map[string]bool         // names that conditions, arguments and texts read
}

func newBuilder(agent *Agent, root *source.Node) *builder {
	return &builder{
		agent: agent, root: root,
		params: map[*Param]*source.Node{}, steps: map[*Step]*source.Node{}, intents: map[*Intent]*source.Node{},
		replaced: map[string]*source.Node{}, spoken: map[string]bool{}, openAPI: map[string]any{}, usedTypes: map[string]bool{}, objectsAt: map[*source.Node]*Param{}, read: map[string]bool{},
	}
}

// build fills in the agent. The order matters: declarations come before references to them.
func (b *builder) build() {
	for _, section := range []string{"types", "params"} {
		b.checkKeys(b.root.Get(section), naming.IsName)
	}
	for _, section := range []string{"databases", "tools", "mcp_servers", "responses"} {
		b.checkKeys(b.root.Get(section), idForm.MatchString)
	}
	b.header()
	b.translate()
	b.agent.Policy = b.policy(b.root, defaultPolicy())
	b.types()
	b.sharedParams()
	b.databases()
	b.mcpServers()
	b.tools()
	b.readResponses(b.root.Get("responses"), b.agent.Responses)
	b.readIntents()
	b.replaceBuiltIn()
	b.commandValues()
	b.redaction()
	b.keepUsedTypes()
	b.facts()
	b.clock()
	for _, t := range b.texts {
		t.Bind(b.agent.kindOf, b.agent.words)
		t.BindLists(b.agent.elementText)
	}
}

// idForm is $defs/id of the schema, for the keys of maps.
var idForm = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_.:/#+-]*$`)

// checkKeys reports the keys of a map that are not valid names. The schema says the same, but its
// validator loses the place.
func (b *builder) checkKeys(n *source.Node, ok func(string) bool) {
	for _, e := range n.Entries() {
		if !ok(e.Key) || len(e.Key) > 128 {
			b.problems = append(b.problems, source.Problem{
				Code: source.Invalid, Pos: e.Pos, Path: e.Value.Path(), Severity: source.SeverityError,
				Message: fmt.Sprintf("%q is no name", e.Key), Hint: "use letters, digits and _, a letter first",
			})
		}
	}
}

// words reads text that is not a template. It refuses a word that other YAML readers take for a
// boolean: the next editor of the file may not know which it is.
func (b *builder) words(n *source.Node) string {
	if n.Kind() != source.KindText {
		return ""
	}
	s := n.Text()
	if n.Bare() && slices.Contains([]string{"yes", "no", "on", "off"}, strings.ToLower(s)) {
		b.problems.Add(n, fmt.Sprintf("a bare %s is read as true or false by YAML", s), fmt.Sprintf("put it in quotes: %q", s))
	}
	return s
}

// scalarText is words for text that may also be written as a number.
func (b *builder) scalarText(n *source.Node) string {
	if n.Kind() == source.KindNum {
		return n.Text()
	}
	return b.words(n)
}

func (b *builder) wordList(n *source.Node) []string {
	var out []string
	for _, item := range n.Items() {
		if s := b.words(item); s != "" {
			out = append(out, s)
		}
	}
	return out
}

// text reads a template; nil if there is none.
func (b *builder) text(n *source.Node) *phrase.Text {
	source := b.words(n)
	if source == "" {
		return nil
	}
	t, err := phrase.ParseText(source)
	if err != nil {
		b.fail(n, err)
		return nil
	}
	b.texts = append(b.texts, t)
	b.reads(t.Names())
	return t
}

// textList reads one template or a list of them.
func (b *builder) textList(n *source.Node) []*phrase.Text {
	items := n.Items()
	if n.Kind() == source.KindText {
		items = []*source.Node{n}
	}
	var out []*phrase.Text
	for _, item := range items {
		if t := b.text(item); t != nil {
			out = append(out, t)
		}
	}
	return out
}

// arg reads an argument; it reports an invalid one and returns nil.
func (b *builder) arg(n *source.Node) expr.Arg {
	a, err := expr.ParseArg(n.Value())
	if err != nil {
		b.fail(n, err)
	}
	b.reads(a.Names())
	return a
}

func (b *builder) args(n *source.Node) map[string]expr.Arg {
	if n.Kind() != source.KindMap {
		return nil
	}
	out := make(map[string]expr.Arg, len(n.Entries()))
	for _, e := range n.Entries() {
		out[e.Key] = b.arg(e.Value)
	}
	return out
}

func (b *builder) expr(n *source.Node) *expr.Expr { return b.exprOf(n, "") }

// exprOf reads the validation of a param, which may call the value by the param's name.
func (b *builder) exprOf(n *source.Node, own string) *expr.Expr {
	if n.Kind() != source.KindText {
		return nil
	}
	e, err := expr.Parse(n.Text(), nil, own)
	if err != nil {
		b.fail(n, err)
		return nil
	}
	b.reads(e.Names())
	return e
}

func (b *builder) stringMap(n *source.Node) map[string]string {
	if n.Kind() != source.KindMap {
		return nil
	}
	out := make(map[string]string, len(n.Entries()))
	for _, e := range n.Entries() {
		out[e.Key] = b.expandable(e.Value)
	}
	return out
}

// expandable reads text with ${NAME} references, which are resolved when a tool is built.
func (b *builder) expandable(n *source.Node) string {
	s := b.words(n)
	if _, err := source.ExpandNames(s); err != nil {
		b.fail(n, err)
	}
	return s
}

func (b *builder) expandables(n *source.Node) []string {
	var out []string
	for _, item := range n.Items() {
		out = append(out, b.expandable(item))
	}
	return out
}

func (b *builder) flag(n *source.Node, fallback bool) bool {
	if v, ok := n.Bool(); ok {
		return v
	}
	return fallback
}

func (b *builder) whole(n *source.Node, fallback int) int {
	if v, ok := n.Number(); ok && v == float64(int(v)) {
		return int(v)
	}
	return fallback
}

func (b *builder) fraction(n *source.Node, fallback float64) float64 {
	if v, ok := n.Number(); ok {
		return v
	}
	return fallback
}

func (b *builder) duration(n *source.Node, fallback time.Duration) time.Duration {
	switch n.Kind() {
	case source.KindNum:
		if v, _ := n.Number(); v != 0 {
			b.problems.Add(n, fmt.Sprintf("%s has no unit", n.Text()), fmt.Sprintf("write %ss, %sm or %sh", n.Text(), n.Text(), n.Text()))
		}
		return 0
	case source.KindText:
		d, err := source.ParseDuration(n.Text())
		if err != nil {
			b.fail(n, err)
			return fallback
		}
		return d
	}
	return fallback
}

// fail reports an error whose text has the remedy in it; see source.SplitRemedy.
func (b *builder) fail(n *source.Node, err error) {
	message, hint := source.SplitRemedy(err.Error())
	b.problems.Add(n, message, hint)
}

// unknown reports a name that is not in known.
func (b *builder) unknown(n *source.Node, noun, name string, known []string) {
	b.problems.Fail(source.UnknownName, n, fmt.Sprintf("unknown %s %q", noun, name), naming.Suggest(name, known))
}
