package rasatool

import (
	"cmp"
	"time"

	"github.com/slotway/slotway/tools"
)

// Constants of the protocol.
const (
	protocolVersion = "3.0.0"   // of Rasa; the SDK warns if it differs from its own
	defaultSender   = "default" // Rasa's sender if there is none
	channel         = "slotway"
)

// request is the body of a call.
type request struct {
	NextAction string         `json:"next_action"`
	SenderID   string         `json:"sender_id"`
	Version    string         `json:"version"`
	Tracker    tracker        `json:"tracker"`
	Domain     map[string]any `json:"domain"`
}

// tracker is the conversation in the form for an action.
type tracker struct {
	SenderID       string         `json:"sender_id"`
	Slots          map[string]any `json:"slots"`
	LatestMessage  message        `json:"latest_message"`
	EventTime      float64        `json:"latest_event_time"` // seconds since 1970
	FollowupAction *string        `json:"followup_action"`
	Paused         bool           `json:"paused"`
	Events         []any          `json:"events"`
	InputChannel   string         `json:"latest_input_channel"`
	ActiveLoop     map[string]any `json:"active_loop"`
	ActionName     *string        `json:"latest_action_name"`
}

// message is the latest message, which is not sent.
type message struct {
	Text     *string `json:"text"`
	Intent   intent  `json:"intent"`
	Ranking  []any   `json:"intent_ranking"`
	Entities []any   `json:"entities"`
}

type intent struct {
	Name       *string `json:"name"`
	Confidence float64 `json:"confidence"`
}

func newRequest(action string, call tools.Call, now time.Time) request {
	sender := cmp.Or(call.Caller.SessionID, defaultSender)
	slots := call.Args
	if slots == nil {
		slots = map[string]any{}
	}
	return request{
		NextAction: action, SenderID: sender, Version: protocolVersion, Domain: map[string]any{},
		Tracker: tracker{
			SenderID: sender, Slots: slots, LatestMessage: message{Ranking: []any{}, Entities: []any{}},
			EventTime: float64(now.UnixMicro()) / 1e6, Events: []any{}, InputChannel: channel, ActiveLoop: map[string]any{},
		},
	}
}

// readAnswer converts {events, responses} to a tool's result; ok is false for anything else.
func readAnswer(answer any) (result map[string]any, ok bool) {
	m, _ := answer.(map[string]any)
	events, hasEvents := m["events"].([]any)
	responses, hasResponses := m["responses"].([]any)
	if !hasEvents || !hasResponses {
		return nil, false
	}
	slots, others := map[string]any{}, []any{}
	for _, e := range events {
		event, _ := e.(map[string]any)
		kind, _ := event["event"].(string)
		name, _ := event["name"].(string)
		switch {
		case kind == "":
			return nil, false
		case kind == "slot" && name != "":
			slots[name] = event["value"]
		default:
			others = append(others, kind)
		}
	}
	texts, templates := []any{}, []any{}
	for _, r := range responses {
		uttered, ok := r.(map[string]any)
		if !ok {
			return nil, false
		}
		if text, _ := uttered["text"].(string); text != "" {
			texts = append(texts, text)
		}
		if name, _ := uttered["response"].(string); name != "" {
			templates = append(templates, name)
		}
	}
	return map[string]any{"slots": slots, "responses": texts, "templates": templates, "events": others}, true
}
