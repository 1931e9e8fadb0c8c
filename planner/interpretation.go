package planner

// Interpretation says how a message was understood, for the reply, the trace and the studio.
type Interpretation struct {
	Intent    string          `json:"intent"`  // intent of the message
	Chosen    []ScoredReading `json:"chosen"`  // the readings that were performed, in order
	RunnersUp []ScoredReading `json:"others"`  // the runners-up, best first; at most 3
	Unheard   []Leftover      `json:"unheard"` // parts that no performed reading explains
}

// ScoredReading is a reading with its score. It holds names, offsets and figures, never texts or
// values, so telemetry may publish it.
type ScoredReading struct {
	Rule     string   `json:"rule"`
	Intent   string   `json:"intent"` // of its task; "": none
	Score    float64  `json:"score"`
	Evidence float64  `json:"evidence"`
	Share    float64  `json:"share"` // of the message that the reading explains, in [0,1]
	Spans    [][2]int `json:"spans"` // that the reading explains, in code points, end exclusive
}

// Leftover is a part of the message that no performed reading explains. Offsets count code points,
// end exclusive.
type Leftover struct {
	Start int          `json:"start"`
	End   int          `json:"end"`
	Kind  leftoverKind `json:"kind"`
	Param string       `json:"param"` // that a value could fill; "": none
	Text  string       `json:"text"`
	Told  bool         `json:"told"` // the reply mentions it
}

// leftoverKind tells a clause from a value.
type leftoverKind string

// The kinds of leftover.
const (
	leftoverClause leftoverKind = "clause"
	leftoverValue  leftoverKind = "value"
)

// maxRunnersUp is how many runners-up an interpretation keeps.
const maxRunnersUp = 3

// Suggestion is a message that the user can send next, shown as a chip.
type Suggestion struct {
	Title string `json:"title"`           // what the chip shows
	Text  string `json:"say"`             // the message that it sends
	Param string `json:"param,omitempty"` // of a value that a tool has listed; "": the text comes from the definition
}
