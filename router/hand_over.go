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

// Action is what a person does with a conversation.
type Action string

// The actions. They are stored: append, never rename.
const (
	ActionTake     Action = "take"      // takes it over: from then on the agent is silent
	ActionAnswer   Action = "answer"    // says something to the user
	ActionGiveBack Action = "give_back" // the agent goes on where it was
)

// Actions are all actions.
var Actions = []Action{ActionTake, ActionAnswer, ActionGiveBack}

// HandOver is what a person does with a conversation. Interaction.Text is what the person says with
// ActionAnswer. Such an interaction is a turn of its own: it is serial with the messages of the user,
// and its id makes it happen once.
type HandOver struct {
	Action Action
	By     string // the person's name; "": not said
}

// MaxPersonName is the length of a person's name, in code points.
const MaxPersonName = 100

// Person is who has a conversation.
type Person struct {
	By    string    `json:"by"` // "": gave no name
	Since time.Time `json:"since"`
	Turn  int64     `json:"turn"` // that took it over
}

// Shown returns a copy whose name went through show. p may be nil.
func (p *Person) Shown(show func(string) string) *Person {
	if p == nil {
		return nil
	}
	shown := *p
	shown.By = show(p.By)
	return &shown
}

// action returns what a person does; "" for a message of the user.
func (in *Interaction) action() Action {
	if in.HandOver == nil {
		return ""
	}
	return in.HandOver.Action
}

// checkHandOver refuses what no person can do.
func (r *Router) checkHandOver(in *Interaction) error {
	by, said := in.HandOver.By, strings.TrimSpace(in.Text) != ""
	known := map[Action]bool{ActionTake: true, ActionAnswer: true, ActionGiveBack: true}
	switch {
	case r.opts.Stateless:
		return fmt.Errorf("%w: conversations are not stored, so that no person can have one", ErrBadInteraction)
	case !known[in.HandOver.Action]:
		return fmt.Errorf("%w: unknown action of a person", ErrBadInteraction)
	case in.Structured != nil || in.Preset != nil:
		return fmt.Errorf("%w: an action of a person has neither a structured input nor a preset", ErrBadInteraction)
	case said != (in.HandOver.Action == ActionAnswer):
		return fmt.Errorf("%w: an answer has a text, and no other action of a person has", ErrBadInteraction)
	case utf8.RuneCountInString(in.Text) > planner.MaxText:
		return fmt.Errorf("%w: an answer has at most %d characters", ErrBadInteraction, planner.MaxText)
	case !utf8.ValidString(by) || utf8.RuneCountInString(by) > MaxPersonName || by != printable.Text(by) || strings.ContainsFunc(by, unicode.IsControl):
		return fmt.Errorf("%w: the name of a person has at most %d printable characters", ErrBadInteraction, MaxPersonName)
	}
	return nil
}

// heldMessage tells in telemetry of a message that went to a person.
const heldMessage = "held"

// handOverKind is what telemetry says of a turn with a person: the action, or that the user's message
// went to the person; "" for a turn of the agent.
func (t *turn) handOverKind(plan *planner.State) string {
	if a := t.in.action(); a != "" || !t.holds(plan) {
		return string(a)
	}
	return heldMessage
}

// holds reports whether the agent is silent in this turn. A message whose turn has made a write call
// before a person took over is finished, since its outcome must be told and stored.
func (t *turn) holds(plan *planner.State) bool {
	if t.in.HandOver != nil {
		return t.in.HandOver.Action != ActionGiveBack
	}
	return plan.Held() != nil && len(t.calls) == 0
}

// hold runs a turn in which the agent is silent. It calls no tool, also none that a crash interrupted:
// the agent finds out about that when it goes on. An answer to a turn that is not the newest is welcome,
// because a person reads it.
func (t *turn) hold(ctx context.Context, plan *planner.State) (string, error) {
	t.silent = true
	if err := t.allowed(plan); err != nil {
		return "", err
	}
	t.plan = planner.Hold(t.def(), plan, planner.TurnInput{Number: t.session.Turn(), Message: t.in.ID, Now: t.now})
	if err := t.expireMessages(ctx); err != nil {
		return "", err
	}
	t.reply.Handoff, t.reply.Action = true, t.in.action()
	switch t.in.action() {
	case ActionTake:
		if plan.Held() == nil {
			t.plan.Take(t.in.HandOver.By, t.session.UpdatedAt())
		}
	case ActionAnswer:
		t.in.HandOver = &HandOver{Action: ActionAnswer, By: plan.Held().By} // who may leave out the name
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

// allowed refuses what a person may not do: a conversation has one person at a time. Who gives no name
// may answer for the person who has it, but not take it from them.
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
