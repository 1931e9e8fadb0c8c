package router

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/planner"
)

// turn is one run of a message through the machine. Nothing of it outlives Handle.
type turn struct {
	request
	loaded
	progress
	journal
	answer
	eventLog
}

// request is the message, and what all runs of its turn share.
type request struct {
	r       *Router
	version *version // that the first run began with
	in      Interaction
	key     memory.Key
	reruns  int                // earlier runs; each met a conflict or found the message handled
	handled bool               // an earlier run found that the message had its effect before: it is not read
	calls   map[string]outcome // of the write calls of all runs, by idempotency key
	drafts  *drafting          // nil: the caller wants no drafts
}

// loaded holds what receive reads.
type loaded struct {
	session    *memory.Session
	plan       *planner.Turn // nil until receive has begun the turn
	structured *structured   // nil: the classifier is asked
	now        time.Time
	messageSeq int64 // of the user's message
	confirming bool  // the message came to an open confirmation
}

// progress is where the machine stands.
type progress struct {
	step     planner.Step
	outcome  planner.Outcome // of the last tool call
	called   string          // tool of that call
	steps    int             // planned so far
	path     []string        // states so far
	rest     string          // state in which the turn ended; "": it has not
	replayed bool            // the stored reply of an earlier turn
	silent   bool            // a person has the conversation: the agent says nothing
}

// journal holds the write calls of the session's journal that matter to the turn.
type journal struct {
	recovered map[string]outcome // of calls that a crash interrupted, by origin; nil: there are none
	unmatched []unmatchedCall    // those that the state does not have, until the turn makes the same call
	callCount map[string]int     // write calls of this run, by what they are; nil before the first
}

// answer holds what the turn builds.
type answer struct {
	reply          Reply
	interpretation planner.Interpretation
	replyParts     []string
	responseIDs    []string // that replyParts came from
	toolCalls      []memory.ToolCall
	toolMessages   []memory.Message
	lastResult     json.RawMessage // of the last call
	failure        string          // code of what the reply had to work around
}

// usualPath is the number of states of a turn with two calls.
const usualPath = 12

func newTurn(req request) *turn {
	return &turn{
		request: req, eventLog: eventLog{started: req.r.opts.Now()},
		progress: progress{path: make([]string, 0, usualPath)},
	}
}

// run drives the turn and commits it. A panic becomes an error that names its place but not its
// text, which may contain text of the message.
func (t *turn) run(ctx context.Context) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w in state %s at %s", ErrPanic, t.state(), PanicSite())
		}
	}()
	if err := drive(ctx, t); err != nil {
		return err
	}
	return t.commit(ctx)
}

func (t *turn) def() *config.Agent { return t.version.Agent }

// state is the machine's current state.
func (t *turn) state() string {
	if len(t.path) == 0 {
		return idle
	}
	return t.path[len(t.path)-1]
}

func (t *turn) trace() Trace {
	return Trace{Path: t.path, Replayed: t.replayed, Interpretation: t.interpretation, Duration: t.r.opts.Now().Sub(t.started)}
}

// say adds a part to the reply. id names the response that it comes from, "" for a question.
func (t *turn) say(id, text string) {
	if text == "" {
		return
	}
	t.replyParts = append(t.replyParts, text)
	if id != "" {
		t.responseIDs = append(t.responseIDs, id)
	}
}

// commit writes everything that the turn changed in one transaction.
func (t *turn) commit(ctx context.Context) error {
	if t.replayed {
		return nil
	}
	t.complete()
	t.remember()
	t.plan.Told(t.speaks())
	plan, err := t.plan.Save()
	if err != nil {
		return err
	}
	t.session.Update(func(state *memory.State) {
		state.Params = memory.CloneParams(t.reply.Params) // the caller owns the reply
		state.WaitingForParam = t.plan.WaitingForParam()
		state.PlanExecution = plan
		if in := t.def().Intent(t.reply.Intent); in != nil && !in.System {
			state.LastIntentID = in.ID
		}
		if t.lastResult != nil {
			state.LastResult = t.lastResult
		}
	})
	stored, err := json.Marshal(storedReply(t.reply))
	if err != nil {
		return fmt.Errorf("encode reply: %w", errNotJSON)
	}
	t.session.RecordTurn(memory.Turn{RequestID: t.in.ID, Number: t.session.Turn(), Intent: t.reply.Intent, Outcome: t.rest, Response: stored, At: t.now})
	made := t.session.Progress()
	made.Handoff = t.reply.Handoff || t.reply.Action != ""
	wanted := memory.WantedJobs(t.r.workers, made)
	for _, kind := range wanted {
		t.session.Enqueue(kind, t.now)
	}
	respondEvent := t.respondEvent()
	if err := t.session.Commit(ctx, t.now); err != nil {
		return err
	}
	respondEvent()
	if len(wanted) > 0 && t.r.opts.Nudge != nil {
		t.r.opts.Nudge()
	}
	return nil
}

// PanicSite returns file:line of the innermost frame of a panic outside the Go runtime. A function that recovers calls it.
func PanicSite() string {
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	panicked := false
	for {
		f, more := frames.Next()
		switch {
		case f.Function == "runtime.gopanic":
			panicked = true
		case panicked && !strings.HasPrefix(f.Function, "runtime."):
			parts := strings.Split(f.File, "/")
			return strings.Join(parts[max(0, len(parts)-2):], "/") + ":" + strconv.Itoa(f.Line)
		}
		if !more {
			return "an unknown place"
		}
	}
}
