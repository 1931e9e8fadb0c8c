package config

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

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
