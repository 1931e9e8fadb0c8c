package rasa

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/slotway/slotway/config/convert"
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

	says    *behaviour
	params  map[string]*convert.Param // by slot
	types   map[string]string         // declared types by what they are made of
	tables  map[string]bool           // lookup tables that a type has, or that were noted
	intents map[string]string         // the id of each intent; "" for one that only gives values
	tasks   []*task
	yesNo   map[string]string // the built-in intent that an intent is: affirm, deny and other controls
	asks    map[string]string // by response that asks for a yes: its param
}

// Read reads a bot: a folder, or some of its files.
func Read(paths ...string) (*convert.Bot, error) {
	r := &reader{
		bot: &convert.Bot{}, params: map[string]*convert.Param{}, types: map[string]string{}, intents: map[string]string{}, yesNo: map[string]string{},
		asks: map[string]string{}, tables: map[string]bool{},
	}
	if len(paths) == 0 {
		return nil, fmt.Errorf("no path: name the folder of the bot, or some of its files")
	}
	r.bot.Name = nameOf(paths[0])
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

// readByRasa are the folders that Rasa itself reads, besides domain.yml and what is said to it.
var readByRasa = []string{"domain", "data", "tests", "test", "e2e_tests"}

// read reads a file, or of a folder what Rasa reads of it; other files that look like parts of a bot, such as
// copies, are noted.
func (r *reader) read(root string) error {
	info, err := os.Stat(root)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return r.open(convert.FilesOf(os.DirFS(filepath.Dir(root))), filepath.Base(root))
	}
	files := convert.FilesOf(os.DirFS(root))
	names, err := files.List()
	if err != nil {
		return fmt.Errorf("%s: %w", root, err)
	}
	whole := slices.ContainsFunc(names, func(name string) bool {
		return mayBePart(name) && (base(name) == "domain" && path.Dir(name) == "." || strings.HasPrefix(name, "domain/"))
	})
	for _, name := range names {
		switch {
		case !mayBePart(name):
		case !whole || belongs(name):
			if err := r.open(files, name); err != nil {
				return err
			}
		case !strings.HasPrefix(path.Base(name), "docker-compose"):
			r.bot.Report.Add(convert.Place{File: name}, convert.Left, "not read: Rasa reads domain.yml, config.yml, endpoints.yml and the folders %s", strings.Join(readByRasa, ", "))
		}
	}
	return nil
}

// open reads a file.
func (r *reader) open(files *convert.Files, name string) error {
	data, err := files.Read(name)
	if err == nil && len(data) > maxBytes {
		err = fmt.Errorf("%s has more than %d bytes; name a smaller file", name, maxBytes)
	}
	if err == nil {
		r.file(name, data)
	}
	return err
}

// mayBePart reports whether a file may be a part of a bot by its name.
func mayBePart(name string) bool {
	ext := strings.ToLower(path.Ext(name))
	older := (ext == ".md" || ext == ".json") && strings.HasPrefix(name, "data/")
	return ext == ".yml" || ext == ".yaml" || older
}

func base(name string) string { return strings.TrimSuffix(path.Base(name), path.Ext(name)) }

// belongs reports whether Rasa reads a file of a bot's folder.
func belongs(name string) bool {
	top, _, below := strings.Cut(name, "/")
	if below {
		return slices.Contains(readByRasa, top)
	}
	return slices.Contains([]string{"domain", "config", "endpoints"}, base(name)) || isTest(name)
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
			if isTest(name) {
				r.tests = append(r.tests, list...)
			} else {
				r.stories = append(r.stories, list...)
			}
		case "flows":
			r.readFlows(e.Value)
		case "test_cases":
			r.readCases(e.Value)
		case "action_endpoint":
			r.server = word(e.Value.Get("url"))
		case "language":
			if e.Value.Kind() == source.KindText && base(name) == "config" {
				r.bot.Language = word(e.Value)
			}
		case "pipeline", "policies":
			if e.Value.Kind() != source.KindNull {
				r.left(e.Value, "%s of config.yml: the classifier is trained at start and needs no settings", e.Key)
			}
		case "e2e_actions":
			r.left(e.Value, "e2e_actions: answers without a name; write them as responses")
		}
	}
}

// isTest reports whether the stories of a file are tests.
func isTest(name string) bool {
	file := path.Base(name)
	if strings.HasPrefix(file, "test_") || strings.HasSuffix(base(name), "_tests") || strings.HasPrefix(file, "conversation_tests") {
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

// left notes what the agent has no place for.
func (r *reader) left(n *source.Node, format string, args ...any) {
	r.bot.Report.Add(place(n), convert.Left, format, args...)
}

// lost notes what a user will notice.
func (r *reader) lost(at convert.Place, format string, args ...any) {
	r.bot.Report.Lost(at, format, args...)
}
