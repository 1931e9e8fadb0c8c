package dialogflow

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/slotway/slotway/config/convert"
)

// es reads an export of ES.
type es struct {
	*reader
	all      []*esRead
	intents  []*esRead              // without those that follow another
	declared map[string]esParameter // by name: those that sentences fill
}

// esRead is an intent with what belongs to it.
type esRead struct {
	esIntent
	lines     *convert.Lines
	sentences []esSentence
	said      *convert.Lines // where the sentences stand
	follow    []*esRead      // follow-up intents
}

func (r *reader) readES(agentFile string) error {
	var a esAgent
	if _, err := r.json(agentFile, &a); err != nil {
		return err
	}
	r.bot.Name = cmp.Or(a.Name, a.GoogleID, strings.Trim(path.Base(path.Dir(agentFile)), "."), "dialogflow agent")
	r.bot.Description, r.bot.Timezone = a.Description, a.Timezone
	r.speak(agentFile, a.Language, a.Others)
	e := &es{reader: r, declared: map[string]esParameter{}}
	if err := e.readEntities(); err != nil {
		return err
	}
	if err := e.readIntents(); err != nil {
		return err
	}
	for _, in := range e.intents {
		e.carry(in)
	}
	if a.Webhook.Available && a.Webhook.URL != "" && len(r.bot.Tools) > 0 {
		t := r.bot.Tools[0]
		t.Open = append(t.Open, r.bot.Report.Decide(convert.Place{File: agentFile}, "the webhook of all tools was %s", a.Webhook.URL))
	}
	for _, folder := range []string{"intents/", "entities/"} {
		e.unread(path.Join(e.root, folder) + "/")
	}
	for _, name := range e.in("") { // such as customSmalltalkResponses_en.json
		e.unread(name)
	}
	return nil
}

func (e *es) readEntities() error {
	for _, name := range e.in("entities") {
		if strings.Contains(path.Base(name), "_entries_") {
			continue
		}
		var def esEntity
		lines, err := e.json(name, &def)
		if err != nil {
			return err
		}
		if entries := e.beside(strings.TrimSuffix(name, ".json") + "_entries_"); entries != "" {
			if lines, err = e.json(entries, &def.Entries); err != nil {
				return err
			}
		}
		e.kinds.add(&entity{
			name: cmp.Or(def.Name, convert.Base(name)), patterns: def.Regexp, list: def.Enum, expansion: def.Expansion, fuzzy: def.Fuzzy,
			entries: def.Entries, at: lines,
		})
	}
	return nil
}

// readIntents reads the intents, and hangs follow-up intents to theirs.
func (e *es) readIntents() error {
	byID := map[string]*esRead{}
	var all []*esRead
	for _, name := range e.in("intents") {
		if strings.Contains(path.Base(name), "_usersays_") {
			continue
		}
		in := &esRead{}
		var err error
		if in.lines, err = e.json(name, &in.esIntent); err != nil {
			return err
		}
		in.sentences, in.said = in.UserSays, in.lines
		if says := e.beside(strings.TrimSuffix(name, ".json") + "_usersays_"); says != "" {
			if in.said, err = e.json(says, &in.sentences); err != nil {
				return err
			}
		}
		in.Name = cmp.Or(in.Name, convert.Base(name))
		for _, p := range in.response().Parameters {
			if _, known := e.declared[p.Name]; !known && !strings.HasPrefix(p.Value, "#") {
				e.declared[p.Name] = p
			}
		}
		all = append(all, in)
		if in.ID != "" {
			byID[in.ID] = in
		}
	}
	e.all = all
	for _, in := range all {
		parent := byID[in.Parent]
		if setters := e.settersOf(in.Contexts); parent == nil && len(setters) == 1 && e.answer(in) != "" {
			parent = setters[0] // its yes or no is heard only after it
		}
		if parent != nil && parent != in {
			parent.follow = append(parent.follow, in)
		} else {
			e.intents = append(e.intents, in)
		}
	}
	return nil
}

// settersOf returns the intents that set one of the contexts.
func (e *es) settersOf(contexts []string) (list []*esRead) {
	for _, in := range e.all {
		if slices.ContainsFunc(in.response().Contexts, func(c esContext) bool { return slices.Contains(contexts, c.Name) }) {
			list = append(list, in)
		}
	}
	return list
}

// setters returns their names.
func (e *es) setters(contexts []string) (names []string) {
	for _, in := range e.settersOf(contexts) {
		names = append(names, in.Name)
	}
	return names
}

// response is what an intent does; an empty one if it has none.
func (in *esRead) response() esResponse {
	if len(in.Responses) == 0 {
		return esResponse{}
	}
	return in.Responses[0]
}

// begins reports whether an event of the name begins the intent.
func (in *esRead) begins(event string) bool {
	return slices.ContainsFunc(in.Events, func(e esContext) bool { return strings.EqualFold(e.Name, event) })
}
