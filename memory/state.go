package memory

import (
	"encoding/json"
	"time"
)

// State is the dialogue state of a session: everything but its messages.
type State struct {
	Params          map[string]any  `json:"params"` // JSON-normal values
	WaitingForParam string          `json:"waiting_for_param,omitempty"`
	LastIntentID    string          `json:"last_intent_id,omitempty"`
	LastResult      json.RawMessage `json:"last_result,omitempty"`
	PlanExecution   json.RawMessage `json:"plan_execution,omitempty"` // the planner's own, versioned JSON; opaque here
	Version         int64           `json:"version"`                  // commits so far; 0 for a session that does not exist
}

// At is the state at a version.
func (s State) At(version int64) State {
	s.Version = version
	return s
}

// Snapshot is one consistent read of a session. It belongs to the caller.
type Snapshot struct {
	Key Key
	Counters
	State     State     // State.Version is Counters.Version
	Recent    []Message // the newest active messages, oldest first
	CreatedAt time.Time
	UpdatedAt time.Time // zero for a session that does not exist
	ExpiresAt time.Time // About.ExpiresAt, which may be of a damaged row; zero for never
	OpenSteps []Step    // journal rows started without an outcome, oldest first
	Replay    *Turn     // the committed turn with the RequestID that was asked for, or nil; one that is damaged has nothing but that id

	Damaged   []string // the rows that cannot be read, as an operator finds them; no values
	LostSteps []string // the idempotency keys of open journal rows among them
}

// NewSnapshot returns the snapshot of a session that does not exist.
func NewSnapshot(key Key) *Snapshot {
	return &Snapshot{Key: key, Counters: NewCounters(), State: State{Params: map[string]any{}}}
}

// Turn is the record of one committed turn, kept so that the same request gets the same reply.
type Turn struct {
	RequestID string          `json:"request_id"`
	Number    int64           `json:"turn"`
	Intent    string          `json:"intent"`
	Outcome   string          `json:"outcome"` // the resting state: waiting or responded
	Response  json.RawMessage `json:"response"`
	At        time.Time       `json:"at"`
	Snapshot  *TurnSnapshot   `json:"past,omitempty"`   // how the session stood after the turn; the commit fills it in
	Undone    bool            `json:"undone,omitempty"` // it was undone
}

// TurnSnapshot is a session as it stood after a turn.
type TurnSnapshot struct {
	Counters Counters `json:"head"`
	State    State    `json:"state"`
}

// Undo undoes one turn: its messages, those in [From, Until), become inactive. Calls that it made
// stay made, and their journal stays.
type Undo struct {
	Turn        int64
	From, Until int64
}

// StepStatus is how far a journalled tool call has come.
type StepStatus string

// The states of a journalled call.
const (
	StepStarted StepStatus = "started" // written before the call; no outcome known
	StepDone    StepStatus = "done"
	StepFailed  StepStatus = "failed"  // certainly without effect
	StepUnknown StepStatus = "unknown" // may have had its effect; never repeated by itself
)

// Step is one row of the journal of write calls.
type Step struct {
	IdempotencyKey string          `json:"idempotency_key"`  // unique within the session
	Origin         string          `json:"origin,omitempty"` // names the message and the call that it led to; "" or unique within the session
	Turn           int64           `json:"turn"`
	Plan           string          `json:"plan"` // frame that ran it
	Step           string          `json:"step"` // step of the plan
	Tool           string          `json:"tool"`
	Args           json.RawMessage `json:"args,omitempty"`
	Status         StepStatus      `json:"status"`
	Attempts       int             `json:"attempts"`
	Result         json.RawMessage `json:"result,omitempty"`
	ErrorCode      string          `json:"error_code,omitempty"`
	StartedAt      time.Time       `json:"started_at"`
	EndedAt        time.Time       `json:"ended_at,omitzero"`
}

// Delta is everything that one turn changes. It is committed whole or not at all.
type Delta struct {
	Key      Key
	Base     int64     // version the turn was computed from; 0 creates the session
	At       time.Time // the turn's clock
	Clear    bool      // make all earlier messages inactive, before Messages are added
	Messages []Message // with dense Seq from the snapshot's NextSeq
	State    State     // State.Version is ignored: the commit makes it Base+1
	Turn     *Turn     // nil for a change that is no turn (a prune or clear by hand)
	Steps    []Step    // outcomes; rows are matched by IdempotencyKey, absent ones are added
	Floor    int64     // messages with a smaller Seq become inactive; 0: unchanged
	Jobs     []WantedJob
	Undo     *Undo // a turn that is undone; State is then that of the turn before
}
