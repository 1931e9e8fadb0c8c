package dialogflow

import (
	"errors"
	"path"
	"slices"
	"strings"

	"github.com/slotway/slotway/config/convert"
)

// Read reads an export of ES or CX. language names one of its languages, such as en; "": the agent's own.
func Read(files *convert.Files, language string) (*convert.Bot, error) {
	names, err := files.List()
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(names, func(name string) bool { return path.Base(name) == "agent.json" })
	if at < 0 {
		return nil, errors.New("no agent.json: this is no export of Dialogflow; export the agent as a zip file, CX in the JSON package format")
	}
	r := &reader{files: files, names: names, root: path.Dir(names[at]), language: language, bot: &convert.Bot{}, params: map[string]*convert.Param{}}
	r.kinds = kinds{bot: r.bot, types: map[string]string{}}
	read := r.readES
	if slices.ContainsFunc(names, func(name string) bool { return strings.HasPrefix(name, path.Join(r.root, "flows")+"/") }) {
		read = r.readCX
	}
	if err := read(names[at]); err != nil {
		return nil, err
	}
	r.bot.Count()
	return r.bot, nil
}

// reader reads one language of an export.
type reader struct {
	files    *convert.Files
	names    []string // of all files
	root     string
	language string
	bot      *convert.Bot
	kinds    kinds
	params   map[string]*convert.Param // by name
	tools    map[string]bool
}

// speaks reports whether a text of a language belongs to the agent; most name only "en".
func (r *reader) speaks(language string) bool {
	return language == "" || strings.EqualFold(language, r.language) || strings.EqualFold(language, firstPart(r.language))
}

func firstPart(language string) string {
	part, _, _ := strings.Cut(language, "-")
	return part
}

// in returns the JSON files of a folder, without those below it.
func (r *reader) in(folder string) (found []string) {
	for _, name := range r.names {
		if path.Dir(name) == path.Join(r.root, folder) && path.Ext(name) == ".json" {
			found = append(found, name)
		}
	}
	return found
}

// beside returns the file of a name in the agent's language, such as order_usersays_en.json; "": there is
// none.
func (r *reader) beside(prefix string) string {
	for _, language := range []string{r.language, firstPart(r.language)} {
		if name := prefix + language + ".json"; slices.Contains(r.names, name) {
			return name
		}
	}
	return ""
}

// param makes a param, once for a name and type.
func (r *reader) param(name, kind, intent string) *convert.Param {
	id := convert.Snake(name)
	if earlier := r.params[id]; earlier != nil && earlier.Type != kind {
		id = intent + "_" + id
	}
	if r.params[id] == nil {
		r.params[id] = &convert.Param{Name: id, Type: kind}
		r.bot.Params = append(r.bot.Params, r.params[id])
	}
	return r.params[id]
}
