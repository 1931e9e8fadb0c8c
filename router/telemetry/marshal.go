package telemetry

import (
	"cmp"
	"math"

	"github.com/rs/zerolog"
)

// Payloads write themselves field by field: reflection would cost more than the rest of the line. The
// keys are those of telemetry.schema.json; a test compares the two.

// MarshalZerologObject writes the fields of the payload.
func (p Received) MarshalZerologObject(e *zerolog.Event) {
	p.Memory.write(e)
	writeName(e, "waiting_for_param", p.WaitingForParam)
	e.Int("text_length", p.TextLength).Bool("replayed", p.Replayed).Int("settling", p.Recovering)
	if p.HandOver != "" { // rare, as fallback is
		e.Str("hand_over", Code(p.HandOver))
	}
}

// MarshalZerologObject writes the fields of the payload.
func (p Classify) MarshalZerologObject(e *zerolog.Event) {
	writeName(e, "intent", p.Intent)
	e.Float64("confidence", clampUnit(p.Confidence)).Bool("exact", p.Exact)
	writeName(e, "lead", p.Lead)
	e.Str("tier", p.Tier)
	if p.Fallback != "" { // rare: the lines of an agent without a model server stay as short as they are
		e.Str("fallback", Code(p.Fallback))
	}
	ranking := e.CreateArray()
	for _, r := range p.Ranking {
		d := e.CreateDict().Str("intent", r.Intent).Float64("confidence", clampUnit(r.Confidence))
		ranking.Dict(d)
	}
	e.Array("ranking", ranking)
	params := e.CreateArray()
	for _, f := range p.Params {
		d := e.CreateDict()
		writeName(d, "param", f.Param)
		d.Str("source", f.Source)
		params.Dict(d.Int("start", f.Start).Int("end", f.End))
	}
	e.Array("params", params)
	readings(e, "chosen", p.Chosen)
	readings(e, "runners_up", p.RunnersUp)
	e.Int("unheard", p.Unheard)
}

// readings writes readings of a message.
func readings(e *zerolog.Event, key string, list []Reading) {
	out := e.CreateArray()
	for i := range list {
		r := &list[i]
		d := e.CreateDict().Str("rule", r.Rule)
		writeName(d, "intent", r.Intent)
		d.Float64("score", finite(r.Score)).Float64("evidence", finite(r.Evidence)).Float64("share", clampUnit(r.Share))
		spans := d.CreateArray()
		for _, s := range r.Spans {
			spans.Dict(d.CreateDict().Int("start", s.Start).Int("end", s.End))
		}
		out.Dict(d.Array("spans", spans))
	}
	e.Array(key, out)
}

// MarshalZerologObject writes the fields of the payload.
func (p Plan) MarshalZerologObject(e *zerolog.Event) {
	e.Str("step", p.Step)
	writeName(e, "step_id", p.StepID)
	writeName(e, "intent", p.Intent)
	e.Int("depth", p.Depth)
}

// MarshalZerologObject writes the fields of the payload.
func (p AskUser) MarshalZerologObject(e *zerolog.Event) {
	writeName(e, "param", p.Param)
	e.Str("kind", p.Kind).Int("attempt", p.Attempt)
	writeName(e, "waiting_for_param", p.WaitingForParam)
}

// MarshalZerologObject writes the fields of the payload.
func (p Confirm) MarshalZerologObject(e *zerolog.Event) {
	writeName(e, "tool", p.Tool)
	writeName(e, "step_id", p.StepID)
	e.Int("attempt", p.Attempt)
}

// MarshalZerologObject writes the fields of the payload.
func (p ToolCall) MarshalZerologObject(e *zerolog.Event) {
	e.Str("tool", p.Tool).Str("effect", p.Effect).Str("status", p.Status)
	writeName(e, "error_code", Code(p.ErrorCode))
	e.Int("attempts", p.Attempts).Bool("journalled", p.Journalled)
}

// MarshalZerologObject writes the fields of the payload.
func (p Respond) MarshalZerologObject(e *zerolog.Event) {
	p.Memory.write(e)
	writeName(e, "waiting_for_param", p.WaitingForParam)
	e.Str("outcome", p.Outcome).Strs("response", p.Response).Bool("handoff", p.Handoff)
	e.Int("steps", p.Steps).Int("reply_length", p.ReplyLength)
}

// MarshalZerologObject writes the fields of the payload.
func (p Failure) MarshalZerologObject(e *zerolog.Event) {
	e.Str("code", cmp.Or(Code(p.Code), "other")).Str("stage", p.Stage).Str("message", p.Message.text)
}

// MarshalZerologObject writes the fields of the payload.
func (p Job) MarshalZerologObject(e *zerolog.Event) {
	e.Str("kind", p.Kind).Int("attempt", p.Attempt).Str("outcome", p.Outcome)
}

// write adds the memory object, which received and respond share.
func (m Memory) write(e *zerolog.Event) {
	d := e.CreateDict().Int64("history_count", m.HistoryCount).Strs("params_keys", m.ParamsKeys)
	e.Dict("memory", d)
}

// writeName writes a name, or null for none: the key is always present.
func writeName(e *zerolog.Event, key, value string) {
	if value == "" {
		e.RawJSON(key, null)
		return
	}
	e.Str(key, value)
}

var null = []byte("null")

// clampUnit keeps a share within [0,1]: JSON has no NaN and the schema no 1.0000000002.
func clampUnit(f float64) float64 {
	if math.IsNaN(f) {
		return 0
	}
	return min(max(f, 0), 1)
}

// finite replaces NaN and infinity, which JSON lacks, by 0.
func finite(f float64) float64 {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return 0
	}
	return f
}

// maxCode bounds an error code, in bytes.
const maxCode = 64

// Code returns s if it has the form of an error code, otherwise "other"; "" stays. A remote tool could
// send a sentence with a value in it as a code, so a sink that shows a payload's code calls this
// first.
func Code(s string) string {
	if len(s) > maxCode {
		return "other"
	}
	for i := range len(s) {
		c := s[i]
		if !('a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '_') {
			return "other"
		}
	}
	return s
}
