package planner

// Account is how a message was taken: for the reply, the trace and the studio.
type Account struct {
	Intent  string    `json:"intent"`  // what the message was taken for
	Chosen  []Weighed `json:"chosen"`  // the readings that were performed, in order
	Others  []Weighed `json:"others"`  // the runners-up, best first; at most 3
	Unheard []Left    `json:"unheard"` // what nothing performed explains
}

// Weighed is one reading with what spoke for it. It has no texts and no values: names, places
// and figures, so telemetry may tell it.
type Weighed struct {
	Rule     string   `json:"rule"`
	Intent   string   `json:"intent"` // the task that it is about; "": none
	Score    float64  `json:"score"`
	Evidence float64  `json:"evidence"`
	Share    float64  `json:"share"` // of the message that it explains, in [0,1]
	Spans    [][2]int `json:"spans"` // what it explains: code points of the message, end exclusive
}

// Left is a stretch of the message that was left over. Offsets count code points, end
// exclusive.
type Left struct {
	Start int      `json:"start"`
	End   int      `json:"end"`
	Kind  LeftKind `json:"kind"`
	Param string   `json:"param"` // of a value: the param that it could fill; "": none
	Text  string   `json:"text"`
	Told  bool     `json:"told"` // the reply says that it was left over
}

// LeftKind says what was left over.
type LeftKind string

// The kinds of what is left over.
const (
	LeftClause LeftKind = "clause"
	LeftValue  LeftKind = "value"
)

// MaxOthers is how many runners-up an account keeps.
const MaxOthers = 3

// Say is one thing that can be said now: a chip.
type Say struct {
	Title string `json:"title"`           // what it reads
	Say   string `json:"say"`             // the message that it stands for
	Param string `json:"param,omitempty"` // of which it is a value that a tool has listed; "": it is of the definition
}
