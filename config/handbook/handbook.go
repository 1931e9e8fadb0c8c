package handbook

import (
	_ "embed" // page.gohtml
	"fmt"
	"html/template"
	"io"
	"slices"
	"sync"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/flow/diagram"
	"github.com/slotway/slotway/config/printable"
)

//go:embed page.gohtml
var source string

var page = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("page").Funcs(template.FuncMap{
		"text": printable.Text,
		"part": func(done, all int) string { return fmt.Sprintf("%d of %d", done, all) },
	}).Parse(source))
})

// Options say what else the page shows.
type Options struct {
	// Coverage says which parts conversations reach; nil: the page leaves it out.
	Coverage *Coverage
}

// Coverage lists the parts of an agent that a set of conversations reaches.
type Coverage struct {
	Of      string                                    // the conversations, such as "12 conversations"
	Reached func(intent string, n *diagram.Node) bool // whether a node of an intent's flow was reached
	Intents map[string]Share                          // by intent
	Kinds   []Kind                                    // of the whole agent
}

// Share is how much of something was reached.
type Share struct{ Reached, All int }

// Percent returns a share in whole per cent, rounded down; 100 of nothing.
func (s Share) Percent() int {
	if s.All == 0 {
		return 100
	}
	return s.Reached * 100 / s.All
}

// Kind is the share of one kind of things, such as branches.
type Kind struct {
	Name string
	Share
}

// Write writes the page of an agent.
func Write(w io.Writer, a *config.Agent, o Options) error {
	if err := page().Execute(w, newView(a, o)); err != nil {
		return fmt.Errorf("write the page of agent %s: %w", a.ID, err)
	}
	return nil
}

// view is the data of the template.
type view struct {
	Title, Description, Language, ID string
	Timezone, Version                string
	Style                            template.CSS
	Markers                          template.HTML
	Tiles                            []tile
	Tasks, Answers                   []intent
	Types                            []kind
	Tools                            []tool
	Responses                        []response
	NotServed                        []intent
	Policies                         []policy
	Coverage                         *Coverage
}

type tile struct{ Name, Value, Note string }

func newView(a *config.Agent, o Options) *view {
	v := &view{
		ID: a.ID, Title: a.ID, Description: a.Description, Language: a.Language, Timezone: a.Location.String(), Version: a.Hash[:min(12, len(a.Hash))],
		Style: template.CSS(diagram.Style), Markers: template.HTML(diagram.Markers("")), Coverage: o.Coverage,
	}
	if name := a.Name(); name != "" {
		v.Title = name
	}
	use := usesOf(a)
	b := &builder{agent: a, uses: use, coverage: o.Coverage}
	for _, in := range a.Intents {
		if in.AnswerOnly {
			v.Answers = append(v.Answers, b.intent(in))
		} else {
			v.Tasks = append(v.Tasks, b.intent(in))
		}
	}
	for _, in := range a.System {
		if len(in.Plan) > 0 {
			v.Answers = append(v.Answers, b.intent(in))
		}
	}
	for _, in := range a.NotServed {
		v.NotServed = append(v.NotServed, b.intent(in))
	}
	v.Types, v.Tools, v.Responses, v.Policies = typesOf(a), b.tools(), b.responses(), policiesOf(a)
	v.Tiles = tilesOf(a, v)
	return v
}

func tilesOf(a *config.Agent, v *view) []tile {
	writes := 0
	for _, t := range v.Tools {
		if t.Writes {
			writes++
		}
	}
	tiles := []tile{
		{"Tasks", fmt.Sprint(len(v.Tasks)), ""},
		{"Answers", fmt.Sprint(len(v.Answers)), "given in passing"},
		{"Tools", fmt.Sprint(len(v.Tools)), fmt.Sprintf("%d of them write", writes)},
		{"Params", fmt.Sprint(len(a.Params)), fmt.Sprintf("%d of them redacted", len(a.Redaction.Params))},
		{"Responses", fmt.Sprint(len(v.Responses)), ""},
	}
	if c := v.Coverage; c != nil {
		all := Share{}
		for _, k := range c.Kinds {
			all.Reached, all.All = all.Reached+k.Reached, all.All+k.All
		}
		tiles = append(tiles, tile{"Coverage", fmt.Sprintf("%d %%", all.Percent()), c.Of})
	}
	return tiles
}

// redacted reports whether the values of a param are masked.
func redacted(a *config.Agent, param string) bool { return slices.Contains(a.Redaction.Params, param) }
