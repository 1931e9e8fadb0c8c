package eval

import (
	"fmt"

	"github.com/slotway/slotway/classifier/cascade"
	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/language"
	"github.com/slotway/slotway/config/source"
)

// Bounds of the words of an agent's examples that a table of English words knows. English
// agents were seen from 0.89 on, of which the frequent words alone are 0.52 and more; German,
// Spanish and French ones up to 0.49 and 0.27.
const (
	languageLeast  = 30   // words that are counted
	foreignBelow   = 0.67 // of all words
	englishFrom    = 0.85
	frequentFrom   = 0.4 // of the frequent ones
	frequentPlaces = 3000
)

// englishWords is the part of a table of word vectors that knows words.
type englishWords interface {
	Knows(word string) bool
	Rank(word []byte) (rank int, ok bool)
}

// LintLanguage warns where an agent's language is not that of its examples. What is learned
// from them then has the word vectors of another language, or lacks those of its own. learn has
// the word vectors; without them nobody knows.
func LintLanguage(agent *config.Agent, learn *cascade.Options) source.Problems {
	if learn == nil || learn.Linear == nil {
		return nil
	}
	table, ok := learn.Linear.Embedder.(englishWords)
	if !ok {
		return nil
	}
	known, frequent, all, pos := wordsKnown(agent, table)
	if all < languageLeast {
		return nil
	}
	problem := source.Problem{Code: source.ExampleLanguage, Pos: pos, Path: "agent.language", Severity: source.SeverityWarning}
	known, frequent = known/all, frequent/all
	switch english := language.Base(agent.Language) == language.English; {
	case english && known < foreignBelow:
		problem.Message = fmt.Sprintf("the agent speaks English, but %.0f in 100 words of its examples are none", 100*(1-known))
		problem.Hint = "name the language of the examples, such as language: de: what is known of English words is then left out"
	case !english && known >= englishFrom && frequent >= frequentFrom:
		problem.Message = fmt.Sprintf("the agent speaks %s, but %.0f in 100 words of its examples are English", agent.EnglishLanguageName(), 100*known)
		problem.Hint = "write the examples in the language that people write in, or say language: en, which brings the word vectors"
	default:
		return nil
	}
	return source.Problems{problem}
}

// wordsKnown counts the words of an agent's examples, without those of marked values; pos is
// where the first of them stands.
func wordsKnown(agent *config.Agent, table englishWords) (known, frequent, all float64, pos source.Position) {
	for _, in := range agent.Intents {
		for _, e := range in.Examples {
			if all == 0 {
				pos = e.Pos
			}
			for _, w := range message.WordsOf(unmarked(e)) {
				all++
				if table.Knows(w) {
					known++
				}
				if at, ok := table.Rank([]byte(w)); ok && at < frequentPlaces {
					frequent++
				}
			}
		}
	}
	return known, frequent, all, pos
}

// unmarked is the text of an example with a space in the place of each marked value.
func unmarked(e config.Example) string {
	text := []rune(e.Text)
	for _, s := range e.Spans {
		for i := max(s.Start, 0); i < min(s.End, len(text)); i++ {
			text[i] = ' '
		}
	}
	return string(text)
}
