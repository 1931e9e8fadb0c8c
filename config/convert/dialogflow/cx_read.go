package dialogflow

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/convert"
)

// cx reads an export of CX.
type cx struct {
	*reader
	intents map[string]*cxRead // by name
	flows   map[string]*cxFlowRead
	order   []string                   // of the flows: the one that begins first
	tasks   map[string]*convert.Intent // by the name of the intent that begins it
}

type cxRead struct {
	cxIntent
	lines *convert.Lines
	said  *convert.Lines
}

type cxFlowRead struct {
	cxFlow
	lines  *convert.Lines
	pages  map[string]*cxPageRead
	groups map[string]*cxGroupRead
}

type cxPageRead struct {
	cxPage
	lines *convert.Lines
}

type cxGroupRead struct {
	cxGroup
	lines *convert.Lines
}

// cxStart is the flow in which every conversation begins.
const cxStart = "Default Start Flow"

func (r *reader) readCX(agentFile string) error {
	var a cxAgent
	if _, err := r.files.JSON(agentFile, &a); err != nil {
		return err
	}
	main := cmp.Or(a.Language, "en")
	r.language = cmp.Or(r.language, main)
	r.bot.Name, r.bot.Description = cmp.Or(a.Name, "dialogflow agent"), a.Description
	r.bot.Language, r.bot.Timezone = r.language, a.Timezone
	for _, other := range append([]string{main}, a.Others...) {
		if !r.speaks(other) {
			r.bot.Report.Add(convert.Place{File: agentFile}, convert.Left, "another language, %s: import it with --locale", other)
		}
	}
	c := &cx{reader: r, intents: map[string]*cxRead{}, flows: map[string]*cxFlowRead{}, tasks: map[string]*convert.Intent{}}
	for _, step := range []func() error{c.readEntities, c.readIntents, c.readFlows} {
		if err := step(); err != nil {
			return err
		}
	}
	c.carry()
	return c.readTests()
}

// parts returns the files of things that each have a folder: intents/order/order.json.
func (c *cx) parts(folder string) (found []string) {
	for _, name := range c.names {
		dir := path.Dir(name)
		if path.Dir(dir) == path.Join(c.root, folder) && path.Ext(name) == ".json" {
			found = append(found, name)
		}
	}
	return found
}

func (c *cx) readEntities() error {
	for _, name := range c.parts("entityTypes") {
		var def cxEntity
		lines, err := c.files.JSON(name, &def)
		if err != nil {
			return err
		}
		if entries := c.beside(path.Dir(name) + "/entities/"); entries != "" {
			if lines, err = c.files.JSON(entries, &def.cxEntries); err != nil {
				return err
			}
		}
		c.kinds.add(&entity{
			name: cmp.Or(def.Name, convert.Base(name)), patterns: def.Kind == "KIND_REGEXP", expansion: strings.HasSuffix(def.Expansion, "_DEFAULT"),
			fuzzy: def.Fuzzy, entries: def.Entities, at: lines,
		})
	}
	return nil
}

func (c *cx) readIntents() error {
	for _, name := range c.parts("intents") {
		in := &cxRead{}
		var err error
		if in.lines, err = c.files.JSON(name, &in.cxIntent); err != nil {
			return err
		}
		in.said = in.lines
		if phrases := c.beside(path.Dir(name) + "/trainingPhrases/"); phrases != "" {
			if in.said, err = c.files.JSON(phrases, &in.cxPhrases); err != nil {
				return err
			}
		}
		in.Name = cmp.Or(in.Name, convert.Base(name))
		c.intents[in.Name] = in
	}
	return nil
}

func (c *cx) readFlows() error {
	for _, name := range c.parts("flows") {
		f := &cxFlowRead{pages: map[string]*cxPageRead{}, groups: map[string]*cxGroupRead{}}
		var err error
		if f.lines, err = c.files.JSON(name, &f.cxFlow); err != nil {
			return err
		}
		dir := strings.TrimPrefix(path.Dir(name), c.root+"/")
		for _, file := range c.in(path.Join(dir, "pages")) {
			p := &cxPageRead{}
			if p.lines, err = c.files.JSON(file, &p.cxPage); err != nil {
				return err
			}
			f.pages[cmp.Or(p.Name, convert.Base(file))] = p
		}
		for _, file := range c.in(path.Join(dir, "transitionRouteGroups")) {
			g := &cxGroupRead{}
			if g.lines, err = c.files.JSON(file, &g.cxGroup); err != nil {
				return err
			}
			f.groups[cmp.Or(g.Name, convert.Base(file))] = g
		}
		f.Name = cmp.Or(f.Name, convert.Base(name))
		c.flows[f.Name] = f
		c.order = append(c.order, f.Name)
	}
	slices.SortStableFunc(c.order, func(a, b string) int {
		return cmp.Compare(boolInt(b == cxStart), boolInt(a == cxStart))
	})
	return nil
}

func boolInt(v bool) int {
	if v {
		return 1
	}
	return 0
}

// examples returns the sentences of an intent with the values that are marked in them.
func (c *cx) examples(in *cxRead, places map[string]string) (list []config.Example) {
	seen := map[string]bool{}
	for _, phrase := range in.Phrases {
		var s esSentence
		for _, part := range phrase.Parts {
			s.Data = append(s.Data, struct {
				Text        string `json:"text"`
				Alias       string `json:"alias"`
				Meta        string `json:"meta"`
				UserDefined bool   `json:"userDefined"`
			}{Text: part.Text, Alias: part.Param})
		}
		example := s.example(places)
		low := strings.ToLower(example.Text)
		if !c.speaks(phrase.Language) || low == "" || seen[low] {
			continue
		}
		seen[low] = true
		list = append(list, example)
	}
	return list
}

// readTests carries the test cases.
func (c *cx) readTests() error {
	for _, name := range c.in("testCases") {
		var test cxTest
		lines, err := c.files.JSON(name, &test)
		if err != nil {
			return err
		}
		talk := &convert.Conversation{Name: cmp.Or(test.Name, convert.Base(name))}
		for _, t := range test.Turns {
			if t.Input.Input.Text.Text == "" {
				talk.Open = append(talk.Open, c.bot.Report.Decide(lines.Whole(), "a turn of %q is an event or a key press", talk.Name))
				continue
			}
			turn := convert.Turn{User: t.Input.Input.Text.Text}
			if task := c.tasks[t.Output.Intent.Name]; task != nil {
				turn.Intent = task.ID
			}
			for _, said := range t.Output.Texts {
				turn.Contains = append(turn.Contains, said.Text...)
			}
			talk.Turns = append(talk.Turns, turn)
		}
		if len(talk.Turns) > 0 {
			c.bot.Tests = append(c.bot.Tests, talk)
		}
	}
	return nil
}
