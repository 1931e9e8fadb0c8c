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

// Read reads an export. locale names one of its languages, such as en_US; "": the only one, or the first
// in English.
func Read(files *convert.Files, locale string) (*convert.Bot, error) {
	names, err := files.List()
	if err != nil {
		return nil, err
	}
	r := &reader{
		files: files, names: names, bot: &convert.Bot{}, types: map[string]string{}, source: map[*convert.Param]string{},
		free: map[string]bool{}, amazon: map[string]string{}, seen: map[string]bool{},
	}
	if err := r.find(locale); err != nil {
		return nil, err
	}
	for _, step := range []func() error{r.readTypes, r.readIntents} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	for _, name := range r.names {
		if strings.HasPrefix(name, r.root+"/") && !r.seen[name] {
			r.bot.Report.Add(convert.Place{File: name}, convert.Left, "nothing of this file is read")
		}
	}
	r.bot.Finish()
	return r.bot, nil
}

// reader reads one language of an export.
type reader struct {
	files    *convert.Files
	names    []string // of all files
	root     string   // folder of the language
	bot      *convert.Bot
	types    map[string]string         // type in the agent by the name of the slot type
	free     map[string]bool           // names of slot types that take any answer
	source   map[*convert.Param]string // the slot of each param
	amazon   map[string]string         // slot type of Amazon by the name of the param
	filler   convert.Filler
	builtins map[string]string // built-in intents by their sentences
	seen     map[string]bool   // names of the files that were read
}

// quiet are the keys that say nothing about the dialogue.
var quiet = map[string]bool{
	"identifier": true, "version": true, "allowInterrupt": true, "messageSelectionStrategy": true, "isActive": true, "active": true,
	"enableCodeHookInvocation": true, "promptAttemptsSpecification": true, "voiceSettings": true, "maxRetries": true, "type": true,
}

// json reads a file, and lists what it says in keys that no field reads.
func (r *reader) json(name string, into any) (*convert.Lines, error) {
	lines, err := r.files.JSON(name, into)
	if err != nil {
		return nil, err
	}
	r.seen[name] = true
	return lines, r.files.Rest(name, into, quiet, &r.bot.Report)
}

// find reads Bot.json and chooses a language.
func (r *reader) find(locale string) error {
	base, err := r.findBot()
	if err != nil {
		return err
	}
	var found []string
	for _, name := range r.names {
		if path.Base(name) == "BotLocale.json" && (base == "." || strings.HasPrefix(name, base+"/")) {
			found = append(found, path.Dir(name))
		}
	}
	if len(found) == 0 {
		return errors.New("the export has no BotLocale.json, so no language")
	}
	r.root = found[0]
	for _, dir := range found {
		base := path.Base(dir)
		if locale != "" && strings.EqualFold(base, locale) || locale == "" && strings.HasPrefix(base, "en") {
			r.root = dir
			break
		}
	}
	if locale != "" && !strings.EqualFold(path.Base(r.root), locale) {
		return fmt.Errorf("the export has no language %s; it has %s", locale, bases(found))
	}
	for _, dir := range found {
		if dir != r.root {
			r.bot.Report.Add(convert.Place{File: path.Join(dir, "BotLocale.json")}, convert.Left, "another language, %s: import it with --locale", path.Base(dir))
		}
	}
	r.bot.Language = strings.ReplaceAll(path.Base(r.root), "_", "-")
	_, err = r.json(path.Join(r.root, "BotLocale.json"), &localeFile{})
	return err
}

// findBot reads Bot.json and returns its folder. The export of a language alone has none.
func (r *reader) findBot() (base string, err error) {
	var bot botFile
	base = "."
	bots := slices.DeleteFunc(slices.Clone(r.names), func(name string) bool { return !strings.EqualFold(path.Base(name), "Bot.json") })
	if len(bots) > 0 {
		base = path.Dir(bots[0])
		if _, err := r.json(bots[0], &bot); err != nil {
			return "", err
		}
		for _, other := range bots[1:] {
			r.bot.Report.Add(convert.Place{File: other}, convert.Left, "another bot: import its folder alone")
		}
	} else if !slices.ContainsFunc(r.names, func(name string) bool { return path.Base(name) == "BotLocale.json" }) {
		return "", errors.New("no Bot.json: this is no export of Lex V2; export the bot in the format Amazon Lex")
	}
	r.bot.Name, r.bot.Description = cmp.Or(bot.Name, "lex bot"), bot.Description
	switch s := bot.IdleSeconds; {
	case s > 0 && s%60 == 0:
		r.bot.IdleTTL = fmt.Sprintf("%dm", s/60)
	case s > 0:
		r.bot.IdleTTL = fmt.Sprintf("%ds", s)
	}
	return base, nil
}

func bases(dirs []string) string {
	names := make([]string, len(dirs))
	for i, dir := range dirs {
		names[i] = path.Base(dir)
	}
	return strings.Join(names, ", ")
}

// under returns the files with a base name below a folder of the language, sorted.
func (r *reader) under(folder, base string) (found []string) {
	for _, name := range r.names {
		if strings.HasPrefix(name, path.Join(r.root, folder)+"/") && path.Base(name) == base {
			found = append(found, name)
		}
	}
	return found
}
