package router

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/prompt"
	"github.com/slotway/slotway/planner"
	"github.com/slotway/slotway/tools"
)

// respond says something, or finds that nothing is left to do.
func respond(ctx context.Context, t *turn) (string, error) {
	switch s := t.step.(type) {
	case planner.Respond:
		t.speak(s)
	case planner.Generate:
		t.generate(ctx, s)
	case planner.Handoff:
		t.say("handoff", s.Text)
		t.reply.Handoff = true
	case planner.Fault:
		t.say("tool_failed", s.Text)
		t.failure = s.Code
		t.fail(s.Code, "step "+s.ID+" of the plan cannot be run as it is defined")
	case planner.End:
		if !s.Ends {
			return t.atRest(), nil
		}
	}
	return evContinue, nil
}

// atRest returns the event that ends the turn.
func (t *turn) atRest() string {
	if t.plan.Open != nil {
		return evWait
	}
	return evFinish
}

// speak says a response, or the last reply again.
func (t *turn) speak(s planner.Respond) {
	if s.Repeat {
		history := t.session.History()
		for i := len(history) - 1; i >= 0; i-- {
			if _, person := history[i].Person(); history[i].Role == memory.Agent && !person {
				t.say(s.Response, history[i].Text)
				return
			}
		}
	}
	t.say(s.Response, s.Text)
}

// generate says what the model answers, or the step's else if there is no model or it fails.
func (t *turn) generate(ctx context.Context, s planner.Generate) {
	if t.r.opts.Generator != nil {
		text, err := t.askModel(ctx, s.Instruction)
		if err == nil && text != "" {
			t.helped()
			t.say("generated", text)
			return
		}
		t.failure = "generate_failed"
		t.fail("generate_failed", "the model server gave no answer: "+string(tools.CodeOf(err)))
	}
	t.speak(s.Else)
}

// askModel asks the model with the instruction and what memory knows. Pseudonyms replace redacted
// values in the prompt.
func (t *turn) askModel(ctx context.Context, instruction string) (string, error) {
	opts := &t.r.opts
	asked := t.session.Request(t.in.Text, t.now, opts.Budget)
	asked.Prompt = t.def().SystemPrompt
	known, err := prompt.Assemble(ctx, opts.Tiers, asked, opts.Count)
	if err != nil {
		return "", err
	}
	for _, tier := range known.Failed {
		t.fail("tier_failed", "memory tier "+tier+" is left out of this turn")
	}
	if slices.Contains(known.Failed, prompt.TierName) {
		return "", errNoPrompt
	}
	known.System = append(known.System, memory.Message{Role: memory.System, Text: instruction})
	secrets, err := t.secrets(ctx, known.Recalled)
	if err != nil {
		return "", err
	}
	names := t.version.redactor.Pseudonyms(secrets)
	messages := prompt.Messages(known, t.in.Text)
	for i := range messages {
		messages[i].Text = names.Hide(messages[i].Text)
	}
	return t.generateText(ctx, messages, names)
}

// errNoPrompt prevents a request without the session's system prompt, which may restrict the model.
var errNoPrompt = errors.New("the session's system prompt cannot be read")

// secrets returns the params whose redacted values a model must not see, with all values that they
// have or had in this session and in the sessions of the recalled messages.
func (t *turn) secrets(ctx context.Context, recalled []memory.Recalled) (map[string]any, error) {
	params := t.plan.Params()
	add := func(name string, value any) {
		if t.version.redactor.Hides(name) {
			params[name] = []any{params[name], value}
		}
	}
	t.plan.EachValue(add)
	keys := []memory.Key{t.key}
	for _, r := range recalled {
		if !slices.Contains(keys, r.Key) {
			keys = append(keys, r.Key)
		}
	}
	if held := t.r.opts.Held; held != nil {
		values, err := held(ctx, keys...)
		for name, value := range values {
			add(name, value)
		}
		return params, err
	}
	for _, key := range keys[1:] {
		other, err := t.r.sessions.ForTurn(ctx, key, "", false)
		if err != nil {
			return nil, fmt.Errorf("load a recalled session: %w", err)
		}
		for name, value := range other.Params() {
			add(name, value)
		}
	}
	return params, nil
}

// complete fills in the reply when the turn has ended.
func (t *turn) complete() {
	if !t.silent {
		t.reportUnmatched()
		t.reportDamage()
		if len(t.replyParts) == 0 && t.in.HandOver == nil {
			t.speak(t.plan.QuietReply())
		}
	}
	r := &t.reply
	r.SessionID, r.Turn = t.key.SessionID, t.session.Turn()
	r.Reply = strings.Join(t.replyParts, " ")
	r.Params = t.plan.Params()
	if waiting := t.plan.WaitingForParam(); waiting != "" {
		r.WaitingForParam = &waiting
	}
	if tool, open := t.plan.Confirming(); open {
		r.Confirming = &tool
	}
	if !t.silent {
		r.Options = t.plan.Suggestions()
	}
	if r.ToolCalls == nil {
		r.ToolCalls = []ToolReport{}
	}
	if t.failure != "" {
		r.Error = &t.failure
	}
}

// remember appends the tool messages and the reply to the history. A person's words are a reply that
// names them. Where a person has or had the conversation, nothing said is no message.
func (t *turn) remember() {
	for _, m := range t.toolMessages {
		t.session.Append(m)
	}
	reply := memory.Message{
		Role: memory.Agent, Text: t.reply.Reply, Timestamp: t.now.UTC(), ToolCalls: t.toolCalls, Metadata: memory.Tagged(t.in.Tags),
	}
	if t.in.HandOver != nil && t.in.HandOver.Action == ActionAnswer {
		reply.Metadata = memory.SaidBy(t.in.HandOver.By, reply.Metadata)
	}
	t.weigh(&reply)
	if t.speaks() {
		t.session.Append(reply)
	}
}

// speaks reports whether the turn says something to the user. Every turn of the agent does.
func (t *turn) speaks() bool { return t.reply.Reply != "" || !t.silent && t.in.HandOver == nil }
