package main

import (
	"errors"
	"go/build"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// module is the path that every import of the project begins with.
const module = "github.com/slotway/slotway"

// layers orders the rooms, which are the top-level folders: a package imports lower layers
// and its own room. root is the package at the top of the tree, and internal belongs to it.
// docs, scripts and suites are free: they are no part of the program.
var layers = map[string]int{
	leaf: -1, tables: -2, "config": 0, "memory": 1, "tools": 1, "classifier": 2, "planner": 2, "router": 3, root: 4, "cmd": 5, "docs": 6, "scripts": 6, suites: 6,
}

// leaf is the one text: every room cuts a message by it, and it knows none of them.
const leaf = "classifier/message"

// tables are the words of the languages, which the one text asks for.
const tables = "config/language"

// suites stands for the tests of the whole program, which lie in folders of cmd.
const suites = "cmd/suites"

// fakes is the folder of what only tests and experiments import: contract suites, fakes, and whole programs for suites.
// A test of any room may import it.
const fakes = "internal/test"

// isFixture reports a folder of fixtures.
func isFixture(folder string) bool { return matches(fakes, folder) }

const root = "."

// strangers never import each other, whatever their layers: package slotway connects them.
var strangers = []string{"classifier", "memory", "tools"}

// reserved lists the modules that one room alone may import.
var reserved = map[string]string{
	"gopkg.in/yaml.v3":      "config", // archived: the day it is replaced, one room changes
	"go.opentelemetry.io/*": "cmd",
}

// objection says what is wrong with a package that imports another, or "". from is a folder
// of the module, to an import path.
func objection(from, to string) string {
	room := roomOf(from)
	if _, known := layers[room]; !known {
		return "no code may stand in the folder " + room
	}
	if layers[room] == layers["scripts"] || isFixture(from) {
		return ""
	}
	for pattern, owner := range reserved {
		if matches(pattern, to) && room != owner {
			return "only " + owner + " may import it"
		}
	}
	inside, ok := strings.CutPrefix(to+"/", module+"/")
	if !ok {
		return ""
	}
	other := roomOf(inside)
	layer, known := layers[other]
	switch {
	case !known:
		return "there is no room " + other
	case other == room:
		return ""
	case slices.Contains(strangers, room) && slices.Contains(strangers, other):
		return "classifier, memory and tools never import each other"
	case layer == layers[room]:
		return "it stands beside, not below"
	case layer > layers[room]:
		return "it stands above"
	}
	return ""
}

// roomOf is the first element of a folder.
func roomOf(folder string) string {
	for _, room := range []string{suites, leaf, tables} {
		if strings.HasPrefix(folder+"/", room+"/") {
			return room
		}
	}
	switch room, _, _ := strings.Cut(folder, "/"); room {
	case "", "internal":
		return root
	default:
		return room
	}
}

// matches compares an import path with a pattern; a pattern that ends in /* stands for
// everything below.
func matches(pattern, path string) bool {
	if prefix, ok := strings.CutSuffix(pattern, "*"); ok {
		return strings.HasPrefix(path, prefix)
	}
	return path == pattern || strings.HasPrefix(path, pattern+"/")
}

func TestObjection(t *testing.T) {
	tests := []struct{ from, to, want string }{
		{"cmd/slotway", module + "/router", ""},
		{"router", module + "/planner", ""},
		{"router", module + "/memory/sqlite", ""},
		{"router/httpapi", module + "/router", ""},
		{"router", module + "/router/telemetry", ""},
		{"planner", module + "/memory", ""},
		{"memory/sqlite", module + "/memory", ""},
		{"memory", "strings", ""},
		{"planner", module + "/classifier/message", ""},
		{"memory/summary", module + "/classifier/message", ""},
		{"classifier/message/script", module + "/classifier/message", ""},
		{"classifier/linear", module + "/config", ""},
		{"scripts/crash", module + "/cmd/slotway", ""},
		{"scripts/lab/corpus", "gopkg.in/yaml.v3", ""},
		{"config", "gopkg.in/yaml.v3", ""},
		{"cmd/slotway", "go.opentelemetry.io/otel", ""},

		{"config", module + "/memory", "it stands above"},
		{"classifier/message", module + "/config", "it stands above"},
		{"config/deep", module + "/router", "it stands above"},
		{"memory", module + "/planner", "it stands above"},
		{"tools/sqltool", module + "/router/telemetry", "it stands above"},
		{"router", module + "/cmd/slotway", "it stands above"},
		{"cmd/slotway", module + "/scripts/crash", "it stands above"},
		{"planner", module + "/classifier", "it stands beside, not below"},
		{"classifier", module + "/planner", "it stands beside, not below"},
		{"classifier", module + "/memory", "classifier, memory and tools never import each other"},
		{"classifier/llm", module + "/tools/llm", "classifier, memory and tools never import each other"},
		{"tools", module + "/memory/sqlite", "classifier, memory and tools never import each other"},
		{"memory/embed", module + "/tools/llm", "classifier, memory and tools never import each other"},
		{"memory", module + "/util", "there is no room util"},
		{"util", "strings", "no code may stand in the folder util"},
		{".", module + "/router", ""},
		{".", module + "/internal/build", ""},
		{"cmd/slotway", module, ""},
		{"cmd/slotway", module + "/internal/build", ""},
		{"docs/examples/tool", module, ""},
		{"router", module, "it stands above"},
		{"memory", module + "/internal/build", "it stands above"},
		{"internal/build", module + "/cmd/slotway", "it stands above"},
		{"cmd/suites/hostile", module + "/scripts/harness", ""},
		{"cmd/suites/hostile", module + "/internal/test/programtest", ""},
		{"internal/test/programtest", module + "/scripts/harness", ""},
		{"cmd/slotway", module + "/cmd/suites/hostile", "it stands above"},
		{"router/replay", "gopkg.in/yaml.v3", "only config may import it"},
		{"router/telemetry", "go.opentelemetry.io/otel/trace", "only cmd may import it"},
	}
	for _, test := range tests {
		if got := objection(test.from, test.to); got != test.want {
			t.Errorf("objection(%q, %q) = %q, want %q", test.from, test.to, got, test.want)
		}
	}
}

// TestImportsPointDown walks the tree, the files of every platform and the tests included.
func TestImportsPointDown(t *testing.T) {
	tree := filepath.Join("..", "..")
	all := build.Default
	all.UseAllFiles = true
	edges := 0
	for _, folder := range goFolders(t, tree) {
		p, err := all.ImportDir(filepath.Join(tree, folder), 0)
		if err != nil && !errors.As(err, new(*build.NoGoError)) {
			t.Errorf("%s: %v", folder, err)
			continue
		}
		// A folder without imports must stand in a room all the same.
		if problem := objection(filepath.ToSlash(folder), "unsafe"); problem != "" {
			t.Errorf("%s: %s", folder, problem)
			continue
		}
		for _, path := range p.Imports {
			if isFixture(strings.TrimPrefix(path, module+"/")) && !isFixture(folder) && roomOf(folder) != "scripts" {
				t.Errorf("%s imports %s: only tests and experiments may import it", folder, path)
			}
		}
		for _, path := range slices.Concat(p.Imports, p.TestImports, p.XTestImports) {
			edges++
			if matches(module+"/"+fakes, path) {
				continue // which only tests do
			}
			if problem := objection(filepath.ToSlash(folder), path); problem != "" {
				t.Errorf("%s imports %s: %s", folder, path, problem)
			}
		}
	}
	if edges < 100 {
		t.Errorf("saw %d imports: the walk is not looking at the tree", edges)
	}
}

// goFolders lists the folders below root that hold Go files, relative to it. Folders that the
// go command ignores are left out.
func goFolders(t *testing.T, root string) []string {
	t.Helper()
	var folders []string
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := entry.Name()
		if entry.IsDir() {
			if path != root && (name == "testdata" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_")) {
				return filepath.SkipDir
			}
			return nil
		}
		if filepath.Ext(name) != ".go" {
			return nil
		}
		folder, err := filepath.Rel(root, filepath.Dir(path))
		if err == nil && !slices.Contains(folders, folder) {
			folders = append(folders, folder)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return folders
}
