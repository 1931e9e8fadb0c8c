package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
)

// runtime is a row of the table: one way of running one program.
type runtime struct {
	id      string // as peers.sh names it
	name    string
	variant string // of the same program; "": as it comes
	kept    string // what is stored, and when
	reads   string // how it understands a message
	onDisk  bool   // a conversation outlives the process
	ours    bool
	folder  string // of its harness; "": it is in our tree
	module  string // whose version the table shows
	bounded bool   // it does less than a runtime must, and shows what would be possible
}

// stored are the wordings for what a row keeps.
const (
	fullSync   = "SQLite (WAL, synchronous FULL), before the reply"
	normalSync = "SQLite (WAL, synchronous NORMAL): a power cut may take the last turns"
	noSync     = "SQLite (WAL, synchronous OFF): a power cut may damage the file"
	memoryOnly = "in memory"
	nothing    = "nothing"
)

const (
	byClassifier = "classifier, slots, dialogue rules"
	byPattern    = "one pattern"
)

// runtimes are the rows that a complete run has. What each keeps was read from its harness; for
// LangGraph from `pragma synchronous` after its set-up.
var runtimes = []runtime{
	{id: "slotway-durable-sql", name: "Slotway", kept: fullSync + "; tools ask SQLite", reads: byClassifier, onDisk: true, ours: true},
	{id: "slotway-none-static", name: "Slotway", variant: "in memory", kept: memoryOnly, reads: byClassifier, ours: true},

	{id: "proto-sqlite-FULL", name: "a bare loop", kept: fullSync, reads: byPattern, onDisk: true, folder: "go-proto", bounded: true},
	{id: "proto-sqlite-OFF", name: "a bare loop", variant: "no sync", kept: noSync, reads: byPattern, onDisk: true, folder: "go-proto", bounded: true},
	{id: "proto-memory", name: "a bare loop", variant: "in memory", kept: memoryOnly, reads: byPattern, folder: "go-proto", bounded: true},
	{id: "looplab-fsm", name: "looplab/fsm", kept: nothing, reads: byPattern, folder: "go-fsm", module: "github.com/looplab/fsm", bounded: true},

	{id: "langgraph-sqlite", name: "LangGraph.js", kept: normalSync, reads: byPattern, onDisk: true, folder: "langgraph", module: "@langchain/langgraph"},
	{id: "langgraph-sqliteFULL", name: "LangGraph.js", variant: "full sync", kept: fullSync, reads: byPattern, onDisk: true, folder: "langgraph", module: "@langchain/langgraph"},
	{id: "langgraph-memory", name: "LangGraph.js", variant: "in memory", kept: memoryOnly, reads: byPattern, folder: "langgraph", module: "@langchain/langgraph"},
	{id: "adk-go-sqliteFULL", name: "Google ADK for Go", kept: fullSync, reads: byPattern, onDisk: true, folder: "go-adk", module: "google.golang.org/adk"},
	{id: "adk-go-memory", name: "Google ADK for Go", variant: "in memory", kept: memoryOnly, reads: byPattern, folder: "go-adk", module: "google.golang.org/adk"},
	{id: "eino", name: "eino", kept: memoryOnly, reads: byPattern, folder: "go-eino", module: "github.com/cloudwego/eino"},
	{id: "xstate-snapshot", name: "XState", kept: memoryOnly + ", a snapshot a turn", reads: byPattern, folder: "xstate", module: "xstate"},
	{id: "botbuilder", name: "Bot Framework for JS", kept: memoryOnly, reads: byPattern, folder: "botbuilder", module: "botbuilder"},
	{id: "nlpjs", name: "nlp.js", kept: nothing, reads: "classifier, slots", folder: "nlpjs", module: "node-nlp"},
}

// label is the name with its variant.
func (r runtime) label() string { return r.named("") }

// named is the name with a version and the variant.
func (r runtime) named(version string) string {
	s := r.name
	if version != "" {
		s += " " + version
	}
	if r.variant != "" {
		s += ", " + r.variant
	}
	return s
}

// versionOf finds the version of a row's module where its harness lies in dir. It is "" if there
// is none.
func (r runtime) versionOf(dir string) (string, error) {
	if dir == "" || r.module == "" {
		return "", nil
	}
	mod, err := os.ReadFile(filepath.Join(dir, r.folder, "go.mod"))
	if err == nil {
		found := regexp.MustCompile(regexp.QuoteMeta(r.module) + ` v(\S+)`).FindSubmatch(mod)
		if found == nil {
			return "", fmt.Errorf("%s/go.mod does not require %s", r.folder, r.module)
		}
		return string(found[1]), nil
	}
	data, err := os.ReadFile(filepath.Join(dir, r.folder, "package-lock.json"))
	if err != nil {
		return "", err
	}
	var lock struct {
		Packages map[string]struct{ Version string }
	}
	if err := json.Unmarshal(data, &lock); err != nil {
		return "", fmt.Errorf("%s/package-lock.json: %w", r.folder, err)
	}
	return lock.Packages["node_modules/"+r.module].Version, nil
}
