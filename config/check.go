package config

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/slotway/slotway/config/expr"
	"github.com/slotway/slotway/config/naming"
	"github.com/slotway/slotway/config/phrase"
	"github.com/slotway/slotway/config/source"
)

// check reports references to things that do not exist.
func (b *builder) check() {
	for _, in := range slices.Concat(b.agent.Intents, b.agent.System) {
		n := b.intents[in]
		if n == nil {
			continue // a built-in intent without changes
		}
		if len(in.Plan) == 0 && !in.System {
			b.problems.Add(n, "has no plan", "add plan: with at least a respond step")
		}
		if in.System && len(in.Plan) == 0 && n.Has("plan") {
			b.problems.Add(n.Get("plan"), "is empty", "add a step or remove plan")
		}
		s := b.scopeOf(in)
		b.checkParams(in, s)
		b.checkSteps(in, in.Plan, s)
		b.checkConfirms(in)
	}
	for _, e := range b.root.Get("params").Entries() {
		if p := b.agent.Params[e.Key]; p != nil {
			b.checkParam(nil, p, &scope{names: b.allNames()})
		}
	}
	b.checkObjects()
	b.checkGiven()
	b.checkSummaries()
	b.checkNotServed()
	b.checkSystemResponses()
}

// scope is the set of names that may have a value at a point of a plan.
type scope struct {
	names    map[string]bool
	known    known
	standIns map[string]bool // names of known whose value is an example: a service may return more
}

func (s *scope) sorted() []string { return slices.Sorted(maps.Keys(s.names)) }

func (s *scope) with(more ...string) *scope {
	out := &scope{names: maps.Clone(s.names), known: s.known, standIns: s.standIns}
	for _, name := range more {
		out.names[name] = true
	}
	return out
}

// scopeOf starts with the intent's params and the session-scoped params, which an earlier task may
// have filled.
func (b *builder) scopeOf(in *Intent) *scope {
	s := &scope{names: map[string]bool{}, known: knownParams(slices.Collect(maps.Values(b.agent.Params))), standIns: map[string]bool{}}
	for _, p := range in.AllParams() {
		s.names[p.Name] = true
	}
	maps.Copy(s.known, knownParams(in.AllParams()))
	for name, p := range b.agent.Params {
		if p.Scope == ScopeSession {
			s.names[name] = true
		}
	}
	b.forgive(in, s)
	return s
}

// forgive adds the names that are missing only because of a reported problem, so that one
// misspelling is not reported at every use.
func (b *builder) forgive(in *Intent, s *scope) {
	n := b.intents[in]
	if b.broken(n.Get("params")) {
		for name := range b.agent.Params {
			s.names[name] = true
		}
	}
	for _, item := range n.Get("plan").Items() {
		if save := item.Get("save").Text(); save != "" && b.broken(item) {
			s.names[save] = true
		}
	}
}

// broken reports whether an error was found at a node or below it.
func (b *builder) broken(n *source.Node) bool {
	path := n.Path()
	return path != "" && slices.ContainsFunc(b.problems, func(p source.Problem) bool {
		rest, ok := strings.CutPrefix(p.Path, path)
		return ok && p.Severity != source.SeverityWarning && (rest == "" || rest[0] == '.' || rest[0] == '[')
	})
}

// allNames returns the names that anything in the agent fills.
func (b *builder) allNames() map[string]bool {
	names := map[string]bool{}
	for name := range b.agent.Params {
		names[name] = true
	}
	for _, in := range slices.Concat(b.agent.Intents, b.agent.System) {
		Walk(in.Plan, func(s *Step) {
			for _, name := range s.Writes {
				names[name] = true
			}
		})
	}
	return names
}

// need reports the names that nothing in scope fills.
func (b *builder) need(n *source.Node, names []string, s *scope, form string) {
	for _, name := range names {
		if !s.names[name] && !b.isClock(name) {
			b.problems.Fail(source.NothingFills, n, fmt.Sprintf("nothing fills "+form, name), suggest(name, s.sorted()))
		}
	}
}

func (b *builder) checkParams(in *Intent, s *scope) {
	saved := s.with()
	Walk(in.Plan, func(step *Step) {
		for _, name := range step.Writes {
			saved.names[name] = true
		}
	})
	for _, p := range in.AllParams() {
		if b.params[p].Kind() == source.KindMap {
			b.checkParam(in, p, saved)
		}
	}
}

// checkParam checks the declaration of a param. Its texts and conditions may use all names that the
// plans fill, since the question may come late.
func (b *builder) checkParam(in *Intent, p *Param, s *scope) {
	n := b.params[p]
	b.needText(n.Get("prompt"), p.Prompt, s)
	b.needText(n.Get("help"), p.Help, s)
	b.need(n.Get("when"), p.When.Names(), s, "%q")
	for i, t := range p.Reprompt {
		at := n.Get("reprompt")
		if i < len(at.Items()) {
			at = at.Items()[i]
		}
		if at != nil {
			b.needText(at, t, s)
		}
	}
	if v := n.Get("validation"); v != nil {
		b.needText(v.Get("invalid"), p.Validation.Invalid, s)
		b.need(v.Get("expr"), p.Validation.Expr.Names(), s.with("value"), "%q")
		for key, a := range p.Validation.With {
			b.needArg(v.Get("with").Get(key), a, s.with("value"))
		}
		b.checkValidationTool(v.Get("tool"), p.Validation.Tool)
	}
	for _, item := range n.Get("interruptions").Items() {
		if id := item.Text(); id != "" && b.agent.Intent(id) == nil {
			b.unknown(item, "intent", id, b.intentIDs())
		}
	}
	for i, source := range p.ParamMapping {
		items := n.Get("param_mapping").Items()
		if source.From == "tool" && source.Key != "" && i < len(items) {
			name, _, _ := strings.Cut(source.Key, ".")
			b.need(items[i].Get("key"), []string{name}, (&scope{names: b.allNames()}).with("result"), "%q")
		}
	}
}

func (b *builder) checkValidationTool(n *source.Node, name string) {
	if name == "" {
		return
	}
	t := b.agent.Tools[name]
	if t == nil {
		b.unknown(n, "tool", name, slices.Sorted(maps.Keys(b.agent.Tools)))
		return
	}
	if t.Effect == EffectWrite {
		b.problems.Add(n, fmt.Sprintf("tool %q changes the world, and a validation may be repeated at will", name), "name a tool with effect: read")
	}
}

// checkGiven reports placeholders of a tool's templates that no call gives: they would be empty in
// every request. It skips tools that nothing calls, and those from an OpenAPI document.
func (b *builder) checkGiven() {
	given := b.givenArguments()
	for _, name := range slices.Sorted(maps.Keys(b.agent.Tools)) {
		t, n := b.agent.Tools[name], b.root.Get("tools").Get(name)
		args := given[name]
		if args == nil || t.OpenAPI != "" || b.broken(n) {
			continue
		}
		if properties, ok := t.Input["properties"].(map[string]any); ok {
			for property := range properties {
				args[property] = true
			}
		}
		s := &scope{names: args}
		for i, source := range t.Command {
			if items := n.Get("command").Items(); i < len(items) {
				braces := "write {{%s}} for the braces themselves"
				if strings.Contains(source, "$${") {
					braces = "write $${{%s}} for a ${ and its braces themselves"
				}
				b.needGiven(items[i], expandedTemplate(source).Names(), s, "{%s}", braces)
			}
		}
		b.needGiven(n.Get("url"), expandedTemplate(t.URL).Names(), s, "{%s}", "")
		b.needGiven(n.Get("query"), sqlNames(t.Query), s, ":%s", "")
		for key, a := range t.Params {
			b.needGiven(n.Get("params").Get(key), a.Names(), s, "$%s", "")
		}
		b.needGiven(n.Get("body"), expr.Arg{Literal: t.Body}.Names(), s, "$%s", "")
	}
}

func (b *builder) needGiven(n *source.Node, names []string, s *scope, form, or string) {
	if n == nil {
		return
	}
	for _, name := range names {
		if s.names[name] {
			continue
		}
		hint := naming.Suggest(name, s.sorted())
		if or != "" {
			hint += "; " + fmt.Sprintf(or, name)
		}
		b.problems.Add(n, fmt.Sprintf("no call of the tool gives "+form, name), hint)
	}
}

// givenArguments returns the names of the arguments of every tool that a plan calls.
func (b *builder) givenArguments() map[string]map[string]bool {
	given := map[string]map[string]bool{}
	add := func(tool string, with map[string]expr.Arg) {
		if given[tool] == nil {
			given[tool] = map[string]bool{}
		}
		for name := range with {
			given[tool][name] = true
		}
	}
	validates := func(p *Param) {
		switch v := p.Validation; {
		case v.Tool == "":
		case v.With == nil:
			add(v.Tool, map[string]expr.Arg{p.Name: {}})
		default:
			add(v.Tool, v.With)
		}
	}
	for _, p := range b.agent.Params {
		validates(p)
	}
	for _, in := range slices.Concat(b.agent.Intents, b.agent.System, b.agent.Elements) {
		for _, p := range in.AllParams() {
			validates(p)
		}
		Walk(in.Plan, func(s *Step) {
			if s.Kind == StepCall {
				add(s.Tool, s.With)
			}
		})
	}
	return given
}

// expandedTemplate parses a template with an x for each variable. A template that cannot be
// expanded is reported elsewhere, and is empty here.
func expandedTemplate(text string) *expr.Template {
	expanded, err := source.Expand(text, func(string) (string, bool) { return "x", true })
	if err != nil {
		expanded = ""
	}
	return expr.ParseTemplate(expanded)
}

var (
	sqlComments = regexp.MustCompile(`(?s)--[^\n]*|/\*.*?\*/`)
	sqlName     = regexp.MustCompile(`(?:^|[^:\w]):([A-Za-z_]\w*)`)
)

// sqlNames returns the names of a query's placeholders, outside of quotes and comments.
func sqlNames(query string) []string {
	var names []string
	for _, m := range sqlName.FindAllStringSubmatch(sqlComments.ReplaceAllString(withoutQuotes(query), " "), -1) {
		if !slices.Contains(names, m[1]) {
			names = append(names, m[1])
		}
	}
	return names
}

// known maps a name to what the file tells about its value at a point of a plan: an example whose
// keys are all the keys it has. A name without an entry may hold anything.
type known map[string]any

// knownParams returns the params; their values have no fields.
func knownParams(params []*Param) known {
	k := known{}
	for _, p := range params {
		if !p.List {
			k[p.Name] = ""
		}
	}
	return k
}

// learn adds what a step writes. A name that is written twice may hold either value.
func (s *scope) learn(b *builder, in *Intent, step *Step) {
	write := func(name string, value any, sure bool) {
		switch {
		case in.Param(name) != nil: // a param stays a param
		case !sure || s.names[name]:
			delete(s.known, name)
		default:
			s.known[name] = value
		}
	}
	switch step.Kind {
	case StepCall:
		if step.Save != "" {
			t := b.agent.Tools[step.Tool]
			value, sure := t.yields()
			write(step.Save, value, sure)
			if sure && t.Kind == "static" {
				s.standIns[step.Save] = true
			}
		}
	case StepRun:
		for name := range step.Saves {
			write(name, nil, false)
		}
	case StepSet:
		for name, a := range step.Set {
			write(name, a.Literal, len(a.Names()) == 0)
		}
	}
}

// yields returns an example of a tool's result if the file tells one.
func (t *Tool) yields() (any, bool) {
	switch {
	case t == nil:
		return nil, false
	case t.Kind == "static":
		return t.Value, t.Value != nil
	case t.Kind == "sql":
		row, ok := selected(t.Query)
		if t.One {
			return row, ok
		}
		return []any{row}, ok
	}
	return nil, false
}

var (
	selectList = regexp.MustCompile(`(?is)^\s*SELECT\s+(?:DISTINCT\s+)?(.*?)\sFROM\s`)
	sqlColumn  = regexp.MustCompile(`(?is)^(?:.*\sAS\s+|(?:\w+\.)*)(\w+)$`)
)

// selected returns the column names of a plain SELECT; ok is false if one of them cannot be told.
func selected(query string) (row map[string]any, ok bool) {
	m := selectList.FindStringSubmatch(withoutQuotes(query))
	if m == nil || strings.ContainsAny(m[1], "()") {
		return nil, false // a function or a subquery: its commas separate no columns
	}
	row = map[string]any{}
	for item := range strings.SplitSeq(m[1], ",") {
		name := sqlColumn.FindStringSubmatch(strings.TrimSpace(item))
		if name == nil {
			return nil, false
		}
		row[name[1]] = nil
	}
	return row, true
}

// needPaths reports paths that do not exist in the values under their names; where names the step,
// for a text that several steps say.
func (b *builder) needPaths(n *source.Node, paths [][]string, s *scope, where string) {
	for _, path := range paths {
		if at, wrong := expr.Astray(s.known, path); wrong {
			before := strings.Join(path[:at], ".")
			inside, _ := expr.Lookup(s.known, path[:at])
			report := b.problems.Add
			if s.standIns[path[0]] {
				report = func(at *source.Node, message, hint string) { b.problems.Warn(source.UnknownPath, at, message, hint) }
			}
			report(n, fmt.Sprintf("%s has no %s%s", before, path[at], where), insideHint(before, path[at], inside))
		}
	}
}

// needPlaceholders reports placeholders in a tool's command or URL whose path does not exist in the
// argument of a call.
func (b *builder) needPlaceholders(step *Step, n *source.Node, s *scope) {
	t := b.agent.Tools[step.Tool]
	if t == nil {
		return
	}
	for _, source := range append([]string{t.URL}, t.Command...) {
		for _, part := range expandedTemplate(source).Parts {
			if len(part.Path) < 2 {
				continue
			}
			if ref := step.With[part.Path[0]].Ref; ref != nil {
				path := append(slices.Clone(ref), part.Path[1:]...)
				b.needPaths(n.Get("with").Get(part.Path[0]), [][]string{path}, s, fmt.Sprintf(", which {%s} of tool %s names", strings.Join(part.Path, "."), t.Name))
			}
		}
	}
}

// checkSummaries reports paths of a tool's summary that do not exist in its result.
func (b *builder) checkSummaries() {
	for _, name := range slices.Sorted(maps.Keys(b.agent.Tools)) {
		t := b.agent.Tools[name]
		value, sure := t.yields()
		items := b.root.Get("tools").Get(name).Get("summary").Items()
		if !sure || len(items) != len(t.Summary) {
			continue
		}
		for i, text := range t.Summary {
			path := append([]string{"result"}, strings.Split(text, ".")...)
			if at, wrong := expr.Astray(map[string]any{"result": value}, path); wrong {
				inside, _ := expr.Lookup(map[string]any{"result": value}, path[:at])
				hint := insideHint(strings.Join(path[1:at], "."), path[at], inside)
				hint = strings.Replace(hint, "write .", "write ", 1) // the result itself has no name
				b.problems.Warn(source.UnknownPath, items[i], fmt.Sprintf("the result of tool %s has no %s", name, strings.Join(path[1:at+1], ".")), hint)
			}
		}
	}
}

func insideHint(before, name string, inside any) string {
	switch v := inside.(type) {
	case map[string]any:
		return naming.Suggest(name, slices.Sorted(maps.Keys(v)))
	case []any:
		return fmt.Sprintf("it is a list; write %s.0.%s", before, name)
	}
	return "it is one value; write " + before
}

// needText and needArg report names and paths of a text or an argument that nothing fills.
func (b *builder) needText(n *source.Node, t *phrase.Text, s *scope) {
	b.need(n, t.Names(), s, "{%s}")
	b.needPaths(n, t.Paths(), s, "")
}

func (b *builder) needArg(n *source.Node, a expr.Arg, s *scope) {
	b.need(n, a.Names(), s, "$%s")
	b.needPaths(n, a.Paths(), s, "")
}

// checkSteps walks a plan in order and adds what each step fills to s. Names filled in one branch
// of a block count after the block: the author may test them for nil.
func (b *builder) checkSteps(in *Intent, steps []*Step, s *scope) {
	for _, step := range steps {
		n := b.steps[step]
		b.need(n.Get("when"), step.When.Names(), s, "%q")
		b.checkStep(in, step, n, s)
		b.checkSteps(in, step.Then, s)
		b.checkSteps(in, step.Else, s)
		if step.Kind == StepWhen {
			step.Reads = stepReads(step) // its inner steps now know what their responses read
		}
		s.learn(b, in, step)
		for _, name := range step.Writes {
			s.names[name] = true
		}
	}
}

func (b *builder) checkStep(in *Intent, step *Step, n *source.Node, s *scope) {
	switch step.Kind {
	case StepAsk:
		b.needParam(in, n.Get("ask"), step.Param)
	case StepCall:
		b.checkCall(in, step, n, s)
	case StepChoose:
		b.needParam(in, n.Get("choose"), step.Param)
		b.needArg(n.Get("from"), step.From, s)
	case StepConfirm:
		b.needText(n.Get("confirm"), step.Text, s)
		b.needText(n.Get("help"), step.Help, s)
		if step.Denied != "" {
			b.needResponse(step.Denied, n.Get("denied"), s)
		}
	case StepRespond:
		b.say(step, step.Response, n.Get("respond"), s)
	case StepGenerate:
		b.needText(n.Get("generate"), step.Text, s)
		b.say(step, step.Response, n.Get("else"), s)
	case StepRun:
		b.checkRun(in, step, n, s)
	case StepSet:
		for name, a := range step.Set {
			b.needArg(n.Get("set").Get(name), a, s)
			b.lintForgotten(in, name, n.Get("set").Get(name))
		}
	}
}

// say checks a response and adds the names in its texts to those that the step reads.
func (b *builder) say(step *Step, id string, at *source.Node, s *scope) {
	if id == "" {
		return
	}
	b.needResponse(id, at, s)
	set := map[string]bool{}
	for _, name := range step.Reads {
		set[name] = true
	}
	if r := b.agent.Response(id); r != nil {
		for _, v := range r.Variants {
			for _, name := range v.Names() {
				set[name] = true
			}
		}
	}
	step.Reads = slices.Sorted(maps.Keys(set))
}

func (b *builder) checkCall(in *Intent, step *Step, n *source.Node, s *scope) {
	if step.Tool != "" && b.agent.Tools[step.Tool] == nil {
		b.unknown(n.Get("call"), "tool", step.Tool, slices.Sorted(maps.Keys(b.agent.Tools)))
	}
	for name, a := range step.With {
		b.needArg(n.Get("with").Get(name), a, s)
	}
	b.lintUnread(step, n)
	b.checkClockArguments(step, n)
	b.needPlaceholders(step, n, s)
	b.checkOnError(in, step, n, s)
}

// lintUnread finds arguments that the query of a tool does not read. Most are keys of the step, indented too far.
func (b *builder) lintUnread(step *Step, n *source.Node) {
	t := b.agent.Tools[step.Tool]
	if t == nil || t.Query == "" {
		return
	}
	read := sqlNames(t.Query)
	for _, e := range n.Get("with").Entries() {
		if !slices.Contains(read, e.Key) {
			b.problems.Warn(source.Unused, e.Value, fmt.Sprintf("the query of tool %q has no :%s", t.Name, e.Key), "remove the argument; a key of the step is indented as with is")
		}
	}
}

// checkOnError checks what a step does about its errors.
func (b *builder) checkOnError(in *Intent, step *Step, n *source.Node, s *scope) {
	for code, o := range step.OnError {
		at := n.Get("on_error").Get(code)
		if o.Respond != "" {
			b.needResponse(o.Respond, at.Get("respond"), s, "error")
		}
		for i, name := range o.Forget {
			if i < len(at.Get("forget").Items()) {
				b.needParam(in, at.Get("forget").Items()[i], name)
			}
		}
	}
}

func (b *builder) needParam(in *Intent, at *source.Node, name string) {
	if name == "" || in.Param(name) != nil {
		return
	}
	var known []string
	for _, p := range in.AllParams() {
		known = append(known, p.Name)
	}
	if b.agent.Params[name] != nil {
		b.problems.Add(at, fmt.Sprintf("param %q is not one of this intent", name), "list it under params: required, one_of or optional")
		return
	}
	b.unknown(at, "param", name, known)
}

// guards lists the confirms that may guard a step: before the step runs, the user has said yes to one
// of them. A nil entry is a path without a confirm. A plan that has ended has an empty set.
type guards []*Step

// checkConfirms sets what each confirm covers, and reports a write that can run without one.
func (b *builder) checkConfirms(in *Intent) {
	b.walkConfirms(in, in.Plan, guards{nil})
}

func (b *builder) walkConfirms(in *Intent, steps []*Step, g guards) guards {
	for _, step := range steps {
		switch step.Kind {
		case StepConfirm:
			if step.When == nil {
				g = guards{step}
			} else {
				g = g.plus(step) // the confirm may be skipped
			}
		case StepCall:
			b.cover(in, step, g)
		case StepWhen:
			then := b.walkConfirms(in, step.Then, slices.Clone(g))
			g = then.plus(b.walkConfirms(in, step.Else, slices.Clone(g))...)
		}
		if step.End && step.When == nil {
			return guards{}
		}
	}
	return g
}

func (g guards) plus(more ...*Step) guards {
	out := slices.Clone(g)
	for _, s := range more {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

func (b *builder) cover(in *Intent, call *Step, g guards) {
	t := b.agent.Tools[call.Tool]
	if t == nil || t.Effect != EffectWrite {
		return
	}
	for _, confirm := range g {
		if confirm != nil {
			confirm.Covers = append(confirm.Covers, call.ID)
		}
	}
	if !b.root.Get("tools").Get(t.Name).Has("effect") {
		return // reported elsewhere, and it may be no write
	}
	if slices.Contains(g, nil) && in.Policy.ConfirmWrites {
		b.problems.Fail(source.Unconfirmed, b.steps[call].Get("call"), fmt.Sprintf("tool %q changes the world and can be reached without a confirm", call.Tool), "add a confirm step before it, without a condition of its own, or set confirm_writes: false")
	}
}
