package cascade

import (
	"github.com/slotway/slotway/classifier/linear"
	"github.com/slotway/slotway/classifier/script"
	"github.com/slotway/slotway/config"
)

// speak leaves out what does not know the agent's language. The word vectors are of English
// texts: the words that another language shares with them by chance mean something else there,
// and what the table does not know would look like noise.
func (o *Options) speak(agent *config.Agent, l *linear.Options) {
	l.Language = agent.Language
	if !english(agent) {
		l.Embedder, o.Words = nil, nil
	}
}

// unitsOfWord is how many units of a script without spaces make a word, more or less.
const unitsOfWord = 2

// spoken is how many words pieces have: a run without spaces is one piece, and has several.
func spoken(pieces []piece) int {
	n := len(pieces)
	for i := range pieces {
		n += max(script.Units(pieces[i].key)-1, 0) / unitsOfWord
	}
	return n
}
