package dialogflow

import (
	"cmp"
	"errors"
	"path"
	"slices"
	"strings"

	"github.com/slotway/slotway/config"
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
	r := &reader{
		files: files, names: names, root: path.Dir(names[at]), language: language, bot: &convert.Bot{}, params: map[string]*convert.Param{}, made: map[string]*convert.Param{},
		read: map[string]bool{},
	}
	r.kinds = kinds{bot: r.bot, types: map[string]string{}, redact: map[string]bool{}}
	read := r.readES
	if slices.ContainsFunc(names, func(name string) bool { return strings.HasPrefix(name, path.Join(r.root, "flows")+"/") }) {
		read = r.readCX
	}
	if err := read(names[at]); err != nil {
		return nil, err
	}
	r.bot.Finish()
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
	params   map[string]*convert.Param // by their names in the export
	made     map[string]*convert.Param // by name and type

	read map[string]bool // files
}

// quiet are the keys that say nothing about the dialogue.
var quiet = map[string]bool{
	"id": true, "name": true, "lang": true, "languageCode": true, "auto": true, "priority": true, "speech": true, "count": true, "updated": true, "timestamp": true,
	"resetContexts": true, "lifespan": true, "defaultResponsePlatforms": true, "rootParentId": true, "responseType": true, "source": true, "title": true, "meta": true,
	"userDefined": true, "outputDialogContexts": true, "automatedExpansion": true, "isOverridable": true, "repeatCount": true, "labels": true, "description": true,
	"priorities": true, "numTrainingPhrases": true, "diagnosticInfo": true, "kind": true, "testTime": true, "testConfig": true, "lastTestResult": true, "creationTime": true,
	"isLlmEnabled": true, "enableOnePersonSessions": true, "isPrivate": true, "textToSpeech": true, "type": true, "nluSettings": true, "locked": true,
}

// json decodes a file, lists what it says in keys that nothing reads, and notes that it was read.
func (r *reader) json(name string, into any) (*convert.Lines, error) {
	r.read[name] = true
	lines, err := r.files.JSON(name, into)
	if err != nil || path.Base(name) == "agent.json" {
		return lines, err
	}
	return lines, r.files.Rest(name, into, quiet, &r.bot.Report)
}

// unread lists the files of the export that nothing reads. below names a folder; "": all. Those of other
// languages are no loss: the report names the languages.
func (r *reader) unread(below string) {
	for _, name := range r.names {
		if !strings.HasPrefix(name, below) || path.Ext(name) != ".json" || r.read[name] || path.Base(name) == "package.json" || r.foreign(name) {
			continue
		}
		r.bot.Report.Add(convert.Place{File: name}, convert.Left, "this file is not read")
	}
}

// foreign reports whether a file holds sentences or values of another language: order_usersays_fr.json,
// trainingPhrases/fr.json.
func (r *reader) foreign(name string) bool {
	base := convert.Base(name)
	for _, mark := range []string{"_usersays_", "_entries_"} {
		if at := strings.LastIndex(base, mark); at >= 0 {
			return !r.speaks(base[at+len(mark):])
		}
	}
	folder := path.Base(path.Dir(name))
	return (folder == "trainingPhrases" || folder == "entities") && path.Dir(path.Dir(name)) != r.root && !r.speaks(base)
}

// speak chooses the language: what was asked for, else the agent's own. The others are noted.
func (r *reader) speak(file, own string, others []string) {
	own = cmp.Or(own, "en")
	r.language = cmp.Or(r.language, own)
	r.bot.Language = r.language
	for _, other := range append([]string{own}, others...) {
		if !r.speaks(other) {
			r.bot.Report.Add(convert.Place{File: file}, convert.Left, "another language, %s: import it with --locale", other)
		}
	}
}

// speaks reports whether a text of a language belongs to the agent; most name only "en".
func (r *reader) speaks(language string) bool {
	short, _, _ := strings.Cut(r.language, "-")
	return language == "" || strings.EqualFold(language, r.language) || strings.EqualFold(language, short)
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
	short, _, _ := strings.Cut(r.language, "-")
	for _, language := range []string{r.language, short} {
		if name := prefix + language + ".json"; slices.Contains(r.names, name) {
			return name
		}
	}
	return ""
}

// greet makes an intent the built-in greeting.
func (r *reader) greet(name string, examples []config.Example, texts []string, at convert.Place) {
	b := r.bot.Builtin("greet")
	b.Examples = append(b.Examples, examples...)
	if known := r.bot.Response("system.greet"); known != nil {
		known.Texts = append(known.Texts, texts...)
	} else {
		r.bot.SayBuiltin("greet", texts)
	}
	if len(b.Examples) == 0 {
		r.bot.System = slices.DeleteFunc(r.bot.System, func(o *convert.Builtin) bool { return o == b })
	}
	r.bot.Report.Add(at, convert.Carried, "%q is the built-in intent greet", name)
}

// param makes a param, once for a name and type.
func (r *reader) param(name, kind string) *convert.Param {
	key := name + "\x00" + kind
	if r.made[key] == nil {
		p := &convert.Param{Name: r.bot.FreeParam(name), Type: kind}
		r.made[key] = p
		r.bot.Params = append(r.bot.Params, p)
		if r.params[name] == nil {
			r.params[name] = p
		}
	}
	return r.made[key]
}
