package planner

// Interpretation says how a message was understood, for the reply, the trace and the studio.
type Interpretation struct {
	Intent    string          `json:"intent"`  // what the message was taken for
	Chosen    []ScoredReading `json:"chosen"`  // the readings that were performed, in order
	RunnersUp []ScoredReading `json:"others"`  // the runners-up, best first; at most 3
	Unheard   []Leftover      `json:"unheard"` // what nothing performed explains
}

// ScoredReading is a reading with its score. It holds names, offsets and figures, never texts or
// values, so telemetry may publish it.
type ScoredReading struct {
	Rule     string   `json:"rule"`
	Intent   string   `json:"intent"` // the task that it is about; "": none
	Score    float64  `json:"score"`
	Evidence float64  `json:"evidence"`
	Share    float64  `json:"share"` // of the message that it explains, in [0,1]
	Spans    [][2]int `json:"spans"` // what it explains: code points of the message, end exclusive
}

// Leftover is a part of the message that no performed reading explains. Offsets count code points,
// end exclusive.
type Leftover struct {
	Start int          `json:"start"`
	End   int          `json:"end"`
	Kind  leftoverKind `json:"kind"`
	Param string       `json:"param"` // of a value: the param that it could fill; "": none
	Text  string       `json:"text"`
	Told  bool         `json:"told"` // the reply says that it was left over
}

// LeftoverKind tells a clause from a value.
type leftoverKind string

// The kinds of leftover.
const (
	leftoverClause leftoverKind = "clause"
	LeftoverValue  leftoverKind = "value"
)

// maxRunnersUp is how many runners-up an interpretation keeps.
const maxRunnersUp = 3

// Suggestion is a message that the user can send next, shown as a chip.
type Suggestion struct {
	Title string `json:"title"`           // what it reads
	Text  string `json:"say"`             // the message that it stands for
	Param string `json:"param,omitempty"` // of which it is a value that a tool has listed; "": it is of the definition
}
