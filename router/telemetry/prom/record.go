package prom

import (
	"cmp"
	"time"

	"github.com/slotway/slotway/router/telemetry"
)

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
			m.replayed.WithLabelValues().Inc()
		}
	case telemetry.Classify:
		m.understood(&p)
	case telemetry.AskUser:
		names := m.names.Load()
		m.asks.WithLabelValues(label(names.params, p.Param), label(askKinds, p.Kind)).Inc()
	case telemetry.Confirm:
		m.confirms.WithLabelValues(label(m.names.Load().tools, p.Tool)).Inc()
	case telemetry.ToolCall:
		m.called(&p, e.Duration)
	case telemetry.Respond:
		if p.Handoff {
			m.handoffs.WithLabelValues().Inc()
		}
	}
	if e.InteractionID == "" {
		return // belongs to no turn
	}
	stage := cmp.Or(e.Stage, telemetry.StageOf(e.Payload))
	m.stageSeconds.WithLabelValues(label(stages, string(stage))).Observe(seconds(e.Duration))
	if e.Ends() {
		m.turnsTotal.WithLabelValues(outcome(e.Payload)).Inc()
		m.turnSeconds.WithLabelValues().Observe(seconds(e.Took))
	}
}

func (m *Metrics) job(p telemetry.Job, d time.Duration) {
	kind := m.codes.of(jobKind, p.Kind)
	m.jobs.WithLabelValues(kind, m.codes.of(jobOutcome, p.Outcome)).Inc()
	m.jobSeconds.WithLabelValues(kind).Observe(seconds(d))
}

func (m *Metrics) failed(p telemetry.Failure) {
	m.errors.WithLabelValues(m.codes.of(errorCode, p.Code)).Inc()
	if p.Code == "generate_failed" {
		m.fallbacks.WithLabelValues("generate").Inc()
	}
}

func (m *Metrics) understood(p *telemetry.Classify) {
	m.intents.WithLabelValues(label(m.names.Load().intents, p.Intent)).Inc()
	m.classifiers.WithLabelValues(m.codes.of(classifierTier, p.Tier)).Inc()
	if p.Fallback != "" {
		m.fallbacks.WithLabelValues(label(reasons, p.Fallback)).Inc()
	}
	if p.Intent == "" && p.Lead == "" && len(p.Params) == 0 {
		m.fallbacks.WithLabelValues("out_of_scope").Inc()
	}
}

func (m *Metrics) called(p *telemetry.ToolCall, d time.Duration) {
	tool := label(m.names.Load().tools, p.Tool)
	m.calls.WithLabelValues(tool, label(statuses, p.Status), m.codes.of(toolCode, p.ErrorCode)).Inc()
	m.callSeconds.WithLabelValues(tool).Observe(seconds(d))
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
