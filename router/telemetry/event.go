package telemetry

import "time"

// Event is one stage of one turn, or one background job. A sink may keep it and must not change the
// slices in its payload.
type Event struct {
	Time          time.Time // when the stage ended, on the turn's clock
	Level         Level     // LevelInfo when not set
	Stage         Stage     // the payload's own when not set
	SessionID     string
	Turn          int64  // number of the turn within its session, from 1; 0 when it is not known yet
	InteractionID string // "" for a job that no interaction asked for
	Duration      time.Duration
	Payload       Payload // of the type that belongs to Stage; nil is written as {}

	// Only for sinks in the process; lines do not hold these.
	UserID      string        // the user of the turn: others must not see it
	Path        []string      // states that the turn went through; with a turn's last event
	Took        time.Duration // of the turn, its commit included; with its last event
	TraceParent string        // of the request, as in the header of W3C Trace Context; "" none
}

// StageOf returns the stage of a payload; "" for nil.
func StageOf(p Payload) Stage {
	if p == nil {
		return ""
	}
	return p.stage()
}

// Ends reports whether the event is the last one of its turn.
func (e *Event) Ends() bool { return len(e.Path) > 0 }

// Level is the importance of an event.
type Level int8

// The levels, lowest first. The zero value is LevelInfo.
const (
	LevelDebug Level = iota - 1
	LevelInfo
	LevelWarn
	LevelError
)

// levelNames are the names of the levels in lines and settings.
var levelNames = [...]string{"debug", "info", "warn", "error"}

// String returns debug, info, warn or error. Values out of range are cut to the nearest level.
func (l Level) String() string {
	return levelNames[min(max(l, LevelDebug), LevelError)-LevelDebug]
}

// ParseLevel returns the level with a name; ok is false for any other word.
func ParseLevel(word string) (level Level, ok bool) {
	for i, name := range levelNames {
		if name == word {
			return Level(i) + LevelDebug, true
		}
	}
	return LevelInfo, false
}

// Stage names what an event is about. The words are part of the published schema: new ones may be
// added, none renamed.
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
