package convert

import (
	"fmt"
	"strings"
	"sync"
	"unicode"

	"github.com/slotway/slotway/config"
)

var builtinSentences sync.Map // of map[string]string, by language

// BuiltinSentences returns the built-in intents of a language by their sentences, as Words gives these;
// none if the language is not known.
func BuiltinSentences(language string) map[string]string {
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
				sentences[Words(e.Text)] = in.ID
			}
		}
	}
	builtinSentences.Store(language, sentences)
	return sentences
}

// Words returns the words of a sentence in small letters, without punctuation.
func Words(text string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '\''
	}), " ")
}
