package prom

import (
	"maps"
	"slices"
	"sync"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/router/telemetry"
	"github.com/slotway/slotway/tools"
)

// The values of labels that stand for anything that has no value of its own.
const (
	other = "other" // a name that the agent does not define, a code too many
	none  = "none"  // no name at all
)

// Names are the names of an agent that labels may hold.
type Names struct {
	Intents, Params, Tools []string
}

// NamesOf returns the names of an agent.
func NamesOf(agent *config.Agent) Names {
	n := Names{Intents: slices.Clone(config.SystemIntents)}
	for _, in := range slices.Concat(agent.Intents, agent.System, agent.NotServed) {
		n.Intents = append(n.Intents, in.ID)
	}
	n.Params, n.Tools = slices.Collect(maps.Keys(agent.Params)), slices.Collect(maps.Keys(agent.Tools))
	return n
}

// known holds Names as sets.
type known struct {
	intents, params, tools map[string]bool
}

func newKnown(n Names) *known {
	set := func(names []string) map[string]bool {
		all := make(map[string]bool, len(names)+1)
		for _, name := range names {
			all[name] = true
		}
		return all
	}
	return &known{intents: set(n.Intents), params: set(n.Params), tools: set(n.Tools)}
}

// label returns name if the set has it.
func label(set map[string]bool, name string) string {
	switch {
	case name == "":
		return none
	case set[name]:
		return name
	}
	return other
}

// Define sets the names of a changed agent and deletes the series of names that are gone, so that many
// changes leave no more series than one.
func (m *Metrics) Define(names Names) {
	m.defining.Lock()
	defer m.defining.Unlock()
	now := newKnown(names)
	before := m.names.Swap(now)
	forget := func(label string, before, now map[string]bool) {
		for name := range before {
			if now[name] {
				continue
			}
			for _, v := range m.vectors {
				v.DeletePartialMatch(prometheus.Labels{label: name})
			}
		}
	}
	forget("intent", before.intents, now.intents)
	forget("param", before.params, now.params)
	forget("tool", before.tools, now.tools)
}

// closed lists the words of a label with a closed set of them.
func closed(words ...string) map[string]bool {
	set := make(map[string]bool, len(words))
	for _, word := range words {
		set[word] = true
	}
	return set
}

// The closed sets. They are those of telemetry.schema.json, and of HTTP.
var (
	askKinds = closed("ask", "choose", "offer")
	statuses = closed("ok", "error", "unknown", "replayed")
	outcomes = closed("waiting", "responded")
	reasons  = closed(
		string(message.FallbackTimeout), string(message.FallbackUnavailable), string(message.FallbackPaused),
		string(message.FallbackInvalid), string(message.FallbackRefused), string(message.FallbackNothing),
	)
	methods = closed("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
	classes = [...]string{other, "1xx", "2xx", "3xx", "4xx", "5xx"}
	stages  = func() map[string]bool {
		set := map[string]bool{}
		for _, s := range telemetry.Stages {
			set[string(s)] = true
		}
		return set
	}()
)

// maxCodes is the number of values of a label without a closed set.
const maxCodes = 64

// codes bounds such labels.
type codes struct {
	mu    sync.RWMutex // guards what follows
	seen  map[codeKey]bool
	count [codeLabels]int
}

// codeLabel is a label whose values are codes.
type codeLabel int

const (
	toolCode codeLabel = iota
	errorCode
	classifierTier
	memoryTier
	jobKind
	jobOutcome
	limitReason
	codeLabels
)

type codeKey struct {
	label codeLabel
	code  string
}

// newCodes reserves the runtime's own codes of failed calls, so that a tool with codes of its own
// cannot use up the limit.
func newCodes() *codes {
	c := &codes{seen: map[codeKey]bool{}}
	for _, code := range []tools.Code{
		tools.NotFound, tools.InvalidInput, tools.Timeout, tools.Unavailable, tools.RateLimited,
		tools.Denied, tools.Conflict, tools.BadResult, tools.Failed, "unknown_outcome",
	} {
		c.of(toolCode, string(code))
	}
	return c
}

// of returns the code if it has the form of one and is among the first of its label.
func (c *codes) of(label codeLabel, code string) string {
	switch code = telemetry.Code(code); code {
	case "":
		return none
	case other, none:
		return code
	}
	key := codeKey{label, code}
	c.mu.RLock()
	seen, full := c.seen[key], c.count[label] >= maxCodes
	c.mu.RUnlock()
	switch {
	case seen:
		return code
	case full:
		return other
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.seen[key] {
		return code
	}
	if c.count[label] >= maxCodes {
		return other
	}
	c.count[label]++
	c.seen[key] = true
	return code
}
