package rasa

import (
	"cmp"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/slotway/slotway/config/convert"
	"github.com/slotway/slotway/config/pattern"
	"github.com/slotway/slotway/config/source"
)

// maxBytes is the size of the largest file that is read.
const maxBytes = 8 << 20

// reader holds what was read of a bot and what was made of it.
type reader struct {
	bot     *convert.Bot
	domain  domain
	nlu     nlu
	stories []*story // rules and stories
	tests   []*story
	cases   []*source.Node
	flows   []*flow
	server  string // address of the action server

	scripts []*script
	params  map[string]*convert.Param // by slot
	types   map[string]string         // declared types by what they are made of
	intents map[string]string         // the id of each intent; "" for one that only gives values
	tasks   []*task
	yesNo   map[string]string // the built-in intent that an intent is: affirm, deny and other controls
	asks    map[string]string // by response that asks for a yes: its param
}

// Read reads a bot: a folder, or some of its files.
func Read(paths ...string) (*convert.Bot, error) {
	r := &reader{
		bot: &convert.Bot{}, params: map[string]*convert.Param{}, types: map[string]string{}, intents: map[string]string{}, yesNo: map[string]string{},
		asks: map[string]string{},
	}
	if len(paths) == 0 {
		return nil, fmt.Errorf("no path: name the folder of the bot, or some of its files")
	}
	for _, root := range paths {
		if err := r.read(root); err != nil {
			return nil, err
		}
	}
	if len(r.domain.intents)+len(r.domain.slots)+len(r.nlu.intents)+len(r.flows)+len(r.stories) == 0 {
		for _, note := range r.bot.Report.Of(convert.Unread) {
			return nil, fmt.Errorf("%s: %s", note.At, note.Text)
		}
		return nil, fmt.Errorf("%s: no part of a Rasa bot was found: a folder has domain.yml and data/*.yml", strings.Join(paths, ", "))
	}
	r.convert()
	return r.bot, nil
}

// part matches the files that Rasa itself reads of a folder, and that may be parts of a bot: domain.yml or domain/,
// data/, with the formats of Rasa 1, and tests.
var (
	part  = pattern.Must(`^(?:(?:domain|config|endpoints)|(?:domain|data|tests|test|e2e_tests)/.*|(?:.*/)?(?:test_|conversation_tests)[^/]*|.*_tests)\.ya?ml$|^data/.*\.(?:md|json)$`)
	other = pattern.Must(`(?i)\.ya?ml$`)
)

// read reads a file, or of a folder what Rasa reads of it; other files that look like parts of a bot, such as
// copies, are noted.
func (r *reader) read(root string) error {
	full, err := filepath.Abs(root)
	if err != nil {
		return err
	}
	info, err := os.Stat(full)
	if err != nil {
		return err
	}
	names := []string{filepath.Base(full)}
	folder := filepath.Dir(full)
	if info.IsDir() {
		folder = full
	}
	r.bot.Name = cmp.Or(r.bot.Name, strings.Trim(filepath.Base(folder), `./\`), "bot")
	files := convert.FilesOf(os.DirFS(folder))
	whole := false // the folder is a bot's; else it has parts of one
	if info.IsDir() {
		if names, err = files.List(); err != nil {
			return fmt.Errorf("%s: %w", root, err)
		}
		whole = slices.ContainsFunc(names, func(name string) bool { return strings.HasPrefix(name, "domain") && part.MatchString(name) })
	}
	for _, name := range names {
		switch {
		case !info.IsDir(), part.MatchString(name), other.MatchString(name) && !whole:
			data, err := files.Read(name)
			if err == nil && len(data) > maxBytes {
				err = fmt.Errorf("%s has more than %d bytes; name a smaller file", name, maxBytes)
			}
			if err != nil {
				return err
			}
			r.file(name, data)
		case other.MatchString(name) && !strings.HasPrefix(path.Base(name), "docker-compose"):
			r.bot.Report.Add(convert.Place{File: name}, convert.Left, "not read: Rasa reads domain.yml or domain/, data/, config.yml, endpoints.yml and the tests")
		}
	}
	return nil
}

// file sorts the parts of a file by their keys: Rasa lets every part stand in every file.
func (r *reader) file(name string, data []byte) {
	switch strings.ToLower(path.Ext(name)) {
	case ".md":
		r.markdown(name, string(data))
		return
	case ".json":
		r.nluJSON(name, data)
		return
	}
	root, problems := source.Parse(name, data)
	for _, p := range problems {
		at := convert.Place{File: name, Line: p.Pos.Line}
		if len(root.Entries()) == 0 { // all of the file is missing from the agent
			r.bot.Report.Add(at, convert.Unread, "nothing of this file was read: mend it and import the bot again: %s", p.Message)
			continue
		}
		r.bot.Report.Add(at, convert.Lost, "not read: %s", p.Message)
	}
	for _, e := range root.Entries() {
		switch e.Key {
		case "intents", "entities", "slots", "forms", "responses", "templates", "actions", "session_config":
			r.domainPart(e)
		case "nlu":
			r.readNLU(e.Value)
		case "rules", "stories":
			list := r.readStories(e)
			if tests.MatchString(name) {
				r.tests = append(r.tests, list...)
			} else {
				r.stories = append(r.stories, list...)
			}
		case "flows":
			r.readFlows(e.Value)
		case "test_cases":
			r.cases = append(r.cases, e.Value.Items()...)
		case "action_endpoint":
			r.server = word(e.Value.Get("url"))
		case "language":
			if e.Value.Kind() == source.KindText && convert.Base(name) == "config" {
				r.bot.Language = word(e.Value)
			}
		case "version", "recipe", "assistant_id":
		default:
			if e.Value.Kind() != source.KindNull {
				r.left(e.Value, "%s: the agent has no place for it", e.Key)
			}
		}
	}
}

// tests matches the files whose stories are tests.
var tests = pattern.Must(`(?:^|/)(?:tests|test|e2e_tests)/|(?:^|/)(?:test_|conversation_tests)[^/]*$|_tests\.ya?ml$`)

// place returns where a node stands.
func place(n *source.Node) convert.Place {
	pos := n.Pos()
	return convert.Place{File: pos.File, Line: pos.Line}
}

// left notes what the agent has no place for.
func (r *reader) left(n *source.Node, format string, args ...any) {
	r.bot.Report.Add(place(n), convert.Left, format, args...)
}

// lost notes what a user will notice.
func (r *reader) lost(at convert.Place, format string, args ...any) {
	r.bot.Report.Lost(at, format, args...)
}
