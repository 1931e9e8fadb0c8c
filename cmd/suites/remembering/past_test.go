package remembering

import (
	"testing"

	"github.com/slotway/slotway/internal/test/runtimetest"
)

// TestQuestionAboutThePastIsNoCommand: a question about what was said earlier is no command about
// the conversation. It neither resumes a task nor resets the session.
func TestQuestionAboutThePastIsNoCommand(t *testing.T) {
	t.Parallel()
	c := newCompanion(t)
	for _, text := range []string{
		"what did we discuss about JWT tokens?", "what did we discuss about boats?", "what did we discuss about prices?",
		"what did we discuss about my order", "what did we discuss about Redis?", "previous conversation please",
	} {
		if reply := c.turn("ann", "s", text); reply.Intent != "talk" {
			t.Errorf("%q is taken for %s: %q", text, reply.Intent, reply.Reply)
		}
	}
	for text, intent := range map[string]string{"can we go on where we left off": "resume", "let's go back": "resume", "new conversation please": "reset"} {
		if reply := c.turn("ann", "s", text); reply.Intent != intent {
			t.Errorf("%q is taken for %s, want %s", text, reply.Intent, intent)
		}
	}
}

// TestQuestionAboutThePastInOtherLanguages: the same in the other languages that have a model of
// dialogue acts.
func TestQuestionAboutThePastInOtherLanguages(t *testing.T) {
	t.Parallel()
	for language, texts := range map[string][]string{
		"de": {"was haben wir über Boote besprochen?", "das vorherige Gespräch bitte", "worüber haben wir letztes Mal gesprochen?"},
		"es": {"¿qué dijimos sobre los barcos?", "la conversación anterior por favor", "¿de qué hablamos la última vez?"},
		"fr": {"qu'est-ce qu'on a dit sur les bateaux ?", "la conversation précédente s'il te plaît", "de quoi avons-nous parlé la dernière fois ?"},
	} {
		c := newCompanionOf(t, runtimetest.CompanionAgent(t, "language: "+language))
		for _, text := range texts {
			if reply := c.turn("ann", "s", text); reply.Intent != "talk" {
				t.Errorf("%s: %q is taken for %s: %q", language, text, reply.Intent, reply.Reply)
			}
		}
	}
}
