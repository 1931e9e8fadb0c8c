package dialogflow

import (
	"cmp"
	"errors"
	"path"
	"slices"
	"strings"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/convert"
	"github.com/slotway/slotway/config/pattern"
)

// reader reads one language of an export.
type reader struct {
	*convert.Files
	names    []string // of all files
	root     string
	language string
	bot      *convert.Bot
	types    map[string]string         // type in the agent by the name of an entity
	redact   map[string]bool           // entities whose values are hidden
	params   map[string]*convert.Param // by their names in the export
	made     map[string]*convert.Param // by name and type
}

// quiet are the keys that say nothing about the dialogue.
var quiet = map[string]bool{
	"id": true, "name": true, "lang": true, "languageCode": true, "auto": true, "priority": true, "speech": true, "count": true, "updated": true, "timestamp": true,
	"resetContexts": true, "lifespan": true, "defaultResponsePlatforms": true, "rootParentId": true, "responseType": true, "source": true, "title": true, "meta": true,
	"userDefined": true, "outputDialogContexts": true, "automatedExpansion": true, "isOverridable": true, "repeatCount": true, "labels": true, "description": true,
	"priorities": true, "numTrainingPhrases": true, "diagnosticInfo": true, "kind": true, "testTime": true, "testConfig": true, "lastTestResult": true, "creationTime": true,
	"isLlmEnabled": true, "enableOnePersonSessions": true, "isPrivate": true, "textToSpeech": true, "type": true, "nluSettings": true, "locked": true, "displayName": true,
}

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
	agent, err := files.JSON(names[at])
	if err != nil {
		return nil, err
	}
	r := &reader{
		Files: files, names: names, root: path.Dir(names[at]), bot: &convert.Bot{}, types: map[string]string{}, redact: map[string]bool{},
		params: map[string]*convert.Param{}, made: map[string]*convert.Param{},
	}
	own := cmp.Or(agent.Str("language"), agent.Str("defaultLanguageCode"), "en")
	r.language = cmp.Or(language, own)
	for _, other := range slices.Concat([]string{own}, agent.Strs("supportedLanguages"), agent.Strs("supportedLanguageCodes")) {
		if !r.speaks(other) {
			r.bot.Report.Add(agent.Place(), convert.Left, "another language, %s: import it with --locale", other)
		}
	}
	r.bot.Name = cmp.Or(agent.Str("displayName"), agent.Str("googleAssistantProjectId"), strings.Trim(path.Base(r.root), "."), "dialogflow agent")
	r.bot.Language, r.bot.Description, r.bot.Timezone = r.language, agent.Str("description"), cmp.Or(agent.Str("defaultTimezone"), agent.Str("timeZone"))
	if slices.ContainsFunc(names, func(name string) bool { return strings.HasPrefix(name, path.Join(r.root, "flows")+"/") }) {
		err = r.readCX()
	} else {
		err = r.readES(agent)
	}
	if err != nil {
		return nil, err
	}
	r.Rest(names, quiet, &r.bot.Report, func(name string) bool {
		return path.Ext(name) != ".json" || path.Base(name) == "agent.json" || path.Base(name) == "package.json" || r.foreign(name)
	})
	r.bot.Finish()
	return r.bot, nil
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

// speaks reports whether a text of a language belongs to the agent; most name only "en".
func (r *reader) speaks(language string) bool {
	short, _, _ := strings.Cut(r.language, "-")
	return language == "" || strings.EqualFold(language, r.language) || strings.EqualFold(language, short)
}

// said returns the elements of a list that are in the agent's language.
func (r *reader) said(list []*convert.Node, key string) (out []*convert.Node) {
	for _, n := range list {
		if r.speaks(n.Str(key)) {
			out = append(out, n)
		} else {
			n.Done()
		}
	}
	return out
}

// part is a file of an export, with what a file beside it has in the agent's language.
type part struct {
	*convert.Node
	file, name string
	more       *convert.Node // sentences or values; the file itself in older exports
}

// parts reads the files of a folder: in ES intents/order.json with intents/order_usersays_en.json, in CX
// intents/order/order.json with intents/order/trainingPhrases/en.json. beside is what lies between.
func (r *reader) parts(folder, beside string) (list []*part, err error) {
	below := strings.HasSuffix(beside, "/") // CX
	for _, file := range r.names {
		dir := path.Dir(file)
		if below {
			dir = path.Dir(dir)
		}
		if dir != path.Join(r.root, folder) || path.Ext(file) != ".json" || strings.Contains(path.Base(file), "_usersays_") || strings.Contains(path.Base(file), "_entries_") {
			continue
		}
		p := &part{file: file}
		if p.Node, err = r.JSON(file); err != nil {
			return nil, err
		}
		p.name = cmp.Or(p.Str("displayName"), p.Str("name"), convert.Base(file))
		p.more = p.Node
		prefix := strings.TrimSuffix(file, ".json") + beside
		if below {
			prefix = path.Join(path.Dir(file), beside) + "/"
		}
		short, _, _ := strings.Cut(r.language, "-")
		for _, language := range []string{short, r.language} {
			name := prefix + language + ".json"
			if beside == "" || !slices.Contains(r.names, name) {
				continue
			}
			if p.more, err = r.JSON(name); err != nil {
				return nil, err
			}
		}
		list = append(list, p)
	}
	return list, nil
}

// entities makes the types.
func (r *reader) entities(folder, beside string) error {
	list, err := r.parts(folder, beside)
	for _, p := range list {
		entries := append(p.more.List("entries"), p.more.List("entities")...)
		if len(entries) == 0 {
			entries = p.more.List()
		}
		r.entity(p, entries)
	}
	return err
}

// greet makes an intent the built-in greeting.
func (r *reader) greet(name string, examples []config.Example, texts []string, at convert.Place) {
	r.bot.Becomes("greet", name, examples, at)
	if known := r.bot.Response("system.greet"); known != nil {
		known.Texts = append(known.Texts, texts...)
	} else {
		r.bot.SayBuiltin("greet", texts)
	}
}

// param makes a param, once for a name and type.
func (r *reader) param(name, entity string, list bool, at convert.Place) *convert.Param {
	kind := r.typeOf(entity, name, at)
	key := name + "\x00" + kind
	if r.made[key] == nil {
		p := &convert.Param{Name: r.bot.FreeParam(name), Type: kind}
		r.made[key] = p
		r.bot.Params = append(r.bot.Params, p)
		if r.params[name] == nil {
			r.params[name] = p
		}
	}
	r.made[key].List = r.made[key].List || list
	return r.made[key]
}

// sentences returns sentences in parts with their marks. places are the params by the names of the
// marks.
func sentences(list []*convert.Node, parts, text, mark string, places map[string]string) (out []config.Example) {
	for _, s := range list {
		var pieces []convert.Part
		for _, piece := range s.List(parts) {
			pieces = append(pieces, convert.Part{Text: piece.Str(text), Param: places[piece.Str(mark)]})
		}
		if e := convert.Sentence(pieces); e.Text != "" {
			out = append(out, e)
		}
	}
	return out
}

// examples gives a task its sentences; without any its name stands for them.
func (r *reader) examples(out *convert.Intent, p *part, list []config.Example) {
	if out.Examples = list; len(list) == 0 {
		out.Examples = []config.Example{{Text: convert.Spoken(p.name)}}
		out.Open = append(out.Open, r.bot.Report.Decide(p.Place(), "%q has no sentences: its name stands for them", p.name))
	}
}

// yesNo tells whether an intent answers a question with yes or no, by its name or its sentences.
func (r *reader) yesNo(name string, list []config.Example) string {
	var said []string
	for _, e := range list {
		said = append(said, e.Text)
	}
	return convert.YesNo(r.language, name, said)
}

// fill turns the places of texts into placeholders: those of an intent's params, or of others by their names.
func (r *reader) fill(texts []string, place *pattern.Pattern, places map[string]string, at convert.Place) []string {
	for i, text := range texts {
		texts[i] = convert.Places(text, place, func(name string) string {
			if p := r.params[name]; places[name] == "" && p != nil {
				return p.Name
			}
			return places[name]
		}, func(found string) { r.bot.Report.Lost(at, "a text names %s, which is no parameter", found) })
	}
	return texts
}
