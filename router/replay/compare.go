package replay

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/slotway/slotway/config/source"
	"github.com/slotway/slotway/router"
	"github.com/slotway/slotway/router/telemetry"
)

// observed is the result of a turn in the words of expect. Values are JSON-normal.
type observed struct {
	values map[string]any // by key of expect, but for calls and patterns
	params map[string]any
	calls  []called
	reply  string
	whole  *router.Reply
	how    understood
}

// called is one tool call of a turn.
type called struct {
	tool   string
	checks bool // it only checks a param
}

func observe(reply router.Reply, events []telemetry.Event) observed {
	o := observed{params: reply.Params, reply: reply.Reply, whole: &reply, how: understood{unheard: reply.Unheard}}
	o.values = map[string]any{
		"intent": orNull(&reply.Intent), "asked": orNull(reply.Asked), "waiting_for_param": orNull(reply.WaitingForParam),
		"confirming": orNull(reply.Confirming), "reply": reply.Reply, "handoff": reply.Handoff,
		"person": nil, "error": orNull(reply.Error), "turn": float64(reply.Turn), "replayed": false,
	}
	if reply.Person != nil {
		o.values["person"] = orNull(&reply.Person.By)
	}
	planned := ""
	for _, e := range events {
		switch p := e.Payload.(type) {
		case telemetry.Received:
			o.values["replayed"] = p.Replayed
			planned = "settled" // calls before the first plan conclude what a crash left open
		case telemetry.Classify:
			o.how.chosen, o.how.others = p.Chosen, p.RunnersUp
		case telemetry.Plan:
			planned = p.StepID // a check of a param stands in no plan
		case telemetry.ToolCall:
			o.calls = append(o.calls, called{tool: p.Tool, checks: planned == ""})
		case telemetry.Respond:
			o.values["outcome"] = p.Outcome
		}
	}
	return o
}

func orNull(s *string) any {
	if s == nil || *s == "" {
		return nil
	}
	return *s
}

// compare compares the result of a turn with its expectations.
func (p *play) compare(i int, got observed) {
	t, failed := p.c.Turns[i], len(p.result.Failures)
	for _, e := range t.Expect {
		want, have := e.sides(got)
		diff := difference(want, have)
		if diff == "" {
			continue
		}
		if p.opts.Update && e.updatable() {
			p.result.edits = append(p.result.edits, edit{node: e.node, value: have, keys: e.node.Keys()})
			continue
		}
		p.fail(e.Line(), i+1, fmt.Sprintf("%s (-want +got):\n%s", e.Key, diff))
	}
	if last := len(p.result.Failures); last > failed {
		p.result.Failures[last-1].Why = got.how.why() // once a turn
	}
}

// sides returns the two values to compare for an expectation.
func (e Expectation) sides(got observed) (want, have any) {
	switch e.Key {
	case "params":
		return e.params(got.params)
	case "calls":
		return e.calls(got.calls)
	case "reply_contains":
		return e.parts(got.reply, func(i int, part string) bool { return strings.Contains(got.reply, part) })
	case "reply_matches":
		return e.parts(got.reply, func(i int, _ string) bool { return e.patterns[i].MatchString(got.reply) })
	case "confirming":
		return e.confirming(got.values["confirming"])
	case "options":
		return e.options(got.whole)
	case "unheard":
		return e.unheard(got.how)
	case "rule":
		return e.rule(got.how)
	}
	have = got.values[e.Key]
	return fit(e.node, have), have
}

// params compares the params that the file names. null means that a param is not known.
func (e Expectation) params(known map[string]any) (want, have any) {
	w, h := map[string]any{}, map[string]any{}
	for _, entry := range e.node.Entries() {
		h[entry.Key] = known[entry.Key]
		w[entry.Key] = fit(entry.Value, known[entry.Key])
	}
	if e.exact {
		maps.Copy(h, known)
	}
	return w, h
}

// calls compares the called tools in order. Validations count if the list names the tool.
func (e Expectation) calls(made []called) (want, have any) {
	w, h := []any{}, []any{}
	for _, n := range e.node.Items() {
		w = append(w, n.Text())
	}
	for _, c := range made {
		if !c.checks || slices.Contains(w, any(c.tool)) {
			h = append(h, c.tool)
		}
	}
	return w, h
}

// parts returns the first part that the reply lacks, and the reply.
func (e Expectation) parts(reply string, has func(i int, part string) bool) (want, have any) {
	for i, n := range elements(e.node) {
		if !has(i, n.Text()) {
			return n.Text(), reply
		}
	}
	return nil, nil
}

// confirming compares the pending confirmation: true is any tool, false is none.
func (e Expectation) confirming(tool any) (want, have any) {
	if pending, ok := e.node.Bool(); ok {
		return pending, tool != nil
	}
	return fit(e.node, tool), tool
}

// fit converts an expected value to the type of the value that it is compared with: an unquoted id
// may look like a number, and a long number like text.
func fit(node *source.Node, got any) any {
	switch got := got.(type) {
	case string:
		if node.Kind() == source.KindNum || node.Kind() == source.KindBool {
			return node.Text()
		}
	case float64:
		if f, err := strconv.ParseFloat(node.Text(), 64); err == nil && node.Kind() == source.KindText && node.Bare() {
			return f
		}
	case []any:
		if node.Kind() == source.KindList && len(node.Items()) == len(got) {
			list := make([]any, len(got))
			for i, item := range node.Items() {
				list[i] = fit(item, got[i])
			}
			return list
		}
	case map[string]any:
		if node.Kind() == source.KindMap {
			fields := make(map[string]any, len(got))
			for _, e := range node.Entries() {
				fields[e.Key] = fit(e.Value, got[e.Key])
			}
			return fields
		}
	}
	return node.Value()
}

// updatable reports whether the result of a turn can replace the expected value.
func (e Expectation) updatable() bool {
	return e.Key != "reply_contains" && e.Key != "reply_matches"
}
