package prom

import (
	"cmp"
	"sync"
	"time"

	"github.com/slotway/slotway/router/telemetry"
)

// The labels of series with more than one.
type (
	ask      struct{ param, kind string }
	toolCall struct{ tool, status, code string }
	tierEnd  struct{ tier, outcome string }
	jobEnd   struct{ kind, outcome string }
	request  struct{ route, method, class string }
)

func (k ask) values() []string      { return []string{k.param, k.kind} }
func (k toolCall) values() []string { return []string{k.tool, k.status, k.code} }
func (k tierEnd) values() []string  { return []string{k.tier, k.outcome} }
func (k jobEnd) values() []string   { return []string{k.kind, k.outcome} }
func (k request) values() []string  { return []string{k.route, k.method, k.class} }

// Record counts the event.
func (m *Metrics) Record(e telemetry.Event) {
	switch p := e.Payload.(type) {
	case telemetry.Job:
		m.job(p, e.Duration)
		return
	case telemetry.Failure:
		m.failed(p)
	case telemetry.Received:
		if p.Replayed {
			m.replayed.Inc()
		}
	case telemetry.Classify:
		m.understood(&p)
	case telemetry.AskUser:
		names := m.names.Load()
		m.asks.of(ask{label(names.params, p.Param), label(askKinds, p.Kind)}).Inc()
	case telemetry.Confirm:
		m.confirms.of(label(m.names.Load().tools, p.Tool)).Inc()
	case telemetry.ToolCall:
		m.called(&p, e.Duration)
	case telemetry.Respond:
		if p.Handoff {
			m.handoffs.Inc()
		}
	}
	if e.InteractionID == "" {
		return // belongs to no turn
	}
	stage := cmp.Or(e.Stage, telemetry.StageOf(e.Payload))
	m.stageSeconds.of(label(stages, string(stage))).Observe(seconds(e.Duration))
	m.turn(&e)
}

func (m *Metrics) job(p telemetry.Job, d time.Duration) {
	kind := m.codes.of(jobKind, p.Kind)
	m.jobs.of(jobEnd{kind, m.codes.of(jobOutcome, p.Outcome)}).Inc()
	m.jobSeconds.of(kind).Observe(seconds(d))
}

func (m *Metrics) failed(p telemetry.Failure) {
	m.errors.of(m.codes.of(errorCode, p.Code)).Inc()
	if p.Code == "generate_failed" {
		m.fallbacks.of("generate").Inc()
	}
}

func (m *Metrics) understood(p *telemetry.Classify) {
	m.intents.of(label(m.names.Load().intents, p.Intent)).Inc()
	m.classifiers.of(m.codes.of(classifierTier, p.Tier)).Inc()
	if p.Fallback != "" {
		m.fallbacks.of(label(reasons, p.Fallback)).Inc()
	}
	if p.Intent == "" && p.Lead == "" && len(p.Params) == 0 {
		m.fallbacks.of("out_of_scope").Inc()
	}
}

func (m *Metrics) called(p *telemetry.ToolCall, d time.Duration) {
	tool := label(m.names.Load().tools, p.Tool)
	m.calls.of(toolCall{tool, label(statuses, p.Status), m.codes.of(toolCode, p.ErrorCode)}).Inc()
	m.callSeconds.of(tool).Observe(seconds(d))
}

// turn counts a turn at its last event, and its duration since the first.
func (m *Metrics) turn(e *telemetry.Event) {
	began := e.Time.Add(-e.Duration)
	id := turnID{e.UserID, e.SessionID, e.InteractionID}
	if !e.Ends() {
		if _, first := e.Payload.(telemetry.Received); first {
			m.turns.begin(id, began)
		}
		return
	}
	if earlier, ok := m.turns.end(id); ok {
		began = earlier
	}
	m.turnsTotal.of(outcome(e.Payload)).Inc()
	m.turnSeconds.Observe(seconds(e.Time.Sub(began)))
}

// movedOn is the code and the outcome of a message that came too late for its conversation, which
// needs no action of an operator.
const movedOn = "moved_on"

// outcome returns how a turn with this last payload ended.
func outcome(last telemetry.Payload) string {
	switch p := last.(type) {
	case telemetry.Respond:
		return label(outcomes, p.Outcome)
	case telemetry.Received:
		return "replayed"
	case telemetry.Failure:
		if p.Code == movedOn {
			return movedOn
		}
		return "error"
	}
	return other
}

// seconds returns d, or 0 if the clock was set back.
func seconds(d time.Duration) float64 { return max(0, d.Seconds()) }

// maxOpen is the number of turns between their first and last event. The router records a turn's
// events together, so there are hardly more than processors.
const maxOpen = 4096

// openTurns holds when turns began.
type openTurns struct {
	mu    sync.Mutex // guards began
	began map[turnID]time.Time
}

type turnID struct{ user, session, interaction string }

// begin adds a turn; if there are too many, one that never ended is dropped.
func (o *openTurns) begin(id turnID, at time.Time) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.began == nil {
		o.began = map[turnID]time.Time{}
	}
	if len(o.began) >= maxOpen {
		for other := range o.began {
			delete(o.began, other)
			break
		}
	}
	o.began[id] = at
}

// end returns when the turn began, if that is known, and removes it.
func (o *openTurns) end(id turnID) (began time.Time, ok bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	began, ok = o.began[id]
	delete(o.began, id)
	return began, ok
}
