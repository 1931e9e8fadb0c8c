package cascade

import (
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/slotway/slotway/classifier/linear"
	"github.com/slotway/slotway/config"
)

// named is an encoder that reads a noun in place of each masked value: "where is order?" for "where
// is O-1?", because the text without the value says little.
type named struct {
	linear.Embedder
	nouns []string // by class of mask
	room  sync.Pool
}

// name gives the encoder the nouns of the masked types.
func (c *Classifier) name(agent *config.Agent, e linear.Embedder) linear.Embedder {
	if e == nil || len(c.classes) == 0 {
		return e
	}
	n := &named{Embedder: e, nouns: make([]string, len(c.classes))}
	for _, in := range slices.Concat(agent.Intents, agent.System) {
		for _, p := range in.AllParams() {
			if class, ok := c.classes[p.Name]; ok && p.Type != nil && !maskedBuiltins[p.Type.Builtin] {
				n.nouns[class-firstMask] = " " + noun(p.Type.Name) + " "
			}
		}
	}
	n.room.New = func() any { return new([]byte) }
	return n
}

// noun returns the noun for the values of a type: the type's name without words such as "id".
func noun(name string) string {
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return r == '_' || r == '-' || r == '.' })
	words = slices.DeleteFunc(words, func(w string) bool { return idNames[w] })
	return strings.Join(words, " ")
}

var idNames = phrases("id name")

// EmbedInto is the encoder's, of text with nouns in the place of masks.
func (n *named) EmbedInto(dst []float32, text string) {
	if !strings.ContainsFunc(text, n.masks) {
		n.Embedder.EmbedInto(dst, text)
		return
	}
	room := n.room.Get().(*[]byte)
	defer n.room.Put(room)
	out := (*room)[:0]
	for _, r := range text {
		if n.masks(r) {
			out = append(out, n.nouns[r-firstMask]...)
			continue
		}
		out = utf8.AppendRune(out, r)
	}
	*room = out
	n.Embedder.EmbedInto(dst, string(out))
}

func (n *named) masks(r rune) bool { return r >= firstMask && int(r-firstMask) < len(n.nouns) }
