package review

import (
	"context"
	"errors"
	"time"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/planner"
	"github.com/slotway/slotway/router"
	"github.com/slotway/slotway/router/sessions"
)

// turn is a turn as far as a judgement of it needs.
type turn struct {
	number     int64
	at         time.Time
	said       string // masked
	intent     string
	confidence float64
	undone     bool
	question   question // that was open after it
}

// question is an open question of a plan.
type question struct {
	kind, param string // kind "": nothing is asked
	attempts    int
}

// readTurns reads all turns of a session. A turn whose reply or plan cannot be read is left out.
func readTurns(ctx context.Context, store memory.Reader, key memory.Key) ([]turn, error) {
	var out []turn
	err := memory.EachTurn(ctx, store, key, memory.Page{Inactive: true}, func(stored *memory.Turn) error {
		if t, ok := readTurn(stored); ok {
			out = append(out, t)
		}
		return nil
	})
	return out, err
}

func readTurn(t *memory.Turn) (turn, bool) {
	reply, err := router.StoredReply("", t)
	if err != nil || t.Snapshot == nil {
		return turn{}, false
	}
	if reply.Action != "" || reply.Person != nil {
		return turn{}, false // nothing was said to the agent
	}
	out := turn{number: t.Number, at: t.At, intent: reply.Intent, confidence: reply.Confidence, undone: t.Undone}
	plan, err := planner.Load(t.Snapshot.State.PlanExecution, nil)
	if err != nil {
		return turn{}, false
	}
	if q := plan.View().Question; q != nil {
		out.question = question{string(q.Kind), string(q.Param), q.Attempts}
	}
	return out, true
}

// readMessages fills in what the user said in each turn, masked.
func readMessages(ctx context.Context, store memory.Reader, key memory.Key, turns []turn, mask *sessions.Mask) error {
	at := make(map[int64]*turn, len(turns))
	for i := range turns {
		at[turns[i].number] = &turns[i]
	}
	return EachSaid(ctx, store, key, mask, func(number int64, text string) {
		if t := at[number]; t != nil {
			t.said = text
		}
	})
}

// EachSaid visits what the user said in the turns of a session, masked.
func EachSaid(ctx context.Context, store memory.Reader, key memory.Key, mask *sessions.Mask, visit func(turn int64, text string)) error {
	return memory.EachMessage(ctx, store, key, memory.Page{Inactive: true}, func(m *memory.Message) error {
		if m.Role == memory.User && !m.Damaged() {
			visit(m.Turn, mask.Message(*m).Text)
		}
		return nil
	})
}

// before returns the question that a turn's message answers.
func before(turns []turn, i int) question {
	for j := i - 1; j >= 0; j-- {
		if !turns[j].undone {
			return turns[j].question
		}
	}
	return question{}
}

// after returns the next turn that was not undone.
func after(turns []turn, i int) *turn {
	for j := i + 1; j < len(turns); j++ {
		if !turns[j].undone {
			return &turns[j]
		}
	}
	return nil
}

// clarify is the kind of the question "A or B?" between intents.
const clarify = "clarify"

// reasons returns what the turn itself shows.
func (r *Reader) reasons(turns []turn, i int) []Reason {
	t, open := &turns[i], before(turns, i)
	var out []Reason
	if t.undone {
		out = append(out, Undone)
	}
	again := open.kind != "" && open.kind == t.question.kind && open.param == t.question.param && t.question.attempts > open.attempts
	switch {
	case t.intent == "" || t.intent == r.agent.Classifier.Fallback:
		out = append(out, Fallback)
	case again:
		out = append(out, Unanswered)
	case t.question.kind == clarify && open.kind != clarify:
		out = append(out, Clarified)
	case open.kind == "" && t.confidence < r.agent.Classifier.Threshold:
		out = append(out, Unsure)
	}
	return out
}

// takesBack reports whether the next message takes the task of a turn back and names another.
func (r *Reader) takesBack(ctx context.Context, t, next *turn) (bool, error) {
	if next.intent == t.intent || !r.isTask(t.intent) || !r.isTask(next.intent) || next.said == "" {
		return false, nil
	}
	res, err := r.classify(ctx, r.plain(next.said), next.at)
	if err != nil {
		return false, err
	}
	return takesBack[res.Lead.Intent], nil
}

// takesBack are the words at the head of a message that takes the one before back.
var takesBack = map[string]bool{"correct": true, "deny": true}

// isTask reports whether an intent is one of the agent's own, and not its fallback.
func (r *Reader) isTask(id string) bool {
	in := r.agent.Intent(id)
	return in != nil && !in.System && id != r.agent.Classifier.Fallback
}

var errNoSample = errors.New("the agent names no sample value for it")
