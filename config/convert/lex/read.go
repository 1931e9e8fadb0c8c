package lex

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/slotway/slotway/config/convert"
)

// reader reads one language of an export.
type reader struct {
	*convert.Files
	names  []string // of all files
	root   string   // folder of the language
	bot    *convert.Bot
	types  map[string]string         // type in the agent by the name of the slot type
	free   map[string]bool           // names of slot types that take any answer
	source map[*convert.Param]string // the slot of each param
	filled int                       // places of utterances with sample values
}

// quiet are the keys that say nothing about the dialogue.
var quiet = map[string]bool{
	"identifier": true, "version": true, "allowInterrupt": true, "messageSelectionStrategy": true, "isActive": true, "active": true,
	"enableCodeHookInvocation": true, "promptAttemptsSpecification": true, "voiceSettings": true, "maxRetries": true, "type": true, "priority": true,
}

// Read reads an export. locale names one of its languages, such as en_US; "": the only one, or the first
// in English.
func Read(files *convert.Files, locale string) (*convert.Bot, error) {
	names, err := files.List()
	if err != nil {
		return nil, err
	}
	r := &reader{
		Files: files, names: names, bot: &convert.Bot{}, types: map[string]string{}, source: map[*convert.Param]string{}, free: map[string]bool{},
	}
	if err := r.find(locale); err != nil {
		return nil, err
	}
	for _, part := range []struct {
		folder, file string
		read         func(name string, n *convert.Node) error
	}{{"SlotTypes", "SlotType.json", r.slotType}, {"Intents", "Intent.json", r.intent}} {
		for _, name := range r.names {
			if !strings.HasPrefix(name, path.Join(r.root, part.folder)+"/") || path.Base(name) != part.file {
				continue
			}
			n, err := r.JSON(name)
			if err == nil {
				err = part.read(name, n)
			}
			if err != nil {
				return nil, err
			}
		}
	}
	r.Rest(r.names, quiet, &r.bot.Report, func(name string) bool { return !strings.HasPrefix(name, r.root+"/") })
	r.bot.Finish()
	return r.bot, nil
}

// find reads Bot.json, which the export of a language alone does not have, and chooses a language.
func (r *reader) find(locale string) error {
	var bot *convert.Node
	base := ""
	var found []string // folders of languages
	for _, name := range r.names {
		switch file := path.Base(name); {
		case strings.EqualFold(file, "Bot.json") && bot != nil:
			r.bot.Report.Add(convert.Place{File: name}, convert.Left, "another bot: import its folder alone")
		case strings.EqualFold(file, "Bot.json"):
			var err error
			if bot, err = r.JSON(name); err != nil {
				return err
			}
			base = strings.TrimSuffix(name, file)
		case file == "BotLocale.json":
			found = append(found, path.Dir(name))
		}
	}
	r.bot.Name, r.bot.Description = cmp.Or(bot.Str("name"), "lex bot"), bot.Str("description")
	if seconds := bot.Str("idleSessionTTLInSeconds"); seconds != "" {
		r.bot.IdleTTL = seconds + "s"
	}
	found = slices.DeleteFunc(found, func(dir string) bool { return !strings.HasPrefix(dir, base) })
	wanted := slices.IndexFunc(found, func(dir string) bool {
		return strings.EqualFold(path.Base(dir), locale) || locale == "" && strings.HasPrefix(path.Base(dir), "en")
	})
	switch {
	case len(found) == 0:
		return errors.New("no Bot.json and BotLocale.json: this is no export of Lex V2; export the bot in the format Amazon Lex")
	case wanted < 0 && locale != "":
		for i := range found {
			found[i] = path.Base(found[i])
		}
		return fmt.Errorf("the export has no language %s; it has %s", locale, strings.Join(found, ", "))
	}
	r.root = found[max(wanted, 0)]
	for _, other := range found {
		if other != r.root {
			r.bot.Report.Add(convert.Place{File: other}, convert.Left, "another language, %s: import it with --locale", path.Base(other))
		}
	}
	r.bot.Language = strings.ReplaceAll(path.Base(r.root), "_", "-")
	n, err := r.JSON(path.Join(r.root, "BotLocale.json"))
	n.Get("name").Done() // of the language
	return err
}
