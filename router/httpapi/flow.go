package httpapi

import (
	"net/http"

	"github.com/slotway/slotway/config/flow"
	"github.com/slotway/slotway/config/flow/diagram"
)

// flowView is the flow of one intent with a place for everything, so that a page needs no layout of
// its own. Sizes are in pixels, from the upper left corner.
type flowView struct {
	Intent      string     `json:"intent"`
	Title       string     `json:"title"`
	Caption     string     `json:"caption"`
	Description string     `json:"description"` // of the whole picture, in words
	Width       float64    `json:"width"`
	Height      float64    `json:"height"`
	Nodes       []flowNode `json:"nodes"`
	Edges       []flowEdge `json:"edges"`
}

type flowNode struct {
	ID     string       `json:"id"`
	Shape  string       `json:"shape"`
	Text   string       `json:"text"`
	Title  string       `json:"title"`
	Step   string       `json:"step"`
	Param  string       `json:"param"`
	Part   string       `json:"part"`
	Ends   bool         `json:"ends"`
	Place  flowPlace    `json:"place"`
	Lines  []flowLine   `json:"lines"`
	Stroke []flowStroke `json:"strokes"`
}

type flowPlace struct {
	X      float64 `json:"x"`
	Y      float64 `json:"y"`
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
}

type flowLine struct {
	Part string  `json:"part"`
	Text string  `json:"text"`
	Y    float64 `json:"y"` // of the baseline, from the top of the node
}

type flowStroke struct {
	Part string `json:"part"`
	Path string `json:"path"` // from the upper left corner of the node
}

type flowEdge struct {
	From  string     `json:"from"`
	To    string     `json:"to"`
	Way   string     `json:"way"`
	Label string     `json:"label"`
	Step  string     `json:"step"`
	On    string     `json:"on"` // yes, no, denied or an error code, where the step has several ways out
	Back  bool       `json:"back"`
	Path  string     `json:"path"`
	Place *flowPlace `json:"place"` // of the label; null without one
}

// errNoIntent: the agent has no intent of that name.
var errNoIntent = &Problem{Status: http.StatusNotFound, Code: "intent_not_found", Title: "No such intent", Detail: "GET /v1/agent lists the intents."}

// flow draws an intent of the served agent.
func (a *API) flow(_ http.ResponseWriter, r *http.Request) (any, error) {
	q := readQuery(r, "intent")
	id := q.id("intent")
	if q.err == nil && id == "" {
		q.refuse("intent", "is missing")
	}
	if q.err != nil {
		return nil, q.err
	}
	def := a.opts.Agent()
	in := def.Intent(id)
	if in == nil || in.NotServed {
		return nil, errNoIntent
	}
	return viewFlow(diagram.Lay(flow.Of(def, in))), nil
}

func viewFlow(l *diagram.Layout) flowView {
	d := l.Diagram
	v := flowView{
		Intent: d.ID, Title: d.Title, Caption: d.Caption, Description: d.Describe(), Width: l.Width, Height: l.Height,
		Nodes: []flowNode{}, Edges: []flowEdge{},
	}
	for i := range l.Boxes {
		v.Nodes = append(v.Nodes, viewNode(&l.Boxes[i]))
	}
	for _, a := range l.Arrows {
		e := flowEdge{
			From: a.Edge.From, To: a.Edge.To, Way: string(a.Edge.Way), Label: a.Edge.Label,
			Step: diagram.Value(a.Edge.Attrs, flow.AttrStep), On: diagram.Value(a.Edge.Attrs, flow.AttrWay), Back: a.Back, Path: a.Path,
		}
		if a.Label.W > 0 {
			e.Place = &flowPlace{a.Label.X, a.Label.Y, a.Label.W, a.Label.H}
		}
		v.Edges = append(v.Edges, e)
	}
	return v
}

func viewNode(b *diagram.Box) flowNode {
	n := b.Node
	v := flowNode{
		ID: n.ID, Shape: string(n.Shape), Text: n.Text, Title: n.Title, Ends: n.Ends, Place: flowPlace{b.X, b.Y, b.W, b.H},
		Step: diagram.Value(n.Attrs, flow.AttrStep), Param: diagram.Value(n.Attrs, flow.AttrParam), Part: diagram.Value(n.Attrs, flow.AttrPart),
		Lines: []flowLine{}, Stroke: []flowStroke{},
	}
	for _, line := range b.Lines {
		v.Lines = append(v.Lines, flowLine{line.Part, line.Text, line.Y})
	}
	for _, s := range b.Outline() {
		v.Stroke = append(v.Stroke, flowStroke(s))
	}
	return v
}
