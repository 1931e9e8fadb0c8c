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
	began   map[string]convert.Place   // routes, by the intents that begin them
	groups  map[string]*cxGroupRead    // route groups of the whole agent
	urls    map[string]string          // of webhooks, by their names
	visited map[*cxPageRead]bool       // pages that some task comes to
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
	if _, err := r.json(agentFile, &a); err != nil {
		return err
	}
	r.bot.Name, r.bot.Description, r.bot.Timezone = cmp.Or(a.Name, "dialogflow agent"), a.Description, a.Timezone
	r.speak(agentFile, a.Language, a.Others)
	c := &cx{
		reader: r, intents: map[string]*cxRead{}, flows: map[string]*cxFlowRead{}, tasks: map[string]*convert.Intent{}, began: map[string]convert.Place{},
		urls: map[string]string{}, visited: map[*cxPageRead]bool{},
	}
	for _, step := range []func() error{c.readEntities, c.readIntents, c.readWebhooks, c.readFlows} {
		if err := step(); err != nil {
			return err
		}
	}
	c.carry()
	if err := c.readTests(); err != nil {
		return err
	}
	c.unread("")
	return nil
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
		lines, err := c.json(name, &def)
		if err != nil {
			return err
		}
		if entries := c.beside(path.Dir(name) + "/entities/"); entries != "" {
			if lines, err = c.json(entries, &def.cxEntries); err != nil {
				return err
			}
		}
		c.kinds.add(&entity{
			name: cmp.Or(def.Name, convert.Base(name)), patterns: def.Kind == "KIND_REGEXP", expansion: strings.HasSuffix(def.Expansion, "_DEFAULT"),
			fuzzy: def.Fuzzy, entries: def.Entities, redact: def.Redact, at: lines,
		})
	}
	return nil
}

func (c *cx) readIntents() error {
	for _, name := range c.parts("intents") {
		in := &cxRead{}
		var err error
		if in.lines, err = c.json(name, &in.cxIntent); err != nil {
			return err
		}
		in.said = in.lines
		if phrases := c.beside(path.Dir(name) + "/trainingPhrases/"); phrases != "" {
			if in.said, err = c.json(phrases, &in.cxPhrases); err != nil {
				return err
			}
		}
		in.Name = cmp.Or(in.Name, convert.Base(name))
		c.intents[in.Name] = in
	}
	return nil
}

func (c *cx) readGroups(folder string) (map[string]*cxGroupRead, error) {
	groups := map[string]*cxGroupRead{}
	for _, file := range c.in(folder) {
		g := &cxGroupRead{}
		var err error
		if g.lines, err = c.json(file, &g.cxGroup); err != nil {
			return nil, err
		}
		groups[cmp.Or(g.Name, convert.Base(file))] = g
	}
	return groups, nil
}

func (c *cx) readFlows() (err error) {
	if c.groups, err = c.readGroups("agentTransitionRouteGroups"); err != nil {
		return err
	}
	for _, name := range c.parts("flows") {
		f := &cxFlowRead{pages: map[string]*cxPageRead{}}
		if f.lines, err = c.json(name, &f.cxFlow); err != nil {
			return err
		}
		dir := strings.TrimPrefix(path.Dir(name), c.root+"/")
		for _, file := range c.in(path.Join(dir, "pages")) {
			p := &cxPageRead{}
			if p.lines, err = c.json(file, &p.cxPage); err != nil {
				return err
			}
			f.pages[cmp.Or(p.Name, convert.Base(file))] = p
		}
		if f.groups, err = c.readGroups(path.Join(dir, "transitionRouteGroups")); err != nil {
			return err
		}
		f.Name = cmp.Or(f.Name, convert.Base(name))
		c.flows[f.Name] = f
		c.order = append(c.order, f.Name)
	}
	if at := slices.Index(c.order, cxStart); at > 0 {
		c.order = slices.Insert(slices.Delete(c.order, at, at+1), 0, cxStart)
	}
	return nil
}

// readWebhooks reads where they are called.
func (c *cx) readWebhooks() error {
	for _, name := range append(c.in("webhooks"), c.parts("webhooks")...) {
		var hook struct {
			Name    string `json:"displayName"`
			Service struct {
				URI string `json:"uri"`
			} `json:"genericWebService"`
		}
		if _, err := c.json(name, &hook); err != nil {
			return err
		}
		c.urls[cmp.Or(hook.Name, convert.Base(name))] = hook.Service.URI
	}
	return nil
}

// examples returns the sentences of an intent with the values that are marked in them.
func (c *cx) examples(in *cxRead, places map[string]string) (list []config.Example) {
	seen := map[string]bool{}
	for _, phrase := range in.Phrases {
		var parts []convert.Part
		for _, part := range phrase.Parts {
			parts = append(parts, convert.Part{Text: part.Text, Param: places[part.Param]})
		}
		example := convert.Sentence(parts)
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
		lines, err := c.json(name, &test)
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
			if task := c.tasks[cmp.Or(t.Output.Intent.Name, t.Output.Intent.Old)]; task != nil {
				turn.Intent = task.ID
			}
			for _, said := range t.Output.Texts {
				if said.Invented {
					turn.Open = append(turn.Open, c.bot.Report.Decide(lines.Of(turn.User), "a language model wrote the answer in %q: no test can expect it", talk.Name))
					continue
				}
				for _, text := range said.Text {
					if same := c.bot.Saying(text); same != "" {
						turn.Matches = append(turn.Matches, same)
					} else if text != "" {
						turn.Open = append(turn.Open, c.bot.Report.Decide(lines.Of(turn.User), "no text of the agent is the answer in %q: %s", talk.Name, text))
					}
				}
			}
			talk.Turns = append(talk.Turns, turn)
		}
		if len(talk.Turns) > 0 {
			c.bot.Tests = append(c.bot.Tests, talk)
		}
	}
	return nil
}
