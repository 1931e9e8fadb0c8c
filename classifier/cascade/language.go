package cascade

import (
	"github.com/slotway/slotway/classifier/linear"
	"github.com/slotway/slotway/classifier/message/script"
	"github.com/slotway/slotway/config"
)

// speak drops the parts that do not know the agent's language. The word vectors come from English
// texts: words that another language shares with them by chance have another meaning there, and all
// others would look like noise.
func (o *Options) speak(agent *config.Agent, l *linear.Options) {
	l.Language = agent.Language
	if !agent.English() {
		l.Embedder, o.Words = nil, nil
	}
}

// unitsOfWord is the usual number of units of a word in a script without spaces.
const unitsOfWord = 2

// spoken counts the words of pieces. A run without spaces is one piece of several words.
func spoken(pieces []piece) int {
	n := len(pieces)
	for i := range pieces {
		n += max(script.Units(pieces[i].key)-1, 0) / unitsOfWord
	}
	return n
}
