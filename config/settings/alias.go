package settings

import (
	"fmt"
	"slices"
	"strings"

	"github.com/slotway/slotway/config/source"
)

// alias is a key of the files that other systems configure the same memory with, and what it is
// called here. Each is told as a warning, so that the file can be brought up to date.
type alias struct {
	to   string // the setting or the group of settings; "": none
	take func(*settingsLoader, *source.Node) string
	note string // what to do where there is no setting; behind the name of one else
}

// root stands for the top of the file as the group of an alias.
const root = "."

// aliases are by their place under the settings' own names; a dash in a key counts as an
// underscore everywhere.
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

// borrowed is what a file said in another system's words that only the whole file explains.
type borrowed struct {
	embedder, embedModel, backend, folder, rerank *source.Node
}

// alias takes an entry that is not a setting's under a path; false: it is no alias either.
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

// within lists where the settings in a map belong that is to be left out.
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

// resolve is the setting or the group of settings that a dotted name below a path stands for, "" for
// the top. A name that is nobody's stays as it is.
func resolve(path, name string) string {
	for key := range strings.SplitSeq(strings.ReplaceAll(name, "-", "_"), ".") {
		path = strings.TrimPrefix(path+"."+key, ".")
		if a, ok := aliases[path]; ok && a.to != "" && a.take == nil {
			path = strings.TrimPrefix(a.to, root)
		}
	}
	return path
}

// dotted takes a key that is a whole path, such as a properties file has. It reports whether it is
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
	l.settings.Warnings = append(l.settings.Warnings, source.Problem{Pos: e.Pos, Path: e.Value.Path(), Message: message, Hint: hint, Severity: source.SeverityWarning})
}

// takeText sets a setting as if the file had said text there.
func (l *settingsLoader) takeText(path, text string, n *source.Node) {
	if l.settings.sources[path] == "" {
		l.leaf(l.rows[path], n.WithText(text))
	}
}

// takeResources reads the list of what an agent has: without memory it is stateless.
func (l *settingsLoader) takeResources(n *source.Node) string {
	on := slices.ContainsFunc(n.Items(), func(item *source.Node) bool { return item.Text() == "memory" })
	l.takeText("memory.enabled", fmt.Sprint(on), n)
	return ""
}

// knownServers are where the services are found that are in one place for everybody.
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

// settle gives what was borrowed its meaning once everything else is known. What would need a
// server that nothing names stays as it is without the file: a warning says what is missing,
// and nothing is sent anywhere that the file does not say.
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

// settleBackend falls back to vectors in the memory's own database where a backend was named
// by another system's key and lacks its server.
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

// missing warns of a borrowed value at its place.
func (l *settingsLoader) missing(n *source.Node, message, hint string) {
	l.settings.Warnings = append(l.settings.Warnings, source.Problem{Pos: n.Pos(), Path: n.Path(), Message: strings.TrimPrefix(fmt.Sprintf("%q %s", showURL(n.Text()), message), `"" `), Hint: hint, Severity: source.SeverityWarning})
}

func sourceOf(n *source.Node) string { return fmt.Sprintf("%s:%d", n.Pos().File, n.Pos().Line) }

// valueAliases are other systems' values of settings that are named as here.
var valueAliases = map[string]map[string]string{
	"memory.knowledge_base.rerank_provider": {"azure_openai_cc": "azure", "azure_openai": "azure"},
}

// aliased is a leaf with the value that is ours in the place of another system's.
func (l *settingsLoader) aliased(r row, n *source.Node) *source.Node {
	ours := valueAliases[r.path][n.Text()]
	if r.path == "memory.knowledge_base.rerank_provider" {
		l.borrowed.rerank = nil // of a layer below
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
