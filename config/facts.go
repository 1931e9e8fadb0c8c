package config

import (
	"cmp"
	"slices"
	"strings"

	"github.com/slotway/slotway/config/expr"
	"github.com/slotway/slotway/config/language"
	"github.com/slotway/slotway/config/phrase"
)

// factNames are the names that every built-in response may use: the assistant's name, its language
// and its tasks.
var factNames = []string{"agent", "language", "tasks"}

// maxTasks limits the tasks that a sentence lists; with more of them, it lists one less and then
// "more".
const maxTasks = 8

// Name returns the assistant's name for users: its id as words if the file gives one, else "".
func (a *Agent) Name() string { return a.name }

// Tasks returns the intents that may be offered: all but answers and the fallback.
func (a *Agent) Tasks() []*Intent {
	var tasks []*Intent
	for _, in := range a.Intents {
		if !in.AnswerOnly && !in.Internal && in.After == nil && in.ID != a.Classifier.Fallback {
			tasks = append(tasks, in)
		}
	}
	return tasks
}

// LanguageName returns the name of the agent's language in that language if it has built-in
// responses, else [Agent.EnglishLanguageName].
func (a *Agent) LanguageName() string {
	if name, ok := language.Read(a.Language, "name.txt"); ok {
		return strings.TrimSpace(string(name))
	}
	return a.EnglishLanguageName()
}

// EnglishLanguageName returns the English name of the agent's language; its tag if the name is not
// known.
func (a *Agent) EnglishLanguageName() string {
	return language.EnglishName(a.Language)
}

// English reports whether the agent speaks English, as the built-in texts do.
func (a *Agent) English() bool { return language.Base(a.Language) == language.English }

// facts sets what the built-in responses may name. The titles of tasks are in the agent's language,
// so an English response of an agent with another language goes without them.
func (b *builder) facts() {
	a := b.agent
	base := map[string]any{"agent": a.name, "language": a.LanguageName(), "tasks": nil}
	own := map[string]any{"agent": a.name, "language": a.LanguageName(), "tasks": a.phrases()}
	for id, r := range a.BuiltIn {
		facts := base
		if r.Own = a.English() || b.spoken[id] || b.replaced[id] != nil; r.Own {
			facts = own
		}
		for _, v := range r.Variants {
			v.SetFacts(facts)
		}
	}
}

// phrases returns the tasks in the form for a sentence, each once.
func (a *Agent) phrases() []any {
	var phrases []any
	for _, in := range a.Tasks() {
		s := a.within(cmp.Or(in.Title, in.Description))
		if s != "" && !slices.Contains(phrases, any(s)) {
			phrases = append(phrases, s)
		}
	}
	if more := a.words.More(); len(phrases) > maxTasks && more != "" {
		phrases = append(phrases[:maxTasks-1:maxTasks-1], more)
	}
	return phrases
}

// Phrase returns the name of an intent in the form for a sentence: "freeze a card".
func (a *Agent) Phrase(in *Intent) string { return a.within(in.Called()) }

// within returns a title in the form for a sentence.
func (a *Agent) within(title string) string {
	s := strings.TrimRight(title, " .!")
	if a.English() {
		s = phrase.Uncapital(s)
	}
	return s
}

// Show puts a param's value into words of the agent's language, as a text does: dates, times,
// ranges, durations, money, booleans and lists. It renders any other value as phrase.Display does.
func (a *Agent) Show(p *Param, value any) string {
	if list, ok := value.([]any); ok && p != nil && p.Objects != nil {
		value = p.Objects.Show.RenderEach(list)
	}
	kind := ""
	if p != nil && p.Type != nil {
		kind = p.Type.Builtin
	}
	return a.words.Format(value, "", kind)
}

// And joins items in the agent's language.
func (a *Agent) And(items []string) string { return a.words.JoinAnd(items) }

// Or joins alternatives in the agent's language.
func (a *Agent) Or(items []string) string { return a.words.JoinOr(items) }

// kindOf returns the built-in type of a param or of a value of the clock, "" for another name.
func (a *Agent) kindOf(param string) string {
	if p := a.Params[param]; p != nil {
		return p.Type.Builtin
	}
	if slices.Contains(a.Clock, param) {
		return expr.ClockKinds[param]
	}
	return ""
}
