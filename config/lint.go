package config

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config/language"
	"github.com/slotway/slotway/config/naming"
	"github.com/slotway/slotway/config/phrase"
	"github.com/slotway/slotway/config/source"
)

// leastExamples is the number of examples that an intent should have.
const leastExamples = 3

// lint reports what is valid but probably not meant.
func (b *builder) lint() {
	for _, in := range b.agent.Intents {
		n := b.intents[in]
		if len(in.Examples) < leastExamples && in.ID != b.agent.Classifier.Fallback && !in.Internal {
			b.problems.Warn(source.FewExamples, n, fmt.Sprintf("intent %q has %d examples", in.ID, len(in.Examples)), "give at least 3, better 10, as people really say it")
		}
		b.lintParams(in)
		b.lintPatterns(in, n)
		b.lintUndo(in, n)
		b.lintEmpty(in)
		b.lintUnreachable(in.Plan)
	}
	for _, in := range b.agent.System {
		b.lintUnreachable(in.Plan)
	}
	b.lintInternal()
	b.lintRepeatedExamples()
	b.lintDominated()
	b.lintTypes()
	b.lintDerived()
	b.lintTitles()
	b.lintLanguage()
	b.lintSecrets()
	b.lintHidden()
	b.lintBuiltInNames()
	b.lintGoTools()
	b.lintLiterals()
	if len(b.problems.Errors()) == 0 { // otherwise a name that looks unused may be misspelt elsewhere
		b.lintUnused()
		b.lintFreeText()
	}
}

// lintParams finds params that no message and no question can fill, and supplies a plain question
// where one is missing.
func (b *builder) lintParams(in *Intent) {
	asked := map[string]bool{}
	Walk(in.Plan, func(s *Step) {
		if s.Kind == StepAsk || s.Kind == StepChoose {
			asked[s.Param] = true
		}
	})
	for _, p := range in.AllParams() {
		n := b.params[p]
		optional := slices.Contains(in.Optional, p)
		if !optional || p.Ask || asked[p.Name] {
			if p.Prompt == nil {
				b.problems.Warn(source.NoPrompt, n, fmt.Sprintf("param %q is asked for, but has no prompt", p.Name), "add prompt: the question")
				p.Prompt = phrase.MustText("What is the " + strings.ReplaceAll(p.Name, "_", " ") + "?")
			}
		} else if n.Kind() == source.KindMap && n.Has("prompt") {
			b.problems.Warn(source.PromptUnsaid, n, fmt.Sprintf("param %q is optional and never asked for, so its prompt is never said", p.Name), "add ask: true, or remove prompt")
		}
		b.lintSources(p, n)
	}
}

// lintSources finds a mapping that ignores what users say.
func (b *builder) lintSources(p *Param, n *source.Node) {
	fillable := len(p.ParamMapping) == 0
	for _, s := range p.ParamMapping {
		dead := s.From == "context" && s.Key != "" && !b.allNames()[s.Key]
		if dead {
			b.problems.Warn(source.DeadSource, b.mappingNode(n, p), fmt.Sprintf("nothing fills %q, so it is no source for param %q", s.Key, p.Name), "name a param, or remove this source")
		}
		fillable = fillable || !dead
	}
	if !fillable {
		b.problems.Warn(source.Unfillable, n, fmt.Sprintf("nothing can fill param %q", p.Name), "add a source such as from: pattern to param_mapping, or remove it")
	}
}

func (b *builder) mappingNode(n *source.Node, p *Param) *source.Node {
	if at := n.Get("param_mapping"); at != nil {
		return at
	}
	if at := b.root.Get("params").Get(p.Name).Get("param_mapping"); at != nil {
		return at
	}
	return n
}

// lintPatterns finds two params of an intent whose values look alike in a message.
func (b *builder) lintPatterns(in *Intent, n *source.Node) {
	owner := map[*Type]string{}
	for _, p := range in.AllParams() {
		if len(p.Type.Patterns) == 0 || p.List {
			continue
		}
		if first, ok := owner[p.Type]; ok {
			b.problems.Warn(source.OnePattern, n, fmt.Sprintf("params %q and %q have one pattern, so a value fits both", first, p.Name), "give them types of their own, or mark spans in the examples")
		}
		owner[p.Type] = p.Name
	}
}

func (b *builder) lintUnreachable(steps []*Step) {
	for i, s := range steps {
		b.lintUnreachable(s.Then)
		b.lintUnreachable(s.Else)
		if s.End && s.When == nil && i+1 < len(steps) {
			b.problems.Warn(source.Unreachable, b.steps[steps[i+1]], "is never reached, the step before it always ends the plan", "remove it, or give the step before it a when")
			return
		}
	}
}

// Words returns an utterance without case, punctuation and extra space.
func Words(s string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(s), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '\''
	}), " ")
}

func (b *builder) lintRepeatedExamples() {
	type owner struct {
		intent string
		pos    source.Position
	}
	seen := map[string]owner{}
	for _, in := range slices.Concat(b.agent.System, b.agent.Intents, b.agent.NotServed) {
		for _, e := range in.Examples {
			if e.Asked != "" {
				continue // a reply is no evidence for an intent
			}
			words := Words(e.Text) + strings.Join(in.After, "\n") // it has its own turns
			first, ok := seen[words]
			if !ok {
				seen[words] = owner{in.ID, e.Pos}
				continue
			}
			if first.intent == in.ID {
				continue
			}
			place := fmt.Sprintf("at line %d", first.pos.Line)
			if first.pos.File != e.Pos.File {
				place = "built in"
			}
			b.problems = append(b.problems, source.Problem{
				Code: source.RepeatedExample, Pos: e.Pos, Severity: source.SeverityWarning,
				Message: fmt.Sprintf("example %q of intent %q is one of %q too, %s", e.Text, in.ID, first.intent, place),
				Hint:    "keep it in one of them",
			})
		}
	}
}

// lintTypes checks a type's example and finds one pattern in two types.
func (b *builder) lintTypes() {
	owner := map[string]string{}
	for _, e := range b.root.Get("types").Entries() {
		t := b.agent.Types[e.Key]
		if t == nil {
			continue
		}
		if t.Example != "" && !t.accepts(t.Example) {
			b.problems.Warn(source.TypeExample, e.Value.Get("example"), fmt.Sprintf("%q is no value of this type", t.Example), "show a value that the patterns or values allow")
		}
		b.lintForms(t, e.Value)
		for _, re := range t.Patterns {
			if first, ok := owner[re.String()]; ok && first != t.Name {
				b.problems.Warn(source.OnePattern, e.Value.Get("patterns"), fmt.Sprintf("type %q has this pattern too", first), "use one type for both")
			}
			owner[re.String()] = t.Name
		}
	}
}

// lintForms finds a type whose values are understood in one place only.
func (b *builder) lintForms(t *Type, n *source.Node) {
	if t.Builtin != "" || len(t.Values) > 0 || !b.usedTypes[t.Name] {
		return
	}
	if t.Bare == nil && t.Tail == nil {
		if _, needed := bareOf(t.Patterns, t.Example); needed {
			b.problems.Warn(source.NarrowType, n, "its patterns want words around the value, so a reply that is the value alone is not understood", "add bare: the value alone")
		}
	} else if len(t.Patterns) == 0 {
		b.problems.Warn(source.NarrowType, n, "is understood only as the whole reply to its question", "add patterns: the value as it stands within a message")
	}
}

// lintUnused finds declarations that nothing refers to.
func (b *builder) lintUnused() {
	tools, responses, params := map[string]bool{}, b.saidResponses(), map[string]bool{}
	useParam := func(p *Param) {
		params[p.Name] = true
		tools[p.Validation.Tool] = true
	}
	for _, in := range slices.Concat(b.agent.Intents, b.agent.System, b.agent.Elements) {
		for _, p := range in.AllParams() {
			useParam(p)
		}
		Walk(in.Plan, func(s *Step) {
			tools[s.Tool] = true
			for name := range s.Set {
				params[name] = true
			}
		})
	}
	for _, p := range b.agent.Params { // filled by tools, for texts and conditions; see lintDerived
		params[p.Name] = params[p.Name] || slices.ContainsFunc(p.ParamMapping, func(s Source) bool { return s.From == "tool" })
	}
	report := func(section, noun string, used func(string) bool) {
		for _, e := range b.root.Get(section).Entries() {
			if !used(e.Key) {
				b.problems.Warn(source.Unused, e.Value, fmt.Sprintf("nothing uses this %s", noun), "use it or remove it")
			}
		}
	}
	report("types", "type", func(name string) bool { return b.usedTypes[name] })
	report("tools", "tool", func(name string) bool { return tools[name] })
	report("params", "param", func(name string) bool { return params[name] || b.agent.Params[name] == nil })
	report("responses", "response", func(id string) bool { return responses[id] || b.agent.Responses[id] == nil })
}

// lintBuiltInNames finds responses of the agent that were meant to replace a built-in one: they have its name
// with a misspelt namespace, or without one though no step says them.
func (b *builder) lintBuiltInNames() {
	said := b.saidResponses()
	for _, e := range b.root.Get("responses").Entries() {
		if b.agent.Responses[e.Key] == nil {
			continue // a replacement, or reported
		}
		if id, ok := meantBuiltIn(e.Key); ok && (id != e.Key || !said[id]) {
			b.problems.Warn(source.BuiltInName, e.Value, fmt.Sprintf("%q is a response of the agent's own and replaces no built-in one", e.Key), fmt.Sprintf("did you mean %q?", systemPrefix+id))
		}
	}
}

// meantBuiltIn returns the built-in response that a name without the namespace, or with a misspelt one, leads to:
// help, sytem.help, system_help.
func meantBuiltIn(key string) (string, bool) {
	if _, known := systemResponses[key]; known {
		return key, true
	}
	i := strings.IndexAny(key, "._-:/")
	if i < 0 || strings.HasPrefix(key, systemPrefix) {
		return "", false
	}
	id := key[i+1:]
	_, known := systemResponses[id]
	return id, known && message.Distance(strings.ToLower(key[:i]), "system", 3) < 3
}

// lintGoTools names tools that only a program which embeds Slotway has functions for.
func (b *builder) lintGoTools() {
	for _, e := range b.root.Get("tools").Entries() {
		if t := b.agent.Tools[e.Key]; t != nil && t.Kind == "go" {
			b.problems.Note(source.GoTool, e.Value, fmt.Sprintf("tool %q is a Go function, which the slotway command does not have", e.Key),
				"run the agent in the program that registers it, or give the tool another kind to try it here")
		}
	}
}

// secretWords are parts of the names of credentials.
var secretWords = []string{
	"authorization", "cookie", "token", "secret", "password", "passwd", "passphrase", "credential",
	"apikey", "api-key", "api_key", "access-key", "access_key", "private-key", "private_key", "subscription-key",
}

// secretForms matches credentials under any name: what follows an authorization scheme, and the
// prefixes that issuers add for scanners.
var secretForms = regexp.MustCompile(`(?i:^(?:bearer|basic|token|apikey|api-key)\s+[^\s$]{8,}$)|` +
	`\b(?:sk|pk|rk)[-_][A-Za-z0-9_-]{16,}|\bgh[pousr]_[A-Za-z0-9]{20,}|\bgithub_pat_|\bglpat-|\bxox[abprs]-|\bAKIA[0-9A-Z]{16}\b|` +
	`\beyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.|-----BEGIN [A-Z ]*PRIVATE KEY`)

// urlPassword finds user:password@ in a URL or DSN, dsnPassword password=... in a DSN.
var (
	urlPassword = regexp.MustCompile(`://[^/?#@\s]*:([^/?#@\s]+)@`)
	dsnPassword = regexp.MustCompile(`(?i)\bpassword\s*=\s*('[^']+'|[^\s&;]+)`)
	urlQuery    = regexp.MustCompile(`[?&]([^=&#\s]+)=([^&#\s]+)`)
)

// lintSecrets finds credentials in the file itself. Its messages never quote them.
func (b *builder) lintSecrets() {
	for _, e := range b.root.Get("tools").Entries() {
		b.lintNamedSecrets(e.Value.Get("headers"))
		b.lintNamedSecrets(e.Value.Get("env"))
		b.lintNamedSecrets(e.Value.Get("params"))
		b.lintSecretURL(e.Value.Get("url"))
	}
	for _, e := range b.root.Get("mcp_servers").Entries() {
		b.lintNamedSecrets(e.Value.Get("headers"))
		b.lintNamedSecrets(e.Value.Get("env"))
		b.lintSecretURL(e.Value.Get("url"))
	}
	for _, e := range b.root.Get("databases").Entries() {
		b.lintSecretURL(e.Value.Get("dsn"))
	}
}

func (b *builder) warnSecret(n *source.Node) {
	b.problems.Warn(source.Secret, n, "a credential stands in the file", "put it in the environment and write ${NAME}; if the file was shared, replace the credential")
}

// lintNamedSecrets checks names with values.
func (b *builder) lintNamedSecrets(n *source.Node) {
	for _, e := range n.Entries() {
		value := e.Value.Text()
		if e.Value.Kind() == source.KindText && (isSecret(e.Key, value) || secretForms.MatchString(value)) {
			b.warnSecret(e.Value)
		}
	}
}

// isSecret reports a literal value under the name of a credential.
func isSecret(name, value string) bool {
	name = strings.ToLower(name)
	if strings.HasSuffix(name, "_file") || strings.HasSuffix(name, "_path") { // names the place of the credential
		return false
	}
	return isLiteral(value) && slices.ContainsFunc(secretWords, func(w string) bool { return strings.Contains(name, w) })
}

// isLiteral reports text that comes neither from the environment nor from an argument.
func isLiteral(value string) bool {
	return len(value) >= 4 && !strings.Contains(value, "${") && !strings.HasPrefix(value, "$") && !strings.HasPrefix(value, "{")
}

func (b *builder) lintSecretURL(n *source.Node) {
	text := n.Text()
	for _, form := range []*regexp.Regexp{urlPassword, dsnPassword} {
		if m := form.FindStringSubmatch(text); m != nil && isLiteral(m[1]) {
			b.warnSecret(n)
			return
		}
	}
	for _, m := range urlQuery.FindAllStringSubmatch(text, -1) {
		if isSecret(m[1], m[2]) {
			b.warnSecret(n)
			return
		}
	}
	if secretForms.MatchString(text) {
		b.warnSecret(n)
	}
}

// Limits of lintDominated: nine of ten spans, or four of five, teach one value and not the words
// around a value.
const (
	dominatedSpans = 5
	dominatedShare = 0.8
)

// lintDominated finds params whose marked spans nearly all have the same value.
func (b *builder) lintDominated() {
	type tally struct {
		total  int
		counts map[string]int
		first  map[string]source.Position // by value: where it is marked first
	}
	byParam := map[string]*tally{}
	var order []string
	for _, in := range slices.Concat(b.agent.Intents, b.agent.System) {
		for _, e := range in.Examples {
			for _, s := range e.Spans {
				t := byParam[s.Param]
				if t == nil {
					t = &tally{counts: map[string]int{}, first: map[string]source.Position{}}
					byParam[s.Param] = t
					order = append(order, s.Param)
				}
				value := strings.ToLower(s.Value)
				if t.counts[value] == 0 {
					t.first[value] = e.Pos
				}
				t.counts[value]++
				t.total++
			}
		}
	}
	for _, param := range order {
		t := byParam[param]
		for value, n := range t.counts { // at most one passes
			if t.total < dominatedSpans || float64(n) < dominatedShare*float64(t.total) {
				continue
			}
			b.problems = append(b.problems, source.Problem{
				Code: source.OneValue, Pos: t.first[value], Severity: source.SeverityWarning,
				Message: fmt.Sprintf("%d of the %d marked values of param %q are %q", n, t.total, param, value),
				Hint:    "mark different values, as people really give them",
			})
		}
	}
}

// lintForgotten finds a `set` of a declared param that is dropped with its task.
func (b *builder) lintForgotten(in *Intent, name string, n *source.Node) {
	if p := b.agent.Params[name]; p != nil && p.Scope != ScopeSession && in.Param(name) == nil {
		b.problems.Warn(source.Forgotten, n, fmt.Sprintf("param %q is forgotten when this task ends: the intent does not list it, and its scope is plan", name),
			"give the param scope: session, or list it under the intent's optional params")
	}
}

// lintDerived finds a param filled by a tool that no task can fill.
func (b *builder) lintDerived() {
	for name, p := range b.agent.Params {
		if p.Scope == ScopeSession || !slices.ContainsFunc(p.ParamMapping, func(s Source) bool { return s.From == "tool" }) {
			continue
		}
		if !slices.ContainsFunc(b.agent.Intents, func(in *Intent) bool { return in.Param(name) != nil }) {
			b.problems.Warn(source.Unfillable, b.root.Get("params").Get(name).Get("param_mapping"),
				fmt.Sprintf("no tool can fill param %q: no intent lists it, and its scope is plan", name), "give the param scope: session, or list it under an intent's optional params")
		}
	}
}

// lintLanguage reports what stays English in an agent of another language, because neither the
// language's tables nor the file have it.
func (b *builder) lintLanguage() {
	a := b.agent
	if a.English() {
		return
	}
	stays := b.staysEnglish()
	if len(stays) == 0 {
		return
	}
	b.problems.Warn(source.LanguageTables, b.root.Get("agent").Get("language"), fmt.Sprintf("language %q: these stay English: %s", a.Language, strings.Join(stays, "; ")),
		"give examples under system: and texts under responses: (system.help and so on); docs/howto/languages.md says how a language gets tables of its own")
}

// staysEnglish lists what an agent of another language has in English only.
func (b *builder) staysEnglish() []string {
	a := b.agent
	var stays, intents []string
	own, over := systemOf(a.Language), b.root.Get("system")
	for _, in := range a.System {
		given := over.Get(in.ID)
		if (own == nil || !own.Get("system").Has(in.ID)) && !given.Has("examples") && !given.Has("examples_from") {
			intents = append(intents, in.ID)
		}
	}
	if len(intents) > 0 {
		stays = append(stays, "the examples of "+naming.JoinAnd(intents))
	}
	english := 0
	for id := range systemResponses {
		if b.replaced[id] == nil && !b.spoken[id] {
			english++
		}
	}
	if english > 0 {
		stays = append(stays, fmt.Sprintf("%d of the %d built-in responses", english, len(systemResponses)))
	}
	for _, t := range languageTables {
		if !slices.ContainsFunc(t.files, func(file string) bool { return language.Has(a.Language, file) }) {
			stays = append(stays, t.stays)
		}
	}
	if a.words == nil {
		stays = append(stays, "yes, no and lists in replies, whose dates and money are said as tools have them")
	}
	return stays
}

// languageTables are the files of a language's folder that other packages read, and what stays
// English without all of them.
var languageTables = []struct {
	files []string
	stays string
}{
	{[]string{"phrases.txt"}, "what is recognised as yes, no, stop, help and thanks beside the examples above"},
	{[]string{"gloss.txt"}, "the small words that corrections and conditions are read by"},
	{[]string{"values.txt"}, "dates, times and numbers in messages"},
}

// lintUndo finds an inverse that must ask for a param that the task it reverses does not have: it
// starts with that task's params.
func (b *builder) lintUndo(in *Intent, n *source.Node) {
	if in.Undo == nil {
		return
	}
	for _, p := range in.Undo.Required {
		if in.Param(p.Name) == nil {
			b.problems.Warn(source.UndoParams, n.Get("undo"), fmt.Sprintf("param %q of %q is none of this intent, so it would be asked for again", p.Name, in.Undo.ID), "give both intents the param, or remove undo")
		}
	}
	shared := false
	for _, p := range in.Undo.AllParams() {
		shared = shared || in.Param(p.Name) != nil
	}
	if !shared && len(in.Undo.Required) == 0 {
		b.problems.Warn(source.UndoParams, n.Get("undo"), fmt.Sprintf("%q shares no param with this intent, so it does not know what to take back", in.Undo.ID), "give both intents the param that says what, or remove undo")
	}
}

// Names in a text as an author writes them: {name.field}, and $name. What begins with two dollar signs, or is
// ${NAME} of the environment, is none of them.
var (
	bracedName = regexp.MustCompile(`(?:^|[^${]){(\w+)(?:\.\w+)*}`)
	dollarName = regexp.MustCompile(`(?:^|[^$])\$(\w+)`)
	innerName  = regexp.MustCompile(`[^$]\$(\w+)`) // a whole text $name is filled in
)

// literal says for a key of a tool which names in its texts stand for themselves, and the remedy.
type literal struct {
	key, hint string
	forms     []*regexp.Regexp
}

const wholeName = "only a whole text $name is filled in here; make a text of several values in the tool"

var (
	argLiterals  = []literal{{"with", wholeName, []*regexp.Regexp{bracedName, innerName}}, {"set", wholeName, []*regexp.Regexp{bracedName, innerName}}}
	toolLiterals = []literal{
		{"params", wholeName, []*regexp.Regexp{bracedName, innerName}},
		{"body", wholeName, []*regexp.Regexp{bracedName, innerName}},
		{"headers", "only ${NAME} of the environment is filled in here; send it in params or body", []*regexp.Regexp{bracedName, dollarName}},
		{"env", "only ${NAME} of the environment is filled in here; give it in command", []*regexp.Regexp{bracedName, dollarName}},
		{"query", "write :name", []*regexp.Regexp{bracedName, dollarName}},
		{"url", "write {name}", []*regexp.Regexp{dollarName}},
		{"command", "write {name}", []*regexp.Regexp{dollarName}},
	}
)

// lintLiterals finds texts of calls and tools in which the name of a value stands for itself.
func (b *builder) lintLiterals() {
	names := b.allNames()
	for _, in := range slices.Concat(b.agent.Intents, b.agent.System) {
		Walk(in.Plan, func(s *Step) {
			for _, l := range argLiterals {
				b.lintLiteral(b.steps[s].Get(l.key), names, l)
			}
		})
	}
	for _, args := range b.givenArguments() {
		maps.Copy(names, args)
	}
	for _, e := range b.root.Get("tools").Entries() {
		for _, l := range toolLiterals {
			b.lintLiteral(e.Value.Get(l.key), names, l)
		}
	}
}

// lintLiteral reports the names that the texts below a node have.
func (b *builder) lintLiteral(n *source.Node, names map[string]bool, l literal) {
	for _, e := range n.Entries() {
		b.lintLiteral(e.Value, names, l)
	}
	for _, item := range n.Items() {
		b.lintLiteral(item, names, l)
	}
	for _, form := range l.forms {
		for _, m := range form.FindAllStringSubmatch(n.Text(), -1) {
			if names[m[1]] {
				b.problems.Warn(source.LiteralName, n, fmt.Sprintf("%q is used as it is written, not as a value", m[1]), l.hint)
			}
		}
	}
}
