package settings

import (
	"fmt"
	"slices"
	"strings"

	"github.com/slotway/slotway/config/source"
)

// aliases are the keys that other systems use in the settings of the same memory, by their place, with our
// setting or group; "" is the top of the file. Dashes in keys count as underscores, and a key may be a whole
// path with dots.
var aliases = map[string]string{
	"arc": "", "reactor": "", "resource_config": "",
	"compression":    "memory.compression",
	"knowledge_base": "memory.knowledge_base",
	"model":          "models.chat.model",
	"resources":      "memory.enabled",

	"memory.vector_store.embedding_provider":   "models.embed.provider",
	"memory.vector_store.embedding_model":      "models.embed.model",
	"memory.knowledge_base.vector_provider":    "memory.vector_store.backend",
	"memory.knowledge_base.embedding_provider": "models.embed.provider",
	"memory.knowledge_base.embedding_model":    "models.embed.model",
}

// elsewhere says about keys of other systems what to do in their place: they have no effect.
var elsewhere = map[string]string{
	"agent_id":                              "the agent's id stands in its own file, as agent.id",
	"provider":                              "no model is asked until models.chat.base_url names a server, such as https://api.openai.com/v1 or http://127.0.0.1:11434/v1",
	"allowed_regular_tools":                 "an agent's tools stand in its own file: kind: knowledge, tool: search_knowledge_base or list_documents",
	"memory.vector_store.persist_directory": "vectors stand in the memory's own database",
}

// valueAliases are other systems' values of settings.
var valueAliases = map[string]map[string]string{
	"memory.knowledge_base.rerank_provider": {"azure_openai_cc": "azure", "azure_openai": "azure"},
	"memory.vector_store.backend":           {"chroma": "chromadb"},
	"models.embed.provider":                 {"sentence-transformers": "static"},
}

// resolve returns the setting or group that a key below a path stands for, "" for the top. It returns an
// unknown name unchanged.
func resolve(path, name string) string {
	for key := range strings.SplitSeq(strings.ReplaceAll(name, "-", "_"), ".") {
		path = strings.TrimPrefix(path+"."+key, ".")
		if ours, ok := aliases[path]; ok {
			path = ours
		}
	}
	return path
}

// alias reads an entry under a path that is not one of our settings; false: it is no other system's either.
func (l *settingsLoader) alias(path string, e source.Entry) bool {
	ours := resolve(path, e.Key)
	_, isRow := l.rows[ours]
	switch {
	case elsewhere[ours] != "":
		l.warn(e.Pos, e.Value.Path(), "is another system's name", elsewhere[ours])
	case ours == "":
		l.warn(e.Pos, e.Value.Path(), "is another system's name", "write what is below it at the top level")
		l.node(e.Value, "")
	case isRow || len(l.below(ours)) > 0:
		l.warn(e.Pos, e.Value.Path(), "is another system's name", "write "+ours)
		if l.settings.sources[ours] == "" { // else the file has our own name, which wins
			l.node(e.Value, ours)
		}
	default:
		return false
	}
	return true
}

// aliased returns a leaf with our value in place of another system's.
func (l *settingsLoader) aliased(r row, n *source.Node) *source.Node {
	if r.path == "memory.enabled" && n.Kind() == source.KindList { // the resources of an agent
		return n.WithText(fmt.Sprint(slices.ContainsFunc(n.Items(), func(item *source.Node) bool { return item.Text() == "memory" })))
	}
	ours := valueAliases[r.path][n.Text()]
	if ours == "" {
		return n
	}
	l.warn(n.Pos(), n.Path(), "has another system's value "+n.Text(), "write "+ours)
	return n.WithText(ours)
}

func (l *settingsLoader) warn(at source.Position, path, message, hint string) {
	l.settings.Warnings = append(l.settings.Warnings, source.Problem{Code: source.Setting, Pos: at, Path: path, Message: message, Hint: hint, Severity: source.SeverityWarning})
}
