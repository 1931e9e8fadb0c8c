package eval

import (
	"slices"
	"strings"
	"testing"

	"github.com/slotway/slotway/classifier/cascade"
	"github.com/slotway/slotway/classifier/linear"
	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/source"
)

// lexicon is a table of English words, the most frequent first.
type lexicon []string

func (lexicon) Model() string                   { return "lexicon" }
func (lexicon) Dimension() int                  { return 1 }
func (lexicon) EmbedInto(d []float32, _ string) { d[0] = 1 }
func (l lexicon) Knows(word string) bool        { return slices.Contains(l, word) }
func (l lexicon) Rank(word []byte) (int, bool) {
	at := slices.Index(l, string(word))
	return at, at >= 0
}

func TestLintLanguage(t *testing.T) {
	english := strings.Repeat("where is my order [O-12345](id) please cancel it and send the money back to me now|", 4)
	german := strings.Repeat("wo ist meine bestellung [O-12345](id) bitte stornieren und das geld zurück an mich die order|", 4)
	learn := &cascade.Options{Linear: &linear.Options{Embedder: lexicon(strings.Fields(english))}}
	for _, tc := range []struct{ tag, examples, want string }{
		{"en", english, ""},
		{"de", german, ""},
		{"en-GB", german, "the agent speaks English"},
		{"", german, "the agent speaks English"},
		{"de", english, "the agent speaks German"},
		{"en", "ja|nein|wo ist es", ""}, // too few words to tell
		{"en", strings.Repeat("取消订单 吧|", 20), "the agent speaks English"},
	} {
		in := &config.Intent{ID: "task"}
		for i, text := range strings.Split(strings.Trim(tc.examples, "|"), "|") {
			e := config.Example{Text: text, Pos: source.Position{File: "a.yaml", Line: i + 7}}
			if at := strings.Index(text, "[O-12345](id)"); at >= 0 {
				e.Text = strings.Replace(text, "[O-12345](id)", "xyzzy plugh quux", 1)
				e.Spans = []config.Span{{Param: "id", Start: at, End: at + len("xyzzy plugh quux")}}
			}
			in.Examples = append(in.Examples, e)
		}
		got := LintLanguage(&config.Agent{Language: tc.tag, Intents: []*config.Intent{in}}, learn)
		switch {
		case tc.want == "" && len(got) > 0:
			t.Errorf("language %q: %v", tc.tag, got)
		case tc.want != "" && (len(got) != 1 || !strings.Contains(got[0].Message, tc.want) || got[0].Pos.Line != 7 || got[0].Severity != source.SeverityWarning):
			t.Errorf("language %q: %v, want one that says %q", tc.tag, got, tc.want)
		}
	}
	if got := LintLanguage(&config.Agent{}, nil); got != nil {
		t.Errorf("without a table of words: %v", got)
	}
}
