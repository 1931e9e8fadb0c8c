package config

import (
	"fmt"
	"sync"

	"github.com/slotway/slotway/config/language"
	"github.com/slotway/slotway/config/source"
)

// systemTable is the file with the built-in intents and responses of a language.
const systemTable = "system.yaml"

// SystemFile returns the file name in the positions of the built-in intents and responses of a
// language.
func SystemFile(tag string) string {
	if base := language.Base(tag); base != language.English && language.Has(tag, systemTable) {
		return "system." + base + ".yaml"
	}
	return systemTable
}

var systemFiles sync.Map // of *Node, by the tag of a language

// systemOf returns the file of the built-in intents and responses of a language other than English;
// nil if there is none.
func systemOf(tag string) *source.Node {
	base := language.Base(tag)
	if root, ok := systemFiles.Load(base); ok {
		return root.(*source.Node)
	}
	data, ok := language.Read(base, systemTable)
	if !ok || base == language.English {
		return nil
	}
	root, problems := source.Parse(SystemFile(base), data)
	if problems != nil {
		panic(fmt.Sprint(problems)) // embedded; a test reads it
	}
	kept, _ := systemFiles.LoadOrStore(base, root)
	return kept.(*source.Node)
}

// translate replaces the English built-in responses by those of the agent's language.
func (b *builder) translate() {
	own := systemOf(b.agent.Language)
	if own == nil {
		return
	}
	b.readResponses(own.Get("responses"), b.agent.BuiltIn)
	for _, e := range own.Get("responses").Entries() {
		b.spoken[e.Key] = true
	}
}
