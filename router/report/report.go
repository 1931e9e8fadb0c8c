package report

import (
	"time"
)

// Report is what happened in a range of time.
type Report struct {
	Since      time.Time  `json:"since"`
	Until      time.Time  `json:"until"`
	Sessions   int        `json:"sessions"`   // with a turn in the range
	Turns      int        `json:"turns"`      // in the range
	Handoffs   int        `json:"handoffs"`   // turns that handed the conversation to a person, within a task or not
	Taken      int        `json:"taken"`      // times that a person took a conversation over
	Tasks      []Task     `json:"tasks"`      // the most often begun first
	Failures   []Failure  `json:"failures"`   // of tools, within a task or not
	Unanswered Unanswered `json:"unanswered"` // messages that were not understood
	Damaged    []Damaged  `json:"damaged"`    // sessions that cannot be read, which are left out; at most MostDamaged
	DamagedAll int        `json:"damaged_sessions"`
	More       bool       `json:"more"` // there are sessions that were not read
}

// Task is what became of one intent.
type Task struct {
	Intent string `json:"intent"`
	Begun  int    `json:"begun"`

	// The fates, which add up to Begun.
	Done      int `json:"done"`
	Declined  int `json:"declined"`
	Stopped   int `json:"stopped"`
	HandedOff int `json:"handed_off"`
	Failed    int `json:"failed"`
	Abandoned int `json:"abandoned"`
	Open      int `json:"open"`

	Turns        int     `json:"turns"`          // in which it was under way
	TurnsPerDone float64 `json:"turns_per_done"` // the mean of those that were done; 0: none was

	Corrections   int           `json:"corrections"` // turns in which the user changed a value known before
	Confirmations Confirmations `json:"confirmations"`
	Params        []Param       `json:"params"`       // that were asked for or corrected, the most often asked first
	AbandonedAt   []Place       `json:"abandoned_at"` // where the abandoned ones stood, the most frequent first
	Failures      []Failure     `json:"failures"`     // of its tools
}

// Fate is what became of a task.
type Fate string

// The fates.
const (
	Done      Fate = "done"       // its plan came to its end
	Declined  Fate = "declined"   // the user said no to its confirmation, and it ended
	Stopped   Fate = "stopped"    // the user stopped or dropped it, or the session was cleared
	HandedOff Fate = "handed_off" // a person took over
	Failed    Fate = "failed"     // a call failed for good, a step was faulty, or it is unknown whether a write was made
	Abandoned Fate = "abandoned"  // it was open, and the session was silent for longer than its idle time
	Open      Fate = "open"       // it is under way or interrupted
)

// Confirmations counts the confirmations of a task.
type Confirmations struct {
	Asked int `json:"asked"` // turns that asked for one
	Yes   int `json:"yes"`
	No    int `json:"no"`
}

// Param is how often a param was asked for.
type Param struct {
	Param     string `json:"param"`
	Asked     int    `json:"asked"`       // turns that asked for it
	Again     int    `json:"asked_again"` // those of them that asked for it again in the same task
	Corrected int    `json:"corrected"`   // turns that changed its value
}

// Place is where tasks stood when they were left.
type Place struct {
	Waiting string `json:"waiting_for"` // kind of the question: see [planner.Question]; "retry": a call had failed; "": none was open
	Param   string `json:"param,omitempty"`
	Step    string `json:"step,omitempty"`
	Tool    string `json:"tool,omitempty"` // of the confirmation
	Count   int    `json:"count"`
}

// Failure counts calls of a tool that failed with the same code.
type Failure struct {
	Tool   string `json:"tool"`
	Code   string `json:"code"`
	Status string `json:"status"` // error, or unknown: the call may have had its effect
	Count  int    `json:"count"`
}

// Unanswered are the messages that were not understood: no task was recognised in them, or the agent
// asked its question again.
type Unanswered struct {
	Messages int     `json:"messages"`
	Groups   []Group `json:"groups"` // of alike ones, the largest first
	More     bool    `json:"more"`   // there are messages in no group that is listed
}

// Group is a group of alike messages.
type Group struct {
	ID       string         `json:"group"`
	Size     int            `json:"size"` // messages
	Sessions int            `json:"sessions"`
	Last     time.Time      `json:"last"`
	Reasons  map[string]int `json:"reasons"` // fallback, unanswered
	Texts    []Text         `json:"texts"`   // at most MostTexts
}

// Text is what a message said. A value of a param stands in it as {param}.
type Text struct {
	Text  string `json:"text"`
	Count int    `json:"count"`
}

// Damaged names a session that cannot be read.
type Damaged struct {
	UserID    string `json:"user_id"`
	SessionID string `json:"session_id"`
}

// Limits of a report.
const (
	MostTexts   = 5   // of a group
	MostDamaged = 100 // named sessions
)
