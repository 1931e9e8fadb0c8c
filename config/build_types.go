package config

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/slotway/slotway/config/expr"
	"github.com/slotway/slotway/config/source"
)

// types reads the declared types and adds the built-in ones; keepUsedTypes later drops those
// without a param. A declared type with a built-in name narrows that type.
func (b *builder) types() {
	b.agent.Types = map[string]*Type{}
	for _, name := range BuiltinTypes {
		b.agent.Types[name] = &Type{Name: name, Builtin: name}
	}
	for _, e := range b.root.Get("types").Entries() {
		b.agent.Types[e.Key] = b.readType(e.Key, e.Value)
	}
}

func (b *builder) readType(name string, n *source.Node) *Type {
	t := &Type{Name: name, Fuzzy: b.whole(n.Get("fuzzy"), 0), Example: b.scalarText(n.Get("example"))}
	if slices.Contains(BuiltinTypes, name) {
		t.Builtin = name
	}
	for _, item := range n.Get("patterns").Items() {
		if re := b.pattern(item, ""); re != nil {
			t.Patterns = append(t.Patterns, re)
		}
	}
	t.Bare = b.pattern(n.Get("bare"), `^(?:%s)$`)
	t.Normalize = b.normalizers(n.Get("normalize"))
	b.values(n.Get("values"), t)
	if t.Builtin == "" && t.Bare == nil && len(t.Values) == 0 && !n.Has("bare") {
		t.Bare, _ = bareOf(t.Patterns, t.Example)
		t.Tail = tailOf(t.Patterns, t.Normalize, t.Example)
	}
	if t.Builtin == "" && !n.Has("patterns") && !n.Has("values") && !n.Has("bare") && n.Kind() == source.KindMap {
		b.problems.Add(n, "has neither patterns, bare nor values", "say what its values look like, or use a built-in type such as text")
	}
	if t.Fuzzy > 0 && !n.Has("values") {
		b.problems.Add(n.Get("fuzzy"), "fuzzy applies to values only", "remove it or list values")
	}
	return t
}

// pattern compiles a pattern; wrap, if not "", is a pattern around it, with %s in its place.
func (b *builder) pattern(n *source.Node, wrap string) *regexp.Regexp {
	if n.Kind() != source.KindText || n.Text() == "" {
		return nil
	}
	re, err := expr.CompilePattern(n.Text())
	switch {
	case err != nil:
		b.fail(n, err)
		return nil
	case re.MatchString(""):
		if wrap == "" {
			b.problems.Add(n, "the pattern matches the empty text, so it is found in every message", "use + in place of *, or make a part required")
			return nil
		}
	case re.NumSubexp() > 1 && wrap == "":
		b.problems.Add(n, fmt.Sprintf("the pattern has %d groups, but group 1 is the value", re.NumSubexp()), "write (?:...) for the other groups")
		return nil
	}
	if wrap != "" {
		return regexp.MustCompile(fmt.Sprintf(wrap, n.Text())) // it compiles, since its inner part did
	}
	return re
}

// values reads an enumeration: a value is text, or a map with synonyms.
func (b *builder) values(n *source.Node, t *Type) {
	owner := map[string]string{}
	for _, item := range n.Items() {
		v := EnumValue{Value: b.scalarText(item)}
		places := []*source.Node{item}
		if item.Kind() == source.KindMap {
			v.Value = b.scalarText(item.Get("value"))
			places = []*source.Node{item.Get("value")}
			for _, s := range item.Get("synonyms").Items() {
				v.Synonyms = append(v.Synonyms, b.scalarText(s))
				places = append(places, s)
			}
		}
		if v.Value == "" {
			continue
		}
		t.Values = append(t.Values, v)
		for _, p := range places {
			key := spellingKey(p.Text())
			if first, taken := owner[key]; taken && key != "" && first != v.Value {
				b.problems.Add(p, fmt.Sprintf("%q reads as %q, so no answer can tell them apart", p.Text(), first), "remove one of them, or give it another name")
				continue
			}
			owner[key] = v.Value
		}
	}
}

// commands are the built-in intents that steer a conversation: their words are no values.
var commands = []string{"cancel", "reset", "help", "repeat", "skip", "human", "correct", "resume"}

// commandValues reports values that are a word by which people steer a conversation. Nobody could
// choose them.
func (b *builder) commandValues() {
	for _, e := range b.root.Get("types").Entries() {
		for _, item := range e.Value.Get("values").Items() {
			if item.Kind() == source.KindMap {
				item = item.Get("value")
			}
			for _, id := range commands {
				in := b.agent.Intent(id)
				said := strings.ToLower(b.scalarText(item))
				if in != nil && (said == id || slices.ContainsFunc(in.Examples, func(x Example) bool { return x.Text == said && !strings.Contains(said, " ") })) {
					b.problems.Add(item, fmt.Sprintf("%q is what people say to the agent itself (%s), so nobody can choose it", item.Text(), id), "give the value a name of its own")
				}
			}
		}
	}
}

// useType resolves the name of a type; it reports an unknown one and takes it for text.
func (b *builder) useType(n *source.Node) *Type {
	name := n.Text()
	t := b.agent.Types[name]
	if t == nil {
		known := slices.Sorted(maps.Keys(b.agent.Types))
		if name != "" {
			b.unknown(n, "type", name, known)
		}
		t = b.agent.Types["text"]
	}
	b.usedTypes[t.Name] = true
	return t
}

// keepUsedTypes drops the built-in types without a param.
func (b *builder) keepUsedTypes() {
	declared := b.root.Get("types")
	for name := range b.agent.Types {
		if b.usedTypes[name] {
			continue
		}
		if !declared.Has(name) {
			delete(b.agent.Types, name)
		}
	}
}

// IsSign reports whether a character at a word can tell one value of an enumeration from another: the
// plus of A+, the hash of C#, the half of 7½. The marks of a sentence and percents do not.
func IsSign(r rune) bool {
	switch {
	case unicode.Is(unicode.Pd, r), unicode.Is(unicode.Sc, r), unicode.Is(unicode.No, r):
		return true
	case unicode.Is(unicode.Sm, r):
		return r != '~' && r != '|'
	}
	return r == '#' || r == '*'
}

// spellingKey is what an answer must hold to mean a value: its words in lower case and the signs at
// them. Two values with one key cannot be told apart. A spelling without words is its own key.
func spellingKey(text string) string {
	letters := []rune(strings.ToLower(text))
	isWord := func(i int) bool {
		return i >= 0 && i < len(letters) && (unicode.IsLetter(letters[i]) || unicode.IsMark(letters[i]) || unicode.IsDigit(letters[i]))
	}
	var key strings.Builder
	words := 0
	for i, r := range letters {
		switch {
		case isWord(i):
			if !isWord(i - 1) {
				words++
				key.WriteByte(' ')
			}
			key.WriteRune(r)
		case IsSign(r) && !(isWord(i-1) && isWord(i+1)):
			key.WriteRune(r)
		}
	}
	if words == 0 {
		return text
	}
	return strings.TrimSpace(key.String())
}

// Normalizer is one step from the text that a user typed to the value.
type Normalizer struct {
	Op  string // one of normalizers
	Arg string
	New string // of replace: what stands in the place of Arg
}

// normalizers are the steps, each with an example where it takes text.
var normalizers = map[string]string{
	"upper": "", "lower": "", "digits": "", // keep the digits only
	"trim":    "trim:#",      // remove these characters at both ends
	"remove":  "remove: -.",  // remove these characters anywhere
	"replace": "replace:/=-", // put the second text in the place of the first
	"prefix":  "prefix:#",    // put the text in front if it is missing
}

// Normalize applies steps to a text, in order.
func Normalize(text string, steps []Normalizer) string {
	for _, n := range steps {
		switch n.Op {
		case "upper":
			text = strings.ToUpper(text)
		case "lower":
			text = strings.ToLower(text)
		case "trim":
			text = strings.Trim(text, n.Arg)
		case "remove":
			text = keep(text, func(r rune) bool { return !strings.ContainsRune(n.Arg, r) })
		case "digits":
			text = keep(text, func(r rune) bool { return r >= '0' && r <= '9' })
		case "replace":
			text = strings.ReplaceAll(text, n.Arg, n.New)
		case "prefix":
			if !strings.HasPrefix(text, n.Arg) {
				text = n.Arg + text
			}
		}
	}
	return text
}

// keep returns the characters of a text that a test lets through.
func keep(text string, wanted func(rune) bool) string {
	return strings.Map(func(r rune) rune {
		if wanted(r) {
			return r
		}
		return -1
	}, text)
}

// normalizers reads a list of steps.
func (b *builder) normalizers(list *source.Node) []Normalizer {
	var steps []Normalizer
	for _, n := range list.Items() {
		if s := b.words(n); s != "" {
			steps = b.normalizer(n, s, steps)
		}
	}
	return steps
}

func (b *builder) normalizer(n *source.Node, text string, steps []Normalizer) []Normalizer {
	op, arg, hasArg := strings.Cut(text, ":")
	example, known := normalizers[op]
	step := Normalizer{Op: op, Arg: arg}
	split := true
	if op == "replace" {
		step.Arg, step.New, split = strings.Cut(arg, "=")
	}
	switch {
	case !known:
		b.unknown(n, "normalisation", op, slices.Sorted(maps.Keys(normalizers)))
	case example == "" && hasArg:
		b.problems.Add(n, op+" takes no text", "write "+op)
	case example != "" && (step.Arg == "" || !split):
		b.problems.Add(n, op+" needs text to work with", fmt.Sprintf("write %q", example))
	default:
		return append(steps, step)
	}
	return steps
}

// clean reads the steps for a free text; a type that describes its values has steps of its own.
func (b *builder) clean(n *source.Node, p *Param) {
	if n != nil && p.Type.Builtin != "text" {
		b.problems.Add(n, fmt.Sprintf("clean is for free text, and param %q has type %s", p.Name, typeLabel(p)), "remove clean, or give a type of your own with normalize")
		return
	}
	p.Clean = b.normalizers(n)
	var touched strings.Builder
	for _, step := range p.Clean {
		touched.WriteString(step.Arg + step.New)
	}
	if once := p.Cleaned(touched.String()); p.Cleaned(once) != once {
		b.problems.Add(n, "the steps change a cleaned value again, as one writes what another one changes", "let each step leave alone what the others write")
	}
}

// mostRounds bounds how often the steps of a param follow each other: one may remove what stood
// between two characters that an earlier one replaces.
const mostRounds = 4

// Cleaned returns a value as the param keeps it: its texts with the steps of Clean. A value that is
// cleaned stays as it is, since it passes here again with each correction.
func (p *Param) Cleaned(value any) any {
	if len(p.Clean) == 0 {
		return value
	}
	switch v := value.(type) {
	case string:
		for range mostRounds {
			next := Normalize(v, p.Clean)
			if next == v {
				break
			}
			v = next
		}
		return v
	case []any:
		all := make([]any, len(v))
		for i, e := range v {
			all[i] = p.Cleaned(e)
		}
		return all
	}
	return value
}

// Tail is the short form of a value: the digits after the letters that all values of a type start
// with, "1002" for M-1002.
type Tail struct {
	Prefix string         // the part of a value before its tail
	Form   *regexp.Regexp // anchored at both ends
}

// longestTail limits the digits of a tail.
const longestTail = 20

// tailOf finds the tail of patterns such as M-\d{4}: letters and dashes, then a limited number of
// digits. nil: they have none, or their prefixes differ.
func tailOf(patterns []*regexp.Regexp, normalize []Normalizer, example string) *Tail {
	prefix, least, most := "", 0, 0
	for _, p := range patterns {
		tree, err := syntax.Parse(p.String(), syntax.Perl)
		if err != nil {
			continue // cannot fail: the pattern was compiled
		}
		if value := capture(tree); value != nil {
			tree = value
		}
		h := tailReader{example: example}
		if !h.read(tree) || h.prefix.Len() == 0 || h.most == 0 {
			continue
		}
		head := cased(h.prefix.String(), h.anyCase, normalize, example)
		switch {
		case prefix == "":
			prefix, least, most = head, h.least, h.most
		case prefix != head:
			return nil
		default:
			least, most = min(least, h.least), max(most, h.most)
		}
	}
	if prefix == "" || least == 0 || most > longestTail {
		return nil
	}
	return &Tail{prefix, regexp.MustCompile(`^[0-9]{` + strconv.Itoa(least) + "," + strconv.Itoa(most) + `}$`)}
}

// cased returns a prefix in the case that values of the type have.
func cased(prefix string, anyCase bool, normalize []Normalizer, example string) string {
	switch {
	case len(example) >= len(prefix) && strings.EqualFold(example[:len(prefix)], prefix):
		return example[:len(prefix)]
	case anyCase && slices.ContainsFunc(normalize, func(n Normalizer) bool { return n.Op == "lower" }):
		return strings.ToLower(prefix)
	}
	return prefix
}

// tailReader reads the prefix of a pattern and counts the digits after it.
type tailReader struct {
	example     string
	prefix      strings.Builder
	anyCase     bool
	least, most int
}

// read reports whether a part of a pattern is a prefix or its digits.
func (r *tailReader) read(tree *syntax.Regexp) bool {
	switch tree.Op {
	case syntax.OpConcat:
		return !slices.ContainsFunc(tree.Sub, func(sub *syntax.Regexp) bool { return !r.read(sub) })
	case syntax.OpCapture:
		return r.read(tree.Sub[0])
	case syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText, syntax.OpEndText, syntax.OpWordBoundary, syntax.OpEmptyMatch:
		return true
	case syntax.OpLiteral:
		return r.literal(tree)
	case syntax.OpQuest:
		return r.optional(tree.Sub[0])
	case syntax.OpCharClass:
		return r.digits(tree, 1, 1)
	case syntax.OpRepeat:
		return tree.Max > 0 && r.digits(tree.Sub[0], tree.Min, tree.Max)
	}
	return false
}

func (r *tailReader) digits(tree *syntax.Regexp, least, most int) bool {
	r.least, r.most = r.least+least, r.most+most
	return tree.Op == syntax.OpCharClass && hasDigit(tree)
}

func (r *tailReader) literal(tree *syntax.Regexp) bool {
	plain := func(c rune) bool {
		return unicode.IsLetter(c) || c == '-' || c == '_' || c == '/' || c == ' ' || c == '#'
	}
	if r.most > 0 || slices.ContainsFunc(tree.Rune, func(c rune) bool { return !plain(c) }) {
		return false
	}
	r.anyCase = r.anyCase || tree.Flags&syntax.FoldCase != 0
	r.prefix.WriteString(string(tree.Rune))
	return true
}

// optional reads an optional part: the example tells whether the prefix has it.
func (r *tailReader) optional(tree *syntax.Regexp) bool {
	if tree.Op == syntax.OpCharClass && hasDigit(tree) {
		r.most++
		return true
	}
	n := r.prefix.Len()
	if tree.Op != syntax.OpLiteral || len(r.example) <= n || !strings.EqualFold(r.example[:n], r.prefix.String()) {
		return false
	}
	if said := string(tree.Rune); len(r.example) < n+len(said) || !strings.EqualFold(r.example[n:n+len(said)], said) {
		return true
	}
	return r.literal(tree)
}

// bareOf derives the form of a bare reply from patterns that want words around the value, such as
// order (\d{4,8}): the value alone, if it always has a digit. A nil form means that none can be
// derived; needed says whether the author must then write one. A value without a digit could be any
// word, such as "no".
func bareOf(patterns []*regexp.Regexp, example string) (bare *regexp.Regexp, needed bool) {
	var forms []string
	for _, p := range patterns {
		tree, err := syntax.Parse(p.String(), syntax.Perl)
		if err != nil || p.NumSubexp() == 0 {
			continue // its value is the whole match, and so is a bare reply
		}
		value := capture(tree)
		if value == nil || !hasDigit(value) || hasEdge(value) {
			needed = true
			continue
		}
		forms = append(forms, value.String())
	}
	if len(forms) == 0 {
		takes := func(p *regexp.Regexp) bool { return p.NumSubexp() == 0 || example != "" && p.MatchString(example) }
		return nil, needed && !slices.ContainsFunc(patterns, takes)
	}
	return regexp.MustCompile(`^(?:` + strings.Join(forms, "|") + `)$`), false
}

// capture returns the first group of a pattern.
func capture(tree *syntax.Regexp) *syntax.Regexp {
	if tree.Op == syntax.OpCapture {
		return tree.Sub[0]
	}
	for _, sub := range tree.Sub {
		if found := capture(sub); found != nil {
			return found
		}
	}
	return nil
}

// hasDigit reports whether everything that a pattern matches has a digit.
func hasDigit(tree *syntax.Regexp) bool {
	switch tree.Op {
	case syntax.OpLiteral:
		return slices.ContainsFunc(tree.Rune, func(r rune) bool { return r >= '0' && r <= '9' })
	case syntax.OpCharClass:
		return len(tree.Rune) > 0 && tree.Rune[0] >= '0' && tree.Rune[len(tree.Rune)-1] <= '9'
	case syntax.OpConcat:
		return slices.ContainsFunc(tree.Sub, hasDigit)
	case syntax.OpAlternate:
		return !slices.ContainsFunc(tree.Sub, func(sub *syntax.Regexp) bool { return !hasDigit(sub) })
	case syntax.OpPlus, syntax.OpCapture:
		return hasDigit(tree.Sub[0])
	case syntax.OpRepeat:
		return tree.Min > 0 && hasDigit(tree.Sub[0])
	}
	return false
}

// hasEdge reports whether a pattern tests the characters around its match.
func hasEdge(tree *syntax.Regexp) bool {
	switch tree.Op {
	case syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText, syntax.OpEndText, syntax.OpWordBoundary, syntax.OpNoWordBoundary:
		return true
	}
	return slices.ContainsFunc(tree.Sub, hasEdge)
}

// looks maps each built-in type to the name of its values and a sample. It is English, like the
// sentences that use it.
var looks = map[string]struct{ kind, sample string }{
	"number":        {"number", "3.5"},
	"integer":       {"whole number", "3"},
	"ordinal":       {"place in an order", "the second"},
	"boolean":       {"yes or no", "yes"},
	"percentage":    {"percentage", "20%"},
	"money":         {"amount of money", "$25.50"},
	"date":          {"date", "November 21"},
	"time":          {"time of day", "3:30 pm"},
	"datetime":      {"day and time", "November 21 at 3:30 pm"},
	"duration":      {"length of time", "2 hours"},
	"daterange":     {"span of days", "from November 21 to November 24"},
	"timerange":     {"span of time", "from 3 to 5 pm"},
	"datetimerange": {"span of time", "November 21 from 3 to 5 pm"},
	"recurrence":    {"schedule", "every Monday at 8 am"},
	"email":         {"e-mail address", "ana@example.com"},
	"phone":         {"phone number", "555-234-9876"},
	"url":           {"web address", "https://example.com/page"},
	"zip":           {"postal code", "73301"},
	"person":        {"name", "Ana Lee"},
	"location":      {"place", "Boston"},
}

// Kind returns the name of the type's values, without an article: "e-mail address". It is "" for
// free text and for declared types, for which the label of a param stands.
func (t *Type) Kind() string { return looks[t.Builtin].kind }

// Looks returns a sample value as people write it: "ana@example.com". It is the type's own example,
// else the first value of an enumeration; "" if none is known.
func (t *Type) Looks() string {
	if t.Example == "" && len(t.Values) > 0 {
		return t.Values[0].Value
	}
	return cmp.Or(t.Example, looks[t.Builtin].sample)
}
