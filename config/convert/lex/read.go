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
	r := &reader{files: files, names: names, bot: &convert.Bot{}, types: map[string]string{}, params: map[string]*convert.Param{}}
	if err := r.find(locale); err != nil {
		return nil, err
	}
	for _, step := range []func() error{r.readTypes, r.readIntents} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	r.bot.Count()
	return r.bot, nil
}

// reader reads one language of an export.
type reader struct {
	files  *convert.Files
	names  []string // of all files
	root   string   // folder of the language
	bot    *convert.Bot
	types  map[string]string         // type in the agent by the name of the slot type
	params map[string]*convert.Param // by name
	filler convert.Filler
}

// find reads Bot.json and chooses a language.
func (r *reader) find(locale string) error {
	at := slices.IndexFunc(r.names, func(name string) bool { return path.Base(name) == "Bot.json" })
	if at < 0 {
		return errors.New("no Bot.json: this is no export of Lex V2; export the bot in the format Amazon Lex")
	}
	var bot botFile
	if _, err := r.files.JSON(r.names[at], &bot); err != nil {
		return err
	}
	r.bot.Name, r.bot.Description = cmp.Or(bot.Name, "lex bot"), bot.Description
	var found []string
	for _, name := range r.names {
		if path.Base(name) == "BotLocale.json" {
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
	return nil
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
