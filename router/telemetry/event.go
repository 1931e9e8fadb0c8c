package telemetry

import "time"

// Event is one stage of one turn, or one background job. It is a value: a sink may keep it,
// and must not change the slices in its payload.
type Event struct {
	Time          time.Time // when the stage ended, on the turn's clock
	Level         Level     // LevelInfo when not set
	Stage         Stage     // the payload's own when not set
	SessionID     string
	Turn          int64  // number of the turn within its session, from 1; 0 when it is not known yet
	InteractionID string // "" for a job that no interaction asked for
	Duration      time.Duration
	Payload       Payload // of the type that belongs to Stage; nil is written as {}

	// For sinks within the process; no line has them.
	UserID      string   // whose turn it is, so that a person is shown no other's
	Path        []string // states that the turn went through; with a turn's last event
	TraceParent string   // of the request, as in the header of W3C Trace Context; "" none
}

// StageOf is the stage that a payload belongs to; "" for none.
func StageOf(p Payload) Stage {
	if p == nil {
		return ""
	}
	return p.stage()
}

// Ends reports whether the event is the last one of a turn.
func (e *Event) Ends() bool { return len(e.Path) > 0 }

// Level says how much an event matters.
type Level int8

// The levels, least first. The zero value is LevelInfo.
const (
	LevelDebug Level = iota - 1
	LevelInfo
	LevelWarn
	LevelError
)

// levelNames are the words of the levels in a line and in the settings.
var levelNames = [...]string{"debug", "info", "warn", "error"}

// String is the level's word: debug, info, warn or error. What lies beyond is cut to them.
func (l Level) String() string {
	return levelNames[min(max(l, LevelDebug), LevelError)-LevelDebug]
}

// ParseLevel is the level that word names; ok is false for any other word.
func ParseLevel(word string) (level Level, ok bool) {
	for i, name := range levelNames {
		if name == word {
			return Level(i) + LevelDebug, true
		}
	}
	return LevelInfo, false
}

// Stage names what an event tells of. The words are part of the published schema: they are
// added to, never renamed.
type Stage string

// The stages, in the order in which a turn meets them.
const (
	StageReceived Stage = "received"  // Received: the session is loaded
	StageClassify Stage = "classify"  // Classify: what the message means
	StagePlan     Stage = "plan"      // Plan: the next step is known
	StageAskUser  Stage = "ask_user"  // AskUser: a question goes out
	StageConfirm  Stage = "confirm"   // Confirm: a confirmation is asked for
	StageToolCall Stage = "tool_call" // ToolCall: a call has ended
	StageRespond  Stage = "respond"   // Respond: the turn is committed
	StageError    Stage = "error"     // Failure: something went wrong
	StageJob      Stage = "job"       // Job: background work has ended
)

// Stages are all stages, in the order of a turn.
var Stages = []Stage{
	StageReceived, StageClassify, StagePlan, StageAskUser, StageConfirm,
	StageToolCall, StageRespond, StageError, StageJob,
}
