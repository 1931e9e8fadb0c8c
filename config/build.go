package config

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// builder walks the nodes of a file into an Agent. The schema has already reported what
// has the wrong kind or an unknown key, so the builder passes over that in silence and
// reports what a schema cannot know.
type builder struct {
	agent    *Agent
	problems Problems
	root     *Node

	// Where things were declared, for the checks that need the whole agent.
	params    map[*Param]*Node
	steps     map[*Step]*Node
	intents   map[*Intent]*Node
	replaced  map[string]*Node // by the id of a built-in response: what the file puts in its place
	spoken    map[string]bool  // ids of built-in responses that are in the agent's language
	external  []byte           // content of the files that were read besides, for the hash
	openAPI   map[string]any   // by file; nil: cannot be used
	usedTypes map[string]bool
	texts     []*Text // all of them, to be told the params' types and the language
}

func newBuilder(agent *Agent, root *Node) *builder {
	return &builder{
		agent: agent, root: root,
		params: map[*Param]*Node{}, steps: map[*Step]*Node{}, intents: map[*Intent]*Node{},
		replaced: map[string]*Node{}, spoken: map[string]bool{}, openAPI: map[string]any{}, usedTypes: map[string]bool{},
	}
}

// build fills in the agent. The order matters: names before what refers to them.
func (b *builder) build() {
	for _, section := range []string{"types", "params"} {
		b.checkKeys(b.root.Get(section), isName)
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
	b.redaction()
	b.keepUsedTypes()
	b.facts()
	for _, t := range b.texts {
		t.bind(b.agent.Params, b.agent.words)
	}
}

// idForm is $defs/id of the schema, for the keys that it names.
var idForm = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_.:/#+-]*$`)

// checkKeys reports the keys of a map that are no names. The schema says the same, but its
// validator loses the place.
func (b *builder) checkKeys(n *Node, ok func(string) bool) {
	for _, e := range n.Entries() {
		if !ok(e.Key) || len(e.Key) > 128 {
			b.problems = append(b.problems, Problem{
				Pos: e.Pos, Path: e.Value.Path(), Severity: SeverityError,
				Message: fmt.Sprintf("%q is no name", e.Key), Hint: "use letters, digits and _, a letter first",
			})
		}
	}
}

// words reads text that is not a template. A word that other YAML readers take for a
// boolean is refused: whoever edits the file next may not know which it is.
func (b *builder) words(n *Node) string {
	if n.Kind() != KindText {
		return ""
	}
	s := n.Text()
	if n.Bare() && slices.Contains([]string{"yes", "no", "on", "off"}, strings.ToLower(s)) {
		b.problems.Add(n, fmt.Sprintf("a bare %s is read as true or false by YAML", s), fmt.Sprintf("put it in quotes: %q", s))
	}
	return s
}

// scalarText is words that may also be written as a number.
func (b *builder) scalarText(n *Node) string {
	if n.Kind() == KindNum {
		return n.Text()
	}
	return b.words(n)
}

func (b *builder) wordList(n *Node) []string {
	var out []string
	for _, item := range n.Items() {
		if s := b.words(item); s != "" {
			out = append(out, s)
		}
	}
	return out
}

// text reads a template; nil where there is none.
func (b *builder) text(n *Node) *Text {
	source := b.words(n)
	if source == "" {
		return nil
	}
	t, err := ParseText(source)
	if err != nil {
		b.fail(n, err)
		return nil
	}
	b.texts = append(b.texts, t)
	return t
}

// textList reads one template or a list of them.
func (b *builder) textList(n *Node) []*Text {
	items := n.Items()
	if n.Kind() == KindText {
		items = []*Node{n}
	}
	var out []*Text
	for _, item := range items {
		if t := b.text(item); t != nil {
			out = append(out, t)
		}
	}
	return out
}

// arg reads an argument; an argument that cannot be read is nil and reported.
func (b *builder) arg(n *Node) Arg {
	a, err := ParseArg(n.Value())
	if err != nil {
		b.fail(n, err)
	}
	return a
}

func (b *builder) args(n *Node) map[string]Arg {
	if n.Kind() != KindMap {
		return nil
	}
	out := make(map[string]Arg, len(n.Entries()))
	for _, e := range n.Entries() {
		out[e.Key] = b.arg(e.Value)
	}
	return out
}

func (b *builder) expr(n *Node) *Expr { return b.exprOf(n, "") }

// exprOf reads the validation of a param, which may name the param as it names the value.
func (b *builder) exprOf(n *Node, own string) *Expr {
	if n.Kind() != KindText {
		return nil
	}
	e, err := parseExpr(n.Text(), nil, own)
	if err != nil {
		b.fail(n, err)
		return nil
	}
	return e
}

func (b *builder) stringMap(n *Node) map[string]string {
	if n.Kind() != KindMap {
		return nil
	}
	out := make(map[string]string, len(n.Entries()))
	for _, e := range n.Entries() {
		out[e.Key] = b.expandable(e.Value)
	}
	return out
}

// expandable reads text with ${NAME} references, which are resolved when a tool is built.
func (b *builder) expandable(n *Node) string {
	s := b.words(n)
	if _, err := expandNames(s); err != nil {
		b.fail(n, err)
	}
	return s
}

func (b *builder) expandables(n *Node) []string {
	var out []string
	for _, item := range n.Items() {
		out = append(out, b.expandable(item))
	}
	return out
}

func (b *builder) flag(n *Node, fallback bool) bool {
	if v, ok := n.Bool(); ok {
		return v
	}
	return fallback
}

func (b *builder) whole(n *Node, fallback int) int {
	if v, ok := n.Number(); ok && v == float64(int(v)) {
		return int(v)
	}
	return fallback
}

func (b *builder) fraction(n *Node, fallback float64) float64 {
	if v, ok := n.Number(); ok {
		return v
	}
	return fallback
}

func (b *builder) duration(n *Node, fallback time.Duration) time.Duration {
	switch n.Kind() {
	case KindNum:
		if v, _ := n.Number(); v != 0 {
			b.problems.Add(n, fmt.Sprintf("%s has no unit", n.Text()), fmt.Sprintf("write %ss, %sm or %sh", n.Text(), n.Text(), n.Text()))
		}
		return 0
	case KindText:
		d, err := ParseDuration(n.Text())
		if err != nil {
			b.fail(n, err)
			return fallback
		}
		return d
	}
	return fallback
}

// fail reports an error whose text already holds the remedy after its first semicolon or
// a "did you mean".
func (b *builder) fail(n *Node, err error) {
	message, hint := splitRemedy(err.Error())
	b.problems.Add(n, message, hint)
}

func splitRemedy(text string) (message, hint string) {
	if i := strings.Index(text, ", did you mean"); i >= 0 {
		return text[:i], text[i+2:]
	}
	if before, after, ok := strings.Cut(text, "; "); ok {
		return before, after
	}
	return text, "correct it"
}

// unknown reports a name that is not among known.
func (b *builder) unknown(n *Node, noun, name string, known []string) {
	b.problems.Add(n, fmt.Sprintf("unknown %s %q", noun, name), suggestion(name, known))
}

// ParseDuration reads a duration such as 90s, 1h30m or 30d (days of 24 hours), not below zero.
func ParseDuration(s string) (time.Duration, error) {
	if days, ok := strings.CutSuffix(s, "d"); ok {
		n, err := strconv.ParseFloat(days, 64)
		if err == nil && n >= 0 && n <= 36500 {
			return time.Duration(n * 24 * float64(time.Hour)), nil
		}
	} else if d, err := time.ParseDuration(s); err == nil && d >= 0 {
		return d, nil
	}
	return 0, fmt.Errorf("%q is no duration; write 90s, 10m, 1h30m or 30d", s)
}
