package router

import (
	"context"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/slotway/slotway/config/printable"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/planner"
)

// Action is an action of a person in a conversation.
type Action string

// The actions. They are stored: append, never rename.
const (
	ActionTake     Action = "take"      // the person takes it: from then on the agent is silent
	ActionAnswer   Action = "answer"    // the person writes to the user
	ActionGiveBack Action = "give_back" // the agent continues where it stopped
)

// Actions lists all actions.
var Actions = []Action{ActionTake, ActionAnswer, ActionGiveBack}

// HandOver is an action of a person, such as a colleague at the help desk, in a conversation. With
// ActionAnswer Interaction.Text is the answer. Each action is a turn: it never runs at the same time as a
// message of the user, and its id makes it happen once.
type HandOver struct {
	Action Action
	By     string // the person's name; "": the request has none
}

// MaxPersonName is the greatest length of a person's name, in code points.
const MaxPersonName = 100

// Person is the person who has a conversation.
type Person struct {
	By    string    `json:"by"` // "": the person gave no name
	Since time.Time `json:"since"`
	Turn  int64     `json:"turn"` // the turn of the take
}

// Shown returns a copy with show(By) as the name. p may be nil.
func (p *Person) Shown(show func(string) string) *Person {
	if p == nil {
		return nil
	}
	shown := *p
	shown.By = show(p.By)
	return &shown
}

// action returns the action of a person; "" for a message of the user.
func (in *Interaction) action() Action {
	if in.HandOver == nil {
		return ""
	}
	return in.HandOver.Action
}

// checkHandOver refuses an action that no state of the conversation would allow.
func (r *Router) checkHandOver(in *Interaction) error {
	by, said := in.HandOver.By, strings.TrimSpace(in.Text) != ""
	known := map[Action]bool{ActionTake: true, ActionAnswer: true, ActionGiveBack: true}
	switch {
	case r.opts.Stateless:
		return fmt.Errorf("%w: conversations are not stored, so no person can take one; set memory.enabled to true", ErrBadInteraction)
	case !known[in.HandOver.Action]:
		return fmt.Errorf("%w: unknown action of a person; use take, answer or give_back", ErrBadInteraction)
	case in.Structured != nil || in.Preset != nil:
		return fmt.Errorf("%w: an action of a person has neither a structured input nor a preset; leave them out", ErrBadInteraction)
	case said != (in.HandOver.Action == ActionAnswer):
		return fmt.Errorf("%w: an answer needs a text, and take and give_back have none", ErrBadInteraction)
	case utf8.RuneCountInString(in.Text) > planner.MaxText:
		return fmt.Errorf("%w: an answer has at most %d characters", ErrBadInteraction, planner.MaxText)
	case !utf8.ValidString(by) || utf8.RuneCountInString(by) > MaxPersonName || by != printable.Text(by) || strings.ContainsFunc(by, unicode.IsControl):
		return fmt.Errorf("%w: the name of a person has at most %d printable characters", ErrBadInteraction, MaxPersonName)
	}
	return nil
}

// heldMessage marks in telemetry a message that went to a person.
const heldMessage = "held"

// handOverKind returns the word of telemetry for a turn with a person: the action, or heldMessage for the
// user's message; "" for a turn of the agent.
func (t *turn) handOverKind(plan *planner.State) string {
	if a := t.in.action(); a != "" || !t.holds(plan) {
		return string(a)
	}
	return heldMessage
}

// holds reports whether the agent is silent in this turn. If the turn made a write call before a person
// took over, the agent finishes it: the user must learn the outcome, and the store must have it.
func (t *turn) holds(plan *planner.State) bool {
	if t.in.HandOver != nil {
		return t.in.HandOver.Action != ActionGiveBack
	}
	return plan.Held() != nil && len(t.calls) == 0
}

// hold runs a turn in which the agent is silent. It makes no tool call, and leaves one that a crash has
// interrupted to the agent's next turn. It accepts a message that answers an older turn, because a person
// reads it.
func (t *turn) hold(ctx context.Context, plan *planner.State) (string, error) {
	t.silent = true
	if err := t.allowed(plan); err != nil {
		return "", err
	}
	t.plan = planner.Hold(t.def(), plan, planner.TurnInput{Number: t.session.Turn(), Message: t.in.ID, Now: t.now})
	if err := t.session.Expire(ctx, t.now, t.r.opts.MessageTTL); err != nil {
		return "", err
	}
	t.reply.Handoff, t.reply.Action = true, t.in.action()
	switch t.in.action() {
	case ActionTake:
		if plan.Held() == nil {
			t.plan.Take(t.in.HandOver.By, t.session.UpdatedAt())
		}
	case ActionAnswer:
		t.in.HandOver = &HandOver{Action: ActionAnswer, By: plan.Held().By} // the request may have no name
		t.say("", t.in.Text)
	default:
		if err := t.hear(); err != nil {
			return "", err
		}
	}
	held := plan.Held()
	t.reply.Person = &Person{By: held.By, Since: held.Since, Turn: held.Turn}
	return evHold, nil
}

// allowed refuses an action that the conversation does not allow now: it has one person at a time. A
// request without a name may answer for that person, but not take the conversation.
func (t *turn) allowed(plan *planner.State) error {
	h, held := t.in.HandOver, plan.Held()
	switch {
	case h == nil:
		return nil
	case t.session.Version() == 0:
		return memory.ErrNotFound
	case h.Action == ActionAnswer && held == nil:
		return ErrNotTaken
	case held != nil && h.By != held.By && (h.By != "" || h.Action == ActionTake):
		return &TakenError{By: held.By}
	}
	return nil
}
