package settings

import (
	"fmt"
	"maps"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config/naming"
	"github.com/slotway/slotway/config/source"
)

// maxSettingsBytes limits the settings file.
const maxSettingsBytes = 1 << 20

// envPrefix is the prefix of variables that stand for a path: SLOTWAY_MEMORY_MAX_TURNS.
const envPrefix = "SLOTWAY_"

// agentPath is the setting that names the agent. In a file, a relative path starts from the file's
// folder, so that the file works from any other.
const agentPath = "agent.path"

// shortName is a further variable of a setting.
type shortName struct {
	name, path string
	read       func(string) (string, error) // converts the variable's text to the setting's; nil: they are the same
}

// shortNames are further variables, weaker than those with the prefix.
var shortNames = []shortName{
	{"SLOTWAY_AGENT", agentPath, nil},
	{"ENABLE_MEMORY", "memory.enabled", nil},
	{"MEMORY_MAX_TURNS", "memory.max_turns", oneAtLeast},
	{"MEMORY_TTL_MIN", "memory.ttl", minutes},
	{"MEMORY_MAX_CONVERSATIONS", "memory.max_conversations", oneAtLeast},
}

// oneAtLeast raises values below 1, as the system does that the names come from.
func oneAtLeast(text string) (string, error) {
	if n, err := strconv.Atoi(text); err == nil {
		text = strconv.Itoa(max(n, 1))
	}
	return text, nil
}

func minutes(text string) (string, error) {
	if n, err := strconv.ParseFloat(text, 64); err != nil || !(n >= 0 && n <= 36500*24*60) {
		return "", fmt.Errorf("%q is no number of minutes; write digits alone, such as 60", text)
	}
	return text + "m", nil
}

// Load layers the settings: defaults, the file at path ("": none), the environment in the form of
// os.Environ, and flags by dotted path; later layers win. Unless the file cannot be read, the error
// is Problems with everything that is wrong.
func Load(path string, environ []string, flags map[string]string) (*Settings, error) {
	l := &settingsLoader{settings: Default(), rows: map[string]row{}}
	for _, r := range l.settings.rows() {
		l.rows[r.path] = r
		l.paths = append(l.paths, r.path)
	}
	if path != "" {
		data, err := source.ReadFile(path, maxSettingsBytes)
		if err != nil {
			return nil, fmt.Errorf("read settings: %w", err)
		}
		l.file(path, data)
		l.fromFolder(filepath.Dir(path))
	}
	env := environment(environ)
	l.environment(env)
	l.flags(flags)
	l.expandHome(env["HOME"])
	l.together()
	if err := l.problems.Err(); err != nil {
		return nil, err
	}
	return l.settings, nil
}

// fromFolder makes a relative path of the agent start from the folder of the settings file.
func (l *settingsLoader) fromFolder(dir string) {
	path := &l.settings.AgentPath
	if *path != "" && !filepath.IsAbs(*path) && !strings.HasPrefix(*path, "~") {
		*path = filepath.Join(dir, *path)
	}
}

type settingsLoader struct {
	settings *Settings
	rows     map[string]row
	paths    []string
	problems source.Problems
}

func environment(environ []string) map[string]string {
	env := make(map[string]string, len(environ))
	for _, kv := range environ {
		if name, value, ok := strings.Cut(kv, "="); ok {
			env[name] = value
		}
	}
	return env
}

// value drops the line end that a file from Windows leaves in a variable.
func value(text string) string { return strings.TrimRight(text, "\r\n") }

func (l *settingsLoader) file(name string, data []byte) {
	root, problems := source.Parse(name, data)
	l.problems = append(l.problems, problems...)
	if root.Kind() != source.KindNull {
		l.node(root, "")
	}
}

// node reads a map of the file that stands for the settings under a path; its leaves are rows.
func (l *settingsLoader) node(n *source.Node, path string) {
	if r, ok := l.rows[path]; ok {
		l.leaf(r, l.aliased(r, n))
		return
	}
	known := l.below(path)
	if n.Kind() != source.KindMap {
		l.problems = append(l.problems, n.UnknownKeys(known...)...)
		return
	}
	for _, e := range n.Entries() { // before our own names, which win
		if !slices.Contains(known, e.Key) && !l.alias(path, e) {
			l.problems = append(l.problems, e.Unknown(known))
		}
	}
	for _, e := range n.Entries() {
		if slices.Contains(known, e.Key) && e.Value.Kind() != source.KindNull {
			l.node(e.Value, strings.TrimPrefix(path+"."+e.Key, "."))
		}
	}
}

// below lists the keys that a path may have, in file order.
func (l *settingsLoader) below(path string) []string {
	prefix := path + "."
	if path == "" {
		prefix = ""
	}
	var keys []string
	for _, p := range l.paths {
		if rest, ok := strings.CutPrefix(p, prefix); ok {
			key, _, _ := strings.Cut(rest, ".")
			if !slices.Contains(keys, key) {
				keys = append(keys, key)
			}
		}
	}
	return keys
}

func (l *settingsLoader) leaf(r row, n *source.Node) {
	list, isList := r.field.(*[]string)
	switch {
	case isList && n.Kind() == source.KindList:
		l.list(r, list, n)
	case isList || n.Kind() == source.KindList || n.Kind() == source.KindMap:
		want := "a single value"
		if isList {
			want = "a list"
		}
		l.problems.Add(n, fmt.Sprintf("is %s, not %s", n.Kind(), want), "write "+want)
		return
	default:
		if err := r.set(n.Text()); err != nil {
			message, hint := source.SplitRemedy(err.Error())
			l.problems.Add(n, message, hint)
			return
		}
	}
	l.settings.sources[r.path] = fmt.Sprintf("%s:%d", n.Pos().File, n.Pos().Line)
}

func (l *settingsLoader) list(r row, into *[]string, n *source.Node) {
	*into = []string{}
	for _, item := range n.Items() {
		if item.Kind() != source.KindText {
			l.problems.Add(item, fmt.Sprintf("is %s, not text", item.Kind()), "put it in quotes")
			continue
		}
		if err := r.allows(item.Text()); err != nil {
			message, hint := source.SplitRemedy(err.Error())
			l.problems.Add(item, message, hint)
			continue
		}
		*into = append(*into, item.Text())
	}
}

func (l *settingsLoader) environment(env map[string]string) {
	for _, s := range shortNames {
		text, given := env[s.name]
		_, truth := l.rows[s.path].field.(*bool)
		v := value(text)
		if v == "" && !(given && truth) { // an empty yes or no says neither
			continue
		}
		if s.read != nil {
			var err error
			if v, err = s.read(v); err != nil {
				l.wrong("environment", s.name, err)
				continue
			}
		}
		l.apply(l.rows[s.path], v, "environment", s.name)
	}
	if name := "MEMORY_MAX_CONVERSATIONS"; value(env[name]) != "" && l.settings.Memory.Evict == "none" {
		l.apply(l.rows["memory.evict"], "all", "environment", name) // the variable's meaning
	}
	known := map[string]string{}
	for _, p := range l.paths {
		known[envName(p)] = p
	}
	for _, name := range slices.Sorted(maps.Keys(env)) {
		if !strings.HasPrefix(name, envPrefix) {
			continue
		}
		if slices.ContainsFunc(shortNames, func(s shortName) bool { return s.name == name }) {
			continue
		}
		if p, ok := known[name]; ok {
			l.apply(l.rows[p], value(env[name]), "environment", name)
			continue
		}
		l.misspelt(name, known)
	}
}

// misspelt reports a variable that is nearly a setting's. Other variables with the prefix, such as
// the one that a *_env setting names, are left alone.
func (l *settingsLoader) misspelt(name string, known map[string]string) {
	if name == l.settings.Memory.EncryptionKeyEnv || name == l.settings.Models.Chat.APIKeyEnv || name == l.settings.Server.Auth.JWT.SecretEnv {
		return
	}
	rest := strings.TrimPrefix(name, envPrefix)
	var names []string
	for n := range known {
		names = append(names, strings.TrimPrefix(n, envPrefix))
	}
	slices.Sort(names)
	if near := naming.Nearest(rest, names); near != "" && message.Distance(rest, near, 3) < 3 {
		l.report("environment", name, "no setting has this name", fmt.Sprintf("did you mean %q?", envPrefix+near))
	}
}

// envName returns the variable that stands for a path.
func envName(path string) string {
	return envPrefix + strings.ToUpper(strings.ReplaceAll(path, ".", "_"))
}

func (l *settingsLoader) flags(flags map[string]string) {
	for _, path := range slices.Sorted(maps.Keys(flags)) {
		r, ok := l.rows[path]
		if ours := resolve("", path); !ok && ours != path {
			if r, ok = l.rows[ours]; ok {
				l.warn(source.Position{File: "flag"}, path, "is another system's name", "write "+ours)
			}
		}
		if !ok {
			l.report("flag", path, "unknown setting", naming.Suggest(path, l.paths))
			continue
		}
		l.apply(r, flags[path], "flag", path)
	}
}

func (l *settingsLoader) apply(r row, text, layer, name string) {
	if err := r.set(l.aliased(r, source.TextNode(layer, name, text)).Text()); err != nil {
		l.wrong(layer, name, err)
		return
	}
	source := layer
	if name != r.path {
		source += " " + name
	}
	l.settings.sources[r.path] = source
}

// wrong reports an error that ends in a remedy after "; ".
func (l *settingsLoader) wrong(layer, name string, err error) {
	message, hint := source.SplitRemedy(err.Error())
	l.report(layer, name, message, hint)
}

func (l *settingsLoader) report(layer, name, message, hint string) {
	l.problems = append(l.problems, source.Problem{Code: source.Invalid, Pos: source.Position{File: layer}, Path: name, Message: message, Hint: hint, Severity: source.SeverityError})
}

// expandHome replaces ~ at the start of paths. A missing home folder is a problem only if a path
// needs it.
func (l *settingsLoader) expandHome(home string) {
	for _, p := range l.paths {
		r := l.rows[p]
		f, ok := r.field.(*string)
		if !r.home || !ok || (*f != "~" && !strings.HasPrefix(*f, "~/")) {
			continue
		}
		if home == "" {
			l.report("settings", p, "~ cannot be expanded, HOME is not set", "set HOME or write the whole path")
			continue
		}
		*f = filepath.Join(home, strings.TrimPrefix(*f, "~"))
	}
}

// together checks settings that depend on each other.
func (l *settingsLoader) together() {
	l.tokens(&l.settings.Server.Auth.JWT)
	if l.settings.Server.Widget.VisitorTTL <= 0 {
		l.report("settings", "server.widget.visitor_ttl", "is no time that a visitor could be known for", "write 720h, or switch server.widget.visitors off")
	}
	l.rerank()
	l.channels()
	m := &l.settings.Memory
	if m.Summary.LLMModel != "" && l.settings.Models.Chat.BaseURL == "" {
		const path = "memory.summary.llm_model"
		l.warn(l.setAt(path), path, "is not used: no model server is named, and rules make summaries", "set models.chat.base_url")
	}
	if m.Storage == "postgres" && m.DSN == "" {
		l.report("settings", "memory.dsn", "is needed for storage postgres", "set it, best by "+envName("memory.dsn"))
	}
	if m.Storage != "postgres" && m.RedisURL != "" {
		l.report("settings", "memory.redis_url", "is for storage postgres alone", "leave it out, or set memory.storage=postgres")
	}
	if v := &m.VectorStore; v.Enabled && v.Backend == "chromadb" && v.URL == "" {
		l.report("settings", "memory.vector_store.url", "is needed for backend chromadb", "set it to the server's, for example http://127.0.0.1:8000, or write backend: sqlite")
	}
	if v := &m.VectorStore; v.Enabled && v.Backend == "pgvector" && m.DSN == "" {
		l.report("settings", "memory.dsn", "is needed for backend pgvector", "set it, best by "+envName("memory.dsn"))
	}
	if m.Storage == "sqlite" && m.StoragePath == "" {
		l.report("settings", "memory.storage_path", "is empty", "name the file of the database")
	}
	if m.KnowledgeBase.ChunkOverlap >= m.KnowledgeBase.ChunkSize {
		l.report("settings", "memory.knowledge_base.chunk_overlap", "is not below chunk_size", "lower it")
	}
}

// hidden replaces credentials in a URL.
const hidden = "***"

// showURL returns a value without the credentials that a URL may hold: user and password, and the
// values of its query. It cannot recognise a credential in the path. It returns text that is no URL
// unchanged.
func showURL(text string) string {
	scheme, rest, ok := strings.Cut(text, "://")
	if !ok {
		return text
	}
	u, err := url.Parse(text)
	if err != nil || u.Host == "" { // it cannot be parsed, so anything in it may be secret
		if strings.ContainsAny(rest, "@?#") {
			return scheme + "://" + hidden
		}
		return text
	}
	if u.User == nil && u.RawQuery == "" && u.Fragment == "" {
		return text
	}
	authority, tail := rest, ""
	if at := strings.IndexAny(rest, "/?#"); at >= 0 {
		authority, tail = rest[:at], rest[at:]
	}
	if at := strings.LastIndex(authority, "@"); at >= 0 {
		authority = hidden + authority[at:]
	}
	tail, _, fragment := strings.Cut(tail, "#")
	path, query, asked := strings.Cut(tail, "?")
	shown := scheme + "://" + authority + path
	if asked {
		shown += "?" + showQuery(query)
	}
	if fragment {
		shown += "#" + hidden
	}
	return shown
}

// showQuery keeps only the names of a query's parameters.
func showQuery(query string) string {
	pairs := strings.FieldsFunc(query, func(r rune) bool { return r == '&' || r == ';' })
	for i, pair := range pairs {
		name, _, named := strings.Cut(pair, "=")
		if !named {
			name = hidden // a value without a name
		} else {
			name += "=" + hidden
		}
		pairs[i] = name
	}
	return strings.Join(pairs, "&")
}
