package probe

import (
	"slices"
	"strings"

	"github.com/slotway/slotway/classifier/linear"
	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
)

// tokens are the words of a text in lower case and without apostrophes, and "" where a mark ends
// what belongs together. A hyphen goes on a word.
func tokens(text string) []string {
	cut := message.Tokenize(text, nil)
	var out []string
	for i := 0; i < len(cut); {
		end := message.RunEnd(cut, i, func(k int) bool {
			return cut[i].InWord() && (cut[k].InWord() || cut[k].IsApostrophe() || cut[k].Text == "-")
		})
		switch word := apostrophes.Replace(strings.ToLower(text[cut[i].Start:cut[end-1].End])); {
		case cut[i].InWord():
			out = append(out, word)
		case !cut[i].IsApostrophe():
			out = append(out, "")
		}
		i = end
	}
	return out
}

var apostrophes = strings.NewReplacer("'", "", "\u2019", "")

// stems are the stems of the words of a text that name something, sorted.
func stems(text string) []string {
	var out []string
	for _, w := range tokens(text) {
		if w != "" && !linear.Function(w) {
			out = append(out, message.StemOf(w))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// exampleStems are the stems of each example of what an agent serves, without the values that
// are marked in it.
func exampleStems(agent *config.Agent) [][]string {
	var out [][]string
	for _, in := range agent.Intents {
		for _, e := range in.Examples {
			if s := stems(bare(e)); len(s) > 0 && !slices.ContainsFunc(out, func(o []string) bool { return slices.Equal(o, s) }) {
				out = append(out, s)
			}
		}
	}
	return out
}

// bare is an example without the values that are marked in it.
func bare(e config.Example) string {
	text := []rune(e.Text)
	for i := len(e.Spans) - 1; i >= 0; i-- {
		text = slices.Replace(text, e.Spans[i].Start, e.Spans[i].End, ' ', '.', ' ')
	}
	return string(text)
}

// serves reports whether a request is an example in other words: what names something in it has the
// same stems. One that says more than an example ("change the address on my policy") may well be
// what the agent does not serve.
func serves(examples [][]string, request []string) bool {
	return slices.ContainsFunc(examples, func(e []string) bool { return slices.Equal(e, request) })
}
