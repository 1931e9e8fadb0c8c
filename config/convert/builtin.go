package convert

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/slotway/slotway/config"
)

var builtinSentences sync.Map // of map[string]string, by language

// BuiltinSentences returns the built-in intents of a language by their sentences, as config.Words gives these;
// none if the language is not known.
func BuiltinSentences(language string) map[string]string {
	language = cmp.Or(language, "en")
	if known, ok := builtinSentences.Load(language); ok {
		return known.(map[string]string)
	}
	const text = "version: 1\nagent: {id: a, language: %q}\nresponses: {a: a}\nintents: [{id: a, answer_only: true, examples: [a], plan: [{respond: a}]}]\n"
	agent, err := config.Parse(AgentFile, fmt.Appendf(nil, text, language), "")
	if err != nil {
		return nil
	}
	sentences := map[string]string{}
	for _, in := range agent.System {
		for _, e := range in.Examples {
			if e.Asked == "" {
				sentences[config.Words(e.Text)] = in.ID
			}
		}
	}
	builtinSentences.Store(language, sentences)
	return sentences
}

// meant are the built-in intents that an intent may be by its sentences. Those that steer a dialogue come
// first: a yes under another name answers no question.
var meant = []string{"affirm", "deny", "cancel", "reset", "repeat", "skip", "human", "greet", "goodbye"}

// Means returns the built-in intent that an intent is: by its name, or by its sentences, half of which that one
// has; "" if it is none.
func Means(language, name string, sentences []string) string {
	if id := Snake(name); slices.Contains(config.SystemIntents, id) {
		return id
	}
	known, counts := BuiltinSentences(language), map[string]int{}
	for _, text := range sentences {
		counts[known[config.Words(text)]]++
	}
	for _, id := range meant {
		if counts[id] > 0 && 2*counts[id] >= len(sentences) {
			return id
		}
	}
	return ""
}

// YesNo tells an intent that answers a question with yes or no: by its sentences, or by a word of its name. A no
// counts first, since confirm.no is one. "": it is neither.
func YesNo(language, name string, sentences []string) (answer string) {
	words := strings.Split(Snake(name), "_")
	for _, id := range append(words, Means(language, "", sentences)) {
		switch {
		case id == "deny" || BuiltinSentences("en")[id] == "deny":
			return "no"
		case id == "affirm" || BuiltinSentences("en")[id] == "affirm":
			answer = "yes"
		}
	}
	return answer
}
