package config

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/slotway/slotway/config/expr"
	"github.com/slotway/slotway/config/source"
)

// toolForm lists the keys of a kind of tool besides the common ones, and those it requires.
type toolForm struct{ needs, takes []string }

var toolForms = map[string]toolForm{
	"sql":       {[]string{"database", "query"}, []string{"one"}},
	"http":      {[]string{"url"}, []string{"method", "headers", "params", "body", "result", "openapi", "operation"}},
	"mcp":       {[]string{"server"}, []string{"tool"}},
	"exec":      {[]string{"command"}, []string{"env"}},
	"static":    {[]string{"result"}, nil},
	"go":        {nil, nil},
	"knowledge": {nil, []string{"tool"}},

	"rasa_action": {[]string{"url"}, []string{"action", "headers"}},
}

// knowledgeOperations are the operations of a knowledge tool.
var knowledgeOperations = []string{"search_knowledge_base", "list_documents"}

// toolCommon are the keys that every tool may have.
var toolCommon = []string{"kind", "description", "effect", "idempotent", "timeout", "retries", "input", "summary"}

func (b *builder) tools() {
	b.agent.Tools = map[string]*Tool{}
	for _, e := range b.root.Get("tools").Entries() {
		if e.Value.Kind() == source.KindMap {
			b.agent.Tools[e.Key] = b.tool(e.Key, e.Value)
		}
	}
}

func (b *builder) tool(name string, n *source.Node) *Tool {
	t := &Tool{
		Name: name, Kind: n.Get("kind").Text(), Describe: b.words(n.Get("description")), Pos: n.Pos(),
		Idempotent: b.flag(n.Get("idempotent"), false), Timeout: b.duration(n.Get("timeout"), defaultToolTimeout),
		Database: b.words(n.Get("database")), Query: b.words(n.Get("query")), One: b.flag(n.Get("one"), false),
		Method: n.Get("method").Text(), URL: b.expandable(n.Get("url")), Headers: b.stringMap(n.Get("headers")),
		Params: b.args(n.Get("params")), Server: b.words(n.Get("server")), Remote: b.words(n.Get("tool")),
		Command: b.expandables(n.Get("command")), Env: b.stringMap(n.Get("env")),
	}
	if list := n.Get("summary"); list.Kind() == source.KindList {
		t.Summary = append([]string{}, b.wordList(list)...)
	}
	b.toolKeys(t, n)
	if fromOpenAPI(n) {
		b.openAPITool(t, n)
	}
	b.toolEffect(t, n)
	t.Retries = b.whole(n.Get("retries"), defaultRetries(t))
	if t.Effect == EffectWrite && !t.Idempotent && t.Retries > 0 {
		b.problems.Add(n.Get("retries"), "a write that is not idempotent would be done twice by a retry", "remove retries, or add idempotent: true if the same key twice has one effect")
	}
	b.toolInput(t, n.Get("input"))
	b.toolParts(t, n)
	return t
}

func defaultRetries(t *Tool) int {
	if t.Effect == EffectRead || t.Idempotent {
		return 2
	}
	return 0
}

// toolKeys reports missing keys, and keys that the kind does not use.
func (b *builder) toolKeys(t *Tool, n *source.Node) {
	form, ok := toolForms[t.Kind]
	if !ok {
		return
	}
	if fromOpenAPI(n) {
		form = openAPIForm
	}
	for _, key := range form.needs {
		if !n.Has(key) {
			b.problems.Add(n, fmt.Sprintf("is a tool of kind %s and lacks %s", t.Kind, key), "add the key "+key)
		}
	}
	for _, key := range n.Keys() {
		if slices.Contains(toolCommon, key) || slices.Contains(form.needs, key) || slices.Contains(form.takes, key) || slices.Contains(toolForms[t.Kind].takes, key) {
			continue // keys that the OpenAPI document sets are reported elsewhere
		}
		for _, kind := range toolKinds {
			if f := toolForms[kind]; slices.Contains(f.needs, key) || slices.Contains(f.takes, key) {
				b.problems.Add(n.Get(key), fmt.Sprintf("%s does not go with kind %s", key, t.Kind), fmt.Sprintf("it belongs to kind %s; remove it", kind))
				break
			}
		}
	}
}

// sqlWrite matches statements that change rows; a read tool must not hold one.
var sqlWrite = regexp.MustCompile(`(?is)\b(insert\s+into|update\s+\w|delete\s+from|replace\s+into|drop\s|alter\s|create\s|truncate\s)`)

// toolEffect requires the effect wherever it cannot be derived: it decides whether a call may be
// repeated.
func (b *builder) toolEffect(t *Tool, n *source.Node) {
	if text := n.Get("effect").Text(); text != "" {
		t.Effect = Effect(text)
	}
	writes := t.Kind == "sql" && sqlWrite.MatchString(withoutQuotes(t.Query))
	switch {
	case t.Effect == EffectRead && writes:
		b.problems.Add(n.Get("effect"), "the query changes rows, but the effect is read", "write effect: write")
	case t.Effect != "":
	case t.Kind == "static" || t.Kind == "knowledge" || (t.Kind == "sql" && !writes):
		t.Effect = EffectRead
	default:
		t.Effect = EffectWrite
		unread := fromOpenAPI(n) && t.Method == "" // reported already; the effect may follow from the document
		if slices.Contains(toolKinds, t.Kind) && !unread {
			b.problems.Add(n, "does not say whether a call changes the world", "add effect: read or effect: write")
		}
	}
}

var sqlQuotes = regexp.MustCompile(`'(?:[^']|'')*'|"(?:[^"]|"")*"`)

func withoutQuotes(query string) string { return sqlQuotes.ReplaceAllString(query, "''") }

// inputURL is the base of a schema that has no URL.
const inputURL = "mem:///input.json"

// toolInput reads the schema of the arguments.
func (b *builder) toolInput(t *Tool, n *source.Node) {
	if n.Kind() != source.KindMap || t.OpenAPI != "" {
		return
	}
	t.Input, _ = n.Value().(map[string]any)
	if fault := compileInput(t.Input); fault != "" {
		b.problems.Add(n, "is no JSON Schema: "+fault, "see https://json-schema.org/understanding-json-schema")
	}
}

// compileInput returns what is wrong with a schema, "" for nothing. It compiles the schema without
// access to files or network.
func compileInput(input map[string]any) string {
	data, err := json.Marshal(input)
	if err == nil {
		var doc any
		if doc, err = jsonschema.UnmarshalJSON(bytes.NewReader(data)); err == nil {
			compiler := jsonschema.NewCompiler()
			compiler.UseLoader(jsonschema.SchemeURLLoader{})
			if err = compiler.AddResource(inputURL, doc); err == nil {
				_, err = compiler.Compile(inputURL)
			}
		}
	}
	if err == nil {
		return ""
	}
	lines := strings.Split(strings.TrimSpace(err.Error()), "\n") // the last is the innermost cause
	return strings.TrimLeft(lines[len(lines)-1], " -")
}

// toolParts reads the keys of one kind of tool and resolves the names in them.
func (b *builder) toolParts(t *Tool, n *source.Node) {
	switch t.Kind {
	case "sql":
		if t.Database != "" && b.agent.Databases[t.Database] == nil {
			b.unknown(n.Get("database"), "database", t.Database, slices.Sorted(maps.Keys(b.agent.Databases)))
		}
	case "mcp":
		if t.Server != "" && b.agent.MCPServers[t.Server] == nil {
			b.unknown(n.Get("server"), "MCP server", t.Server, slices.Sorted(maps.Keys(b.agent.MCPServers)))
		}
		if t.Remote == "" {
			t.Remote = t.Name
		}
	case "knowledge":
		if t.Remote = cmp.Or(t.Remote, t.Name); !slices.Contains(knowledgeOperations, t.Remote) {
			b.problems.Add(n, fmt.Sprintf("is a tool of kind knowledge and does not say which operation it is: %s or %s", knowledgeOperations[0], knowledgeOperations[1]),
				"add the key tool with one of the two, or name the tool so")
		}
	case "rasa_action":
		t.Remote = cmp.Or(b.words(n.Get("action")), t.Name)
	case "http":
		t.Result = b.words(n.Get("result"))
		if fromOpenAPI(n) {
			return
		}
		b.urlBraces(n.Get("url"), t.URL)
		t.Body = bodyOf(b.arg(n.Get("body")))
		if t.Method == "" {
			t.Method = "GET"
			if t.Effect == EffectWrite {
				t.Method = "POST"
			}
		}
	case "static":
		t.Value = n.Get("result").Value()
	}
}

// urlBraces reports a brace in a URL that belongs to no placeholder: URLs hold none.
func (b *builder) urlBraces(n *source.Node, source string) {
	for _, part := range expandedTemplate(source).Parts {
		if strings.ContainsAny(part.Literal, "{}") || part.JSON {
			b.problems.Add(n, "has a brace that is not of a {name} or {name.field.0}", "write %7B and %7D for the braces themselves")
			return
		}
	}
}

// bodyOf returns an argument as the body of a request: the Arg itself only if it is a reference.
func bodyOf(a expr.Arg) any {
	if a.Ref != nil {
		return a
	}
	return a.Literal
}
