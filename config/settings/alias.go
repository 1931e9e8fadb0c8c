package settings

import (
	"fmt"
	"slices"
	"strings"

	"github.com/slotway/slotway/config/source"
)

// alias is a key that other systems use in the settings of the same memory, with our name for it.
// Each one found is a warning, so that the author can update the file.
type alias struct {
	to   string // the setting or group of settings; "": none
	take func(*settingsLoader, *source.Node) string
	note string // what to do instead, or in addition to using our name
}

// root stands for the top of the file as the group of an alias.
const root = "."

// aliases are keyed by their place under our names; dashes in keys count as underscores everywhere.
var aliases = map[string]alias{
	"arc":             {to: root},
	"reactor":         {to: root},
	"resource_config": {to: root},
	"compression":     {to: "memory.compression"},
	"knowledge_base":  {to: "memory.knowledge_base"},

	"agent_id":              {note: "the agent's id stands in its own file, as agent.id"},
	"resources":             {to: "memory.enabled", take: (*settingsLoader).takeResources},
	"provider":              {to: "models.chat.base_url", take: (*settingsLoader).takeProvider},
	"model":                 {to: "models.chat.model"},
	"allowed_regular_tools": {note: "an agent's tools stand in its own file: kind: knowledge, tool: search_knowledge_base or list_documents"},

	"memory.vector_store.embedding_provider": {to: "models.embed.provider", take: (*settingsLoader).takeEmbedder},
	"memory.vector_store.embedding_model":    {to: "models.embed.model", take: (*settingsLoader).takeEmbedModel},
	"memory.vector_store.persist_directory":  {take: (*settingsLoader).takeFolder, note: "vectors stand in the memory's own database"},

	"memory.knowledge_base.vector_provider":    {to: "memory.vector_store.backend", take: (*settingsLoader).takeBackend},
	"memory.knowledge_base.embedding_provider": {to: "models.embed.provider", take: (*settingsLoader).takeEmbedder},
	"memory.knowledge_base.embedding_model":    {to: "models.embed.model", take: (*settingsLoader).takeEmbedModel},
}

// borrowed holds values in another system's words that only the whole file explains.
type borrowed struct {
	embedder, embedModel, backend, folder, rerank *source.Node
}

// alias reads an entry under a path that is not one of our settings; false: it is no alias either.
func (l *settingsLoader) alias(path string, e source.Entry) bool {
	key := strings.ReplaceAll(e.Key, "-", "_")
	full := strings.TrimPrefix(path+"."+key, ".")
	a, ok := aliases[full]
	switch {
	case !ok && key == e.Key:
		return false
	case !ok:
		if !slices.Contains(l.below(path), key) {
			return false
		}
		l.warn(e, fmt.Sprintf("%q is written with a dash", e.Key), "write "+key)
		l.node(e.Value, full)
		return true
	}
	hint := a.note
	if a.take != nil {
		hint = strings.Trim(a.take(l, e.Value)+"; "+a.note, "; ")
	}
	switch {
	case a.to == root:
		hint = "write " + strings.Join(l.within(e.Value), ", ") + " at the top level"
		l.node(e.Value, "")
	case a.to != "":
		hint = strings.TrimSuffix("write "+a.to+"; "+hint, "; ")
		if a.take == nil {
			l.node(e.Value, a.to)
		}
	}
	l.warn(e, "is another system's name", hint)
	return true
}

// within lists our names for the settings in a map that is left out.
func (l *settingsLoader) within(n *source.Node) []string {
	var ours []string
	for _, e := range n.Entries() {
		switch at := resolve("", e.Key); {
		case at == "":
			ours = append(ours, l.within(e.Value)...)
		case !slices.Contains(ours, at):
			ours = append(ours, at)
		}
	}
	return ours
}

// resolve returns the setting or group that a dotted name below a path stands for, "" for the top.
// It returns an unknown name unchanged.
func resolve(path, name string) string {
	for key := range strings.SplitSeq(strings.ReplaceAll(name, "-", "_"), ".") {
		path = strings.TrimPrefix(path+"."+key, ".")
		if a, ok := aliases[path]; ok && a.to != "" && a.take == nil {
			path = strings.TrimPrefix(a.to, root)
		}
	}
	return path
}

// dotted reads a key that is a whole path, as in a properties file. It reports whether the key is
// one.
func (l *settingsLoader) dotted(path string, e source.Entry) bool {
	if !strings.Contains(e.Key, ".") {
		return false
	}
	ours := resolve(path, e.Key)
	if _, ok := l.rows[ours]; !ok && len(l.below(ours)) == 0 {
		return false
	}
	l.warn(e, "is a name with dots", "write "+ours+" as keys one below the other")
	l.node(e.Value, ours)
	return true
}

func (l *settingsLoader) warn(e source.Entry, message, hint string) {
	l.settings.Warnings = append(l.settings.Warnings, source.Problem{Code: source.Setting, Pos: e.Pos, Path: e.Value.Path(), Message: message, Hint: hint, Severity: source.SeverityWarning})
}

// takeText sets a setting as if the file said text there.
func (l *settingsLoader) takeText(path, text string, n *source.Node) {
	if l.settings.sources[path] == "" {
		l.leaf(l.rows[path], n.WithText(text))
	}
}

// takeResources reads the list of an agent's resources: without memory it is stateless.
func (l *settingsLoader) takeResources(n *source.Node) string {
	on := slices.ContainsFunc(n.Items(), func(item *source.Node) bool { return item.Text() == "memory" })
	l.takeText("memory.enabled", fmt.Sprint(on), n)
	return ""
}

// knownServers are the addresses of services that have a fixed one.
var knownServers = map[string]string{"openai": "https://api.openai.com/v1", "ollama": "http://127.0.0.1:11434/v1"}

func (l *settingsLoader) takeProvider(n *source.Node) string {
	if base := knownServers[n.Text()]; base != "" {
		l.takeText("models.chat.base_url", base, n)
		return ""
	}
	return fmt.Sprintf("%q has no address of its own: until base_url names it no model is asked", showURL(n.Text()))
}

func (l *settingsLoader) takeEmbedder(n *source.Node) string {
	l.borrowed.embedder = n
	return ""
}

func (l *settingsLoader) takeEmbedModel(n *source.Node) string {
	l.borrowed.embedModel = n
	return ""
}

func (l *settingsLoader) takeBackend(n *source.Node) string {
	l.borrowed.backend = n
	return ""
}

func (l *settingsLoader) takeFolder(n *source.Node) string {
	l.borrowed.folder = n
	return ""
}

// settle interprets the borrowed values after everything else is known. A value that needs a server
// which nothing names has no effect: a warning says what is missing, and nothing is sent to a place
// that the file does not name.
func (l *settingsLoader) settle() {
	l.settleEmbedder()
	l.settleBackend()
	if sum := &l.settings.Memory.Summary; sum.LLMModel != "" && l.settings.Models.Chat.BaseURL == "" {
		l.unused("memory.summary.llm_model", "is not used: no model server is named, and rules make summaries", "set models.chat.base_url")
	}
	if n := l.borrowed.rerank; n != nil && l.settings.Models.Chat.BaseURL == "" {
		kb := &l.settings.Memory.KnowledgeBase
		kb.RerankProvider = ""
		l.missing(n, "has no address: results are not reordered", "set models.chat.base_url")
	}
}

func (l *settingsLoader) settleEmbedder() {
	n := l.borrowed.embedder
	if n == nil {
		return
	}
	embed := &l.settings.Models.Embed
	switch name := n.Text(); {
	case l.settings.sources["models.embed.provider"] != "":
		return
	case name == "sentence-transformers":
		l.missing(n, "is the embedded model here: texts are compared without a server", "write models.embed.provider: static")
		return
	case knownServers[name] != "":
		embed.Provider = name
	case embed.BaseURL != "":
		embed.Provider = "openai"
	default:
		l.missing(n, "has no address: the embedded model compares texts until it has", "set models.embed.base_url, and provider openai where it speaks its API")
		return
	}
	l.settings.sources["models.embed.provider"] = sourceOf(n)
	if m := l.borrowed.embedModel; m != nil && embed.Model == "" {
		embed.Model = m.Text()
		l.settings.sources["models.embed.model"] = sourceOf(m)
	}
}

// settleBackend keeps vectors in the memory's own database if another system's key names a backend
// but no server for it.
func (l *settingsLoader) settleBackend() {
	m := &l.settings.Memory
	v := &m.VectorStore
	if n := l.borrowed.backend; n != nil && l.settings.sources["memory.vector_store.backend"] == "" {
		switch name := n.Text(); {
		case name == "pgvector" && m.DSN == "":
			l.missing(n, "needs a database that nothing names: vectors stand in the memory's own", "set memory.dsn, best by "+envName("memory.dsn"))
		case slices.Contains([]string{"chroma", "chromadb"}, name) && v.URL == "":
			l.missing(n, "needs a server that nothing names: vectors stand in the memory's own database", "set memory.vector_store.url")
		case name == "chroma":
			l.takeText("memory.vector_store.backend", "chromadb", n)
		default:
			l.takeText("memory.vector_store.backend", name, n)
		}
	}
	if n := l.borrowed.folder; n != nil && v.Backend == "chromadb" && v.URL == "" {
		v.Backend = "sqlite"
		l.missing(n, "is of a ChromaDB in the same process: here vectors stand in the memory's own database", "write backend: sqlite, or set memory.vector_store.url for a server")
	}
}

// missing adds a warning about a borrowed value at its place.
func (l *settingsLoader) missing(n *source.Node, message, hint string) {
	l.settings.Warnings = append(l.settings.Warnings, source.Problem{Code: source.Setting, Pos: n.Pos(), Path: n.Path(), Message: strings.TrimPrefix(fmt.Sprintf("%q %s", showURL(n.Text()), message), `"" `), Hint: hint, Severity: source.SeverityWarning})
}

func sourceOf(n *source.Node) string { return fmt.Sprintf("%s:%d", n.Pos().File, n.Pos().Line) }

// valueAliases are other systems' values for settings that have our names.
var valueAliases = map[string]map[string]string{
	"memory.knowledge_base.rerank_provider": {"azure_openai_cc": "azure", "azure_openai": "azure"},
}

// aliased returns a leaf with our value in place of another system's.
func (l *settingsLoader) aliased(r row, n *source.Node) *source.Node {
	ours := valueAliases[r.path][n.Text()]
	if r.path == "memory.knowledge_base.rerank_provider" {
		l.borrowed.rerank = nil // from a lower layer
		if ours != "" {
			l.borrowed.rerank = n
		}
	}
	if ours == "" {
		return n
	}
	l.missing(n, "is another system's name", "write "+ours)
	return n.WithText(ours)
}
