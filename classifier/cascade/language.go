package cascade

import (
	"github.com/slotway/slotway/classifier/linear"
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
