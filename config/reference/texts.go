package reference

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/slotway/slotway/config/source"
)

// Texts are the texts of an area, by the path of their key.
type Texts struct {
	byKey   map[string]Text
	ordered []string
}

// Text explains one key, as its file has it.
type Text struct {
	Meaning, Type, Default, Limits string
	Example                        string
	Gives                          []Example
	Allowed                        []Value
	See                            []string
	Extends                        string // the group whose keys this one has too
}

// textKeys are the keys of one text.
var textKeys = []string{"meaning", "type", "default", "limits", "example", "gives", "values", "see", "extends"}

// MustTexts reads texts that are embedded in the program; it panics on a mistake in them.
func MustTexts(file string, data []byte) *Texts {
	t := &Texts{byKey: map[string]Text{}}
	root, problems := source.Parse(file, data)
	for _, e := range root.Entries() {
		problems = append(problems, e.Value.UnknownKeys(textKeys...)...)
		n := e.Value
		text := Text{
			Meaning: folded(n, "meaning"), Type: folded(n, "type"), Default: folded(n, "default"), Limits: folded(n, "limits"),
			Example: strings.TrimRight(n.Get("example").Text(), "\n"), Extends: n.Get("extends").Text(),
		}
		for _, v := range n.Get("values").Entries() {
			text.Allowed = append(text.Allowed, Value{Value: v.Key, Meaning: strings.TrimSpace(v.Value.Text())})
		}
		for _, g := range n.Get("gives").Entries() {
			text.Gives = append(text.Gives, Example{Text: g.Key, Is: g.Value.Text()})
		}
		for _, s := range n.Get("see").Items() {
			text.See = append(text.See, s.Text())
		}
		t.byKey[e.Key] = text
		t.ordered = append(t.ordered, e.Key)
	}
	if len(problems) > 0 {
		panic(fmt.Sprintf("embedded %s: %v", file, problems))
	}
	return t
}

// folded reads a text that may take several lines.
func folded(n *source.Node, key string) string {
	return strings.TrimSpace(n.Get(key).Text())
}

// Of returns the text of a key. A key without one has that of the group that a group above it extends;
// from is then the key that has it.
func (t *Texts) Of(key string) (text Text, from string) {
	if text, ok := t.byKey[key]; ok {
		return text, ""
	}
	for group := parent(key); group != ""; group = parent(group) {
		base := t.byKey[group].Extends
		if base == "" {
			continue
		}
		at := base + strings.TrimPrefix(key, group)
		if text, deeper := t.Of(at); text.Meaning != "" {
			return text, cmp.Or(deeper, at)
		}
	}
	return Text{}, ""
}

// Keys returns the keys that have a text, in the order of the file.
func (t *Texts) Keys() []string { return slices.Clone(t.ordered) }

// Fill returns the entry of a key with its text, under the area's prefix.
func (t *Texts) Fill(area, prefix, key string) *Entry {
	text, from := t.Of(key)
	e := &Entry{
		Key: prefix + key, Area: area, Type: text.Type, Meaning: text.Meaning, Default: text.Default, Limits: text.Limits,
		Example: text.Example, Gives: text.Gives, Allowed: text.Allowed,
	}
	for _, see := range text.See {
		e.See = append(e.See, strings.TrimPrefix(prefix+see, prefix+"/"))
	}
	if from != "" {
		e.From = prefix + from
	}
	return e
}
