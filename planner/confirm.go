package planner

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"

	"github.com/slotway/slotway/config"
)

// stepCall returns a tool call. It never returns a write call whose exact arguments the user has
// not confirmed: it asks for the confirmation instead, whatever the condition of the confirm step
// says (rule 13).
func (pl *planning) stepCall(s *config.Step) Step {
	tool := pl.def.Tools[s.Tool]
	args := resolve(s.With, pl.env)
	if tool.Effect == config.EffectWrite && !pl.frame.confirmed(s, args) {
		if confirm := guardOf(pl.in.Plan, s.ID); confirm != nil {
			return pl.question(confirm)
		}
		if pl.in.Policy.ConfirmWrites {
			return pl.fault(s, "unconfirmed_write")
		}
	}
	return ToolCall{position: pl.at(s), Tool: s.Tool, Args: args, Effect: tool.Effect, Save: s.Save, Try: pl.frame.tries(s, args)}
}

// stepConfirm asks for a yes, whatever the step covers. A yes marks the step as done; stepCall asks
// again where it was not to the call that comes. Nothing is asked behind a write that is made.
func (pl *planning) stepConfirm(s *config.Step) Step {
	made := func(call string) bool { return pl.frame.Done[call] == markWrote }
	if slices.ContainsFunc(s.Covers, made) && len(pl.due(s)) == 0 {
		pl.mark(s.ID, markPassed)
		return nil
	}
	return pl.question(s)
}

func (pl *planning) question(s *config.Step) Step {
	if pl.st.Stateless { // no later turn could say yes
		r := say(pl.st, "not_confirmable", pl.env)
		r.position = position{ID: s.ID, Ends: true, whole: true, marks: pl.marks}
		return r
	}
	attempt := pl.frame.Attempts[s.ID]
	if attempt > pl.in.Policy.MaxRetries {
		return Offer{Prompt: render(pl.st, "handoff_offer", pl.env), kind: askHandoff}
	}
	due := pl.due(s)
	prompt := s.Text.Render(pl.env)
	if attempt > 0 {
		prompt = join(render(pl.st, "confirm_again", pl.env), prompt)
	}
	c := Confirm{position: position{ID: s.ID, marks: pl.marks, badPaths: pl.badPaths(s)}, Prompt: prompt, Hash: pl.confirmHash(due), Attempt: attempt}
	if len(due) > 0 {
		c.Tool = due[0].Tool
	}
	return c
}

// due returns the calls under a confirm step that were not made and whose conditions hold now.
func (pl *planning) due(confirm *config.Step) []*config.Step {
	covered := map[string]bool{}
	for _, id := range confirm.Covers {
		covered[id] = true
	}
	var out []*config.Step
	var visit func([]*config.Step)
	visit = func(list []*config.Step) {
		for _, s := range list {
			holds, err := s.When.True(pl.env)
			switch {
			case err != nil:
			case s.Kind == config.StepWhen && holds:
				visit(s.Then)
			case s.Kind == config.StepWhen:
				visit(s.Else)
			case holds && covered[s.ID] && pl.frame.Done[s.ID] == "":
				out = append(out, s)
			}
		}
	}
	visit(pl.in.Plan)
	return out
}

// confirmHash binds a yes to calls and arguments.
func (pl *planning) confirmHash(calls []*config.Step) string {
	h := sha256.New()
	for _, c := range calls {
		h.Write([]byte(callHash(c, resolve(c.With, pl.env))))
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// confirmed reports whether exactly this call was said yes to.
func (f *frame) confirmed(s *config.Step, args map[string]any) bool {
	hash := callHash(s, args)
	return hash != "" && f.Confirmed[s.ID] == hash
}

// callHash identifies one call with its arguments. encoding/json sorts map keys, so the
// same arguments give the same bytes.
func callHash(s *config.Step, args map[string]any) string {
	data, err := json.Marshal([]any{s.ID, s.Tool, args})
	if err != nil {
		return "" // not JSON-normal, so nothing that could have been confirmed
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:16])
}

// guardOf finds the confirm step that covers a call.
func guardOf(list []*config.Step, call string) *config.Step {
	for _, s := range list {
		if slices.Contains(s.Covers, call) {
			return s
		}
		for _, branch := range [][]*config.Step{s.Then, s.Else} {
			if found := guardOf(branch, call); found != nil {
				return found
			}
		}
	}
	return nil
}
