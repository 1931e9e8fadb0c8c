package diagram

// Shape is the outline of a node.
type Shape string

// The shapes. Each is a CSS class of the SVG, too.
const (
	Start      Shape = "start"
	Question   Shape = "question"
	Decision   Shape = "decision"
	Confirm    Shape = "confirm"
	Call       Shape = "call"
	Write      Shape = "write"
	Say        Shape = "say"
	Assign     Shape = "assign"
	Handoff    Shape = "handoff"
	Run        Shape = "run"
	Digression Shape = "digression"
	State      Shape = "state"
	End        Shape = "end"
)

// Way is the kind of an edge.
type Way string

// The ways. Each is a CSS class of the SVG, too.
const (
	Next    Way = "next"
	Yes     Way = "yes"
	No      Way = "no"
	Or      Way = "or"      // one of several ways that suffice
	Denied  Way = "denied"  // a no to a confirmation
	Failed  Way = "failed"  // after an error
	Again   Way = "again"   // back to a question that is asked again
	Digress Way = "digress" // to another task and back
)

// Attr is a data attribute of the SVG: what a page needs to find a node or an edge.
type Attr struct{ Name, Value string }

// Value returns the value of an attribute; "" if the list has none of that name.
func Value(list []Attr, name string) string {
	for _, a := range list {
		if a.Name == name {
			return a.Value
		}
	}
	return ""
}

// Node is one box.
type Node struct {
	ID     string // unique in the diagram
	Shape  Shape
	Kind   string // a word above the text; ""
	Text   string
	Detail string // smaller, below the text
	Title  string // the whole text, where Text or Detail is cut
	Ends   bool   // the flow can end here
	Attrs  []Attr
	Class  string // further CSS classes
}

// Edge is one arrow. A diagram has no edge from a node to itself.
type Edge struct {
	From, To string
	Label    string
	Way      Way
	Main     bool // drawn straight where it can be
	Attrs    []Attr
	Class    string
}

// Diagram is a directed graph with a caption.
type Diagram struct {
	ID      string // unique among diagrams that are drawn together
	Title   string
	Caption string
	Nodes   []*Node // the first has no edge before it
	Edges   []*Edge
}

// Node returns the node of that id; nil if there is none.
func (d *Diagram) Node(id string) *Node {
	for _, n := range d.Nodes {
		if n.ID == id {
			return n
		}
	}
	return nil
}
