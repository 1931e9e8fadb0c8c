package config

import (
	"cmp"
	"slices"
	"strings"

	"github.com/slotway/slotway/config/language"
	"github.com/slotway/slotway/config/phrase"
)

// factNames are what every built-in response may name: the assistant's name, its language
// and what it can do.
var factNames = []string{"agent", "language", "tasks"}

// maxTasks is how many tasks a sentence lists; of more it lists one less, and "more".
const maxTasks = 8

// Name is what the assistant is called in front of users: its id as words, where the file
// gives one, else "".
func (a *Agent) Name() string { return a.name }

// Tasks are the intents that may be offered: neither answers nor the fallback.
func (a *Agent) Tasks() []*Intent {
	var tasks []*Intent
	for _, in := range a.Intents {
		if !in.AnswerOnly && in.ID != a.Classifier.Fallback {
			tasks = append(tasks, in)
		}
	}
	return tasks
}

// LanguageName is the agent's language as it calls itself where its responses are built in,
// else [Agent.EnglishLanguageName].
func (a *Agent) LanguageName() string {
	if name, ok := language.Read(a.Language, "name.txt"); ok {
		return strings.TrimSpace(string(name))
	}
	return a.EnglishLanguageName()
}

// EnglishLanguageName is the agent's language as English calls it; its tag where that is not
// known.
func (a *Agent) EnglishLanguageName() string {
	return language.EnglishName(a.Language)
}

// english reports whether the agent speaks English, as the built-in texts do.
func (a *Agent) english() bool { return language.Base(a.Language) == language.English }

// facts are what the built-in responses may name. Tasks are called in the agent's language,
// so an English sentence of an agent that speaks another one does without them.
func (b *builder) facts() {
	a := b.agent
	base := map[string]any{"agent": a.name, "language": a.LanguageName(), "tasks": nil}
	own := map[string]any{"agent": a.name, "language": a.LanguageName(), "tasks": a.phrases()}
	for id, r := range a.BuiltIn {
		facts := base
		if r.Own = a.english() || b.spoken[id] || b.replaced[id] != nil; r.Own {
			facts = own
		}
		for _, v := range r.Variants {
			v.SetFacts(facts)
		}
	}
}

// phrases are the tasks as they stand within a sentence, each once.
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

// Phrase is how an intent is called within a sentence: "freeze a card".
func (a *Agent) Phrase(in *Intent) string { return a.within(in.Called()) }

// within is a title as it stands within a sentence.
func (a *Agent) within(title string) string {
	s := strings.TrimRight(title, " .!")
	if a.english() {
		s = phrase.Uncapital(s)
	}
	return s
}

// Show says a param's value in words of the agent's language, as a text does: dates, times,
// ranges, durations, money, booleans and lists. Any other value is as Display has it.
func (a *Agent) Show(p *Param, value any) string {
	kind := ""
	if p != nil && p.Type != nil {
		kind = p.Type.Builtin
	}
	return a.words.Format(value, "", kind)
}

// And joins items in the agent's language as people list things.
func (a *Agent) And(items []string) string { return a.words.JoinAnd(items) }

// Or joins alternatives in the agent's language.
func (a *Agent) Or(items []string) string { return a.words.JoinOr(items) }

// kindOf returns the built-in type of a param, "" of a name that is no param.
func (a *Agent) kindOf(param string) string {
	if p := a.Params[param]; p != nil {
		return p.Type.Builtin
	}
	return ""
}
