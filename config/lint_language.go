package config

import (
	"fmt"
	"slices"
	"strings"

	"github.com/slotway/slotway/config/language"
	"github.com/slotway/slotway/config/naming"
	"github.com/slotway/slotway/config/source"
)

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
