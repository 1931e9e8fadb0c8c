package rasa

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/slotway/slotway/config/convert"
	"github.com/slotway/slotway/config/source"
)

// Limits of a bot, so that a wrong folder is refused and not read for minutes.
const (
	maxFiles = 2000
	maxBytes = 8 << 20
)

// reader holds what was read of a bot and what was made of it.
type reader struct {
	bot    *convert.Bot
	domain domain
	nlu    nlu
	rules  []*story
	tests  []*story
	cases  []*testCase
	flows  []*flow
	server string // address of the action server

	react reactions
	made  made
}

// ignoredFolders hold what a bot does not consist of.
var ignoredFolders = []string{"models", "results", "venv", "node_modules", "e2e_coverage_results", "e2e_results"}

// Read reads a bot: a folder, or some of its files.
func Read(paths ...string) (*convert.Bot, error) {
	r := &reader{bot: &convert.Bot{}}
	files, err := find(paths)
	if err != nil {
		return nil, err
	}
	r.bot.Name = nameOf(paths[0])
	for _, f := range files {
		data, err := source.ReadFile(f.path, maxBytes)
		if err != nil {
			return nil, err
		}
		r.file(f.name, data)
	}
	if len(r.domain.intents)+len(r.domain.slots)+len(r.nlu.intents)+len(r.flows)+len(r.rules) == 0 {
		return nil, fmt.Errorf("%s: no part of a Rasa bot was found: a folder has domain.yml and data/*.yml", strings.Join(paths, ", "))
	}
	r.convert()
	return r.bot, nil
}

// found is a file of a bot; name is its path below the folder of the bot.
type found struct{ path, name string }

func find(paths []string) ([]found, error) {
	if len(paths) == 0 {
		return nil, fmt.Errorf("no path: name the folder of the bot, or some of its files")
	}
	var out []found
	for _, root := range paths {
		info, err := os.Stat(root)
		if err != nil {
			return nil, err
		}
		if !info.IsDir() {
			out = append(out, found{root, filepath.Base(root)})
			continue
		}
		err = filepath.WalkDir(root, func(at string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir():
				if at != root && (strings.HasPrefix(d.Name(), ".") || slices.Contains(ignoredFolders, d.Name())) {
					return fs.SkipDir
				}
			case isYAML(d.Name()) && d.Type().IsRegular():
				name, err := filepath.Rel(root, at)
				if err != nil {
					return err
				}
				if out = append(out, found{at, filepath.ToSlash(name)}); len(out) > maxFiles {
					return fmt.Errorf("%s has more than %d YAML files: name the folder of one bot", root, maxFiles)
				}
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

func isYAML(name string) bool {
	ext := strings.ToLower(filepath.Ext(name))
	return (ext == ".yml" || ext == ".yaml") && !strings.HasPrefix(name, ".")
}

// nameOf returns the name of a bot: that of its folder.
func nameOf(root string) string {
	full, err := filepath.Abs(root)
	if err != nil {
		full = root
	}
	if info, err := os.Stat(full); err == nil && !info.IsDir() {
		full = filepath.Dir(full)
	}
	if name := filepath.Base(full); name != "." && name != string(filepath.Separator) {
		return name
	}
	return "bot"
}

// file sorts the parts of a file by their keys: Rasa lets every part stand in every file.
func (r *reader) file(name string, data []byte) {
	root, problems := source.Parse(name, data)
	for _, p := range problems {
		at := convert.Place{File: name, Line: p.Pos.Line}
		if len(root.Entries()) == 0 { // all of the file is missing from the agent
			r.bot.Report.Decide(at, "nothing of this file was read: mend it and import the bot again: %s", p.Message)
			continue
		}
		r.bot.Report.Add(at, convert.Left, "not read: %s", p.Message)
	}
	test := isTest(name)
	for _, e := range root.Entries() {
		switch e.Key {
		case "intents", "entities", "slots", "forms", "responses", "actions", "session_config":
			r.domainPart(e)
		case "nlu":
			r.readNLU(e.Value)
		case "rules", "stories":
			list := r.readStories(e)
			if test {
				r.tests = append(r.tests, list...)
			} else {
				r.rules = append(r.rules, list...)
			}
		case "flows":
			r.readFlows(e.Value)
		case "test_cases":
			r.readCases(e.Value)
		case "action_endpoint":
			r.server = word(e.Value.Get("url"))
		case "language":
			if e.Value.Kind() == source.KindText && root.Has("pipeline") {
				r.bot.Language = word(e.Value)
			}
		case "pipeline", "policies":
			r.left(e.Value, "%s of config.yml: the classifier is trained at start and needs no settings", e.Key)
		case "e2e_actions":
			r.left(e.Value, "e2e_actions: answers without a name; write them as responses")
		}
	}
}

// isTest reports whether the stories of a file are tests.
func isTest(name string) bool {
	base := path.Base(name)
	if strings.HasPrefix(base, "test_") || strings.HasSuffix(base, "_tests.yml") || strings.HasPrefix(base, "conversation_tests") {
		return true
	}
	return slices.ContainsFunc(strings.Split(path.Dir(name), "/"), func(dir string) bool {
		return dir == "tests" || dir == "test" || dir == "e2e_tests"
	})
}

// place returns where a node stands.
func place(n *source.Node) convert.Place {
	pos := n.Pos()
	return convert.Place{File: pos.File, Line: pos.Line}
}

// left notes what is not carried over.
func (r *reader) left(n *source.Node, format string, args ...any) {
	r.bot.Report.Add(place(n), convert.Left, format, args...)
}
