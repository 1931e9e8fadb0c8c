package config

import (
	"fmt"
	"strings"
)

// lintLanguage says what stays English in an agent that speaks another language: the tables
// of what people say are English, and so are the built-in intents and responses.
func (b *builder) lintLanguage() {
	a := b.agent
	if a.english() {
		return
	}
	at := b.root.Get("agent").Get("language")
	var stays, intents []string
	for _, in := range a.System {
		if !b.root.Get("system").Get(in.ID).Has("examples") && !b.root.Get("system").Get(in.ID).Has("examples_from") {
			intents = append(intents, in.ID)
		}
	}
	if len(intents) > 0 {
		stays = append(stays, "the examples of "+JoinAnd(intents))
	}
	if n := len(systemResponses) - len(b.replaced); n > 0 {
		stays = append(stays, fmt.Sprintf("%d of the %d built-in responses", n, len(systemResponses)))
	}
	stays = append(stays, "the phrases for yes, no and corrections", "dates, times and numbers in messages")
	if a.words == nil {
		stays = append(stays, "yes, no and lists in replies, whose dates and money are said as tools have them")
	}
	b.problems.Warn(at, fmt.Sprintf("language %q has no tables of its own, so these stay English: %s", a.Language, strings.Join(stays, "; ")), "give examples under system: and texts under responses: (system.help and so on)")
}
