package handbook

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/flow"
)

type kind struct {
	Name, Based string
	Values      []string
	Patterns    []string
	Example     string
}

// typesOf returns the declared types.
func typesOf(a *config.Agent) []kind {
	var out []kind
	for _, name := range slices.Sorted(maps.Keys(a.Types)) {
		t := a.Types[name]
		k := kind{Name: name, Based: t.Builtin, Example: t.Example}
		for _, p := range t.Patterns {
			k.Patterns = append(k.Patterns, p.String())
		}
		for _, v := range t.Values {
			text := v.Value
			if n := len(v.Synonyms); n > 0 {
				text += fmt.Sprintf(" (%s)", strings.Join(v.Synonyms, ", "))
			}
			k.Values = append(k.Values, text)
		}
		if t.Builtin == name && len(k.Patterns) == 0 && len(k.Values) == 0 {
			continue // nothing of its own to say
		}
		out = append(out, k)
	}
	return out
}

type tool struct {
	Name, Kind, Effect, Description string
	Timeout                         string
	Retries                         int
	Writes, Idempotent              bool
	Uses                            []string
}

func (b *builder) tools() []tool {
	var out []tool
	for _, name := range slices.Sorted(maps.Keys(b.agent.Tools)) {
		t := b.agent.Tools[name]
		out = append(out, tool{
			Name: name, Kind: t.Kind, Effect: string(t.Effect), Writes: t.Effect == config.EffectWrite, Idempotent: t.Idempotent,
			Description: t.Describe, Timeout: t.Timeout.String(), Retries: t.Retries, Uses: b.uses.tools[name],
		})
	}
	return out
}

type response struct {
	ID       string
	Variants []string
	Uses     []string
	Replaces bool // a built-in one
}

// responses returns the agent's own responses, then the built-in ones that it replaces.
func (b *builder) responses() []response {
	var out []response
	for _, id := range slices.Sorted(maps.Keys(b.agent.Responses)) {
		if strings.HasPrefix(id, "not_served.") {
			continue // stands with its group
		}
		out = append(out, response{ID: id, Variants: sources(b.agent.Responses[id]), Uses: b.uses.responses[id]})
	}
	return out
}

func sources(r *config.Response) []string {
	var out []string
	for _, v := range r.Variants {
		out = append(out, v.Source)
	}
	return out
}

// uses lists the intents that use a tool or a response, by name.
type uses struct{ tools, responses map[string][]string }

func usesOf(a *config.Agent) uses {
	u := uses{map[string][]string{}, map[string][]string{}}
	add := func(m map[string][]string, name, by string) {
		if name != "" && !slices.Contains(m[name], by) {
			m[name] = append(m[name], by)
		}
	}
	for _, in := range slices.Concat(a.Intents, a.System) {
		for _, p := range in.AllParams() {
			add(u.tools, p.Validation.Tool, in.ID)
		}
		config.Walk(in.Plan, func(s *config.Step) {
			add(u.tools, s.Tool, in.ID)
			add(u.responses, s.Response, in.ID)
			add(u.responses, s.Denied, in.ID)
			for _, on := range s.OnError {
				add(u.responses, on.Respond, in.ID)
			}
		})
	}
	return u
}

type policy struct{ Name, Value string }

// policiesOf says in words what the agent's policies are.
func policiesOf(a *config.Agent) []policy {
	p, c, s := a.Policy, a.Classifier, a.Session
	out := []policy{
		{"Acts on a message", fmt.Sprintf("from a confidence of %v; below %v it does not understand, and between them, or where two readings are closer than %v, it asks which is meant", c.Threshold, c.Reject, c.Ambiguity)},
		{"Asks again", fmt.Sprintf("%d times after the first question, then %s", p.MaxRetries, flow.Exhausted[p.OnExhausted])},
		{"An interrupted task", digressions[p.Digression] + fmt.Sprintf("; at most %d wait", p.MaxDepth)},
		{"A corrected value", corrections[p.Correction]},
		{"Before it changes data", yesNo(p.ConfirmWrites, "it asks for a yes", "it asks only where a plan says so")},
		{"Silence", "a question " + after(s.WaitingTTL, "expires") + ", a session " + after(s.IdleTTL, "begins anew")},
		{"Redacted", redaction(a)},
	}
	if c.Fallback != "" {
		out = append(out, policy{"What nothing matches", "goes to " + c.Fallback})
	}
	return out
}

var digressions = map[config.Digression]string{
	config.DigressionResume: "goes on after the other one", config.DigressionAsk: "is offered again after the other one",
	config.DigressionBlock: "is not possible: other tasks have to wait",
}

var corrections = map[config.Correction]string{
	config.CorrectionAnnounce: "is announced", config.CorrectionConfirm: "is taken after a yes", config.CorrectionSilent: "is taken without a word",
}

func yesNo(is bool, yes, no string) string {
	if is {
		return yes
	}
	return no
}

// after says what happens after a silence, which 0 rules out.
func after(d time.Duration, what string) string {
	if d == 0 {
		return "never " + what
	}
	return what + " after " + length(d)
}

// length says a duration in words, from its largest unit down.
func length(d time.Duration) string {
	var parts []string
	for _, u := range []struct {
		of   time.Duration
		name string
	}{{24 * time.Hour, "day"}, {time.Hour, "hour"}, {time.Minute, "minute"}} {
		n := d / u.of
		d -= n * u.of
		switch n {
		case 0:
		case 1:
			parts = append(parts, "1 "+u.name)
		default:
			parts = append(parts, fmt.Sprintf("%d %ss", n, u.name))
		}
	}
	switch {
	case d == time.Second:
		parts = append(parts, "1 second")
	case d > 0:
		parts = append(parts, fmt.Sprintf("%v seconds", d.Seconds()))
	}
	return strings.Join(parts, " ")
}

// redaction says what is masked: params, and what has the form of a pattern, which may have its name.
func redaction(a *config.Agent) string {
	var parts []string
	if len(a.Redaction.Params) > 0 {
		parts = append(parts, "the values of "+strings.Join(a.Redaction.Params, ", "))
	}
	if len(a.Redaction.Patterns) > 0 {
		parts = append(parts, "whatever has the form of "+strings.Join(a.Redaction.Patterns, ", "))
	}
	if len(parts) == 0 {
		return "nothing"
	}
	return strings.Join(parts, "; ")
}
