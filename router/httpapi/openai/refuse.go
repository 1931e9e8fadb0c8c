package openai

import (
	"encoding/json"
	"strings"

	"github.com/slotway/slotway/router/httpapi"
)

// A request for what an agent cannot give is refused and not ignored: its sender would wait for it.

func takeN(q *request, raw json.RawMessage) error {
	n, err := httpapi.ParseInteger(raw)
	if err != nil {
		return err
	}
	if n != 1 {
		return q.refuse(invalid("unsupported_value", "n", "An agent gives one answer: n must be 1."))
	}
	return nil
}

// takeToolChoice refuses a request that requires a call of the client's tools.
func takeToolChoice(q *request, raw json.RawMessage) error {
	var mode string
	switch {
	case strings.HasPrefix(string(raw), "{"):
		mode = "required"
	case json.Unmarshal(raw, &mode) != nil:
		return errType
	}
	if mode == "auto" || mode == "none" {
		return nil
	}
	return q.refuse(invalid("unsupported_value", "tool_choice", "An agent has its own tools and calls none of the client's: tool_choice must be auto or none."))
}

// takeFormat refuses every format of the answer but text.
func takeFormat(param string) func(*request, json.RawMessage) error {
	return func(q *request, raw json.RawMessage) error {
		var format struct {
			Type string `json:"type"`
		}
		if err := json.Unmarshal(raw, &format); err != nil {
			return err
		}
		if format.Type != "" && format.Type != "text" {
			return q.refuse(invalid("unsupported_value", param, "An agent answers in plain text: the type of %s must be text.", param))
		}
		return nil
	}
}

func takeText(q *request, raw json.RawMessage) error {
	var text struct {
		Format json.RawMessage `json:"format"`
	}
	if err := json.Unmarshal(raw, &text); err != nil {
		return err
	}
	if len(text.Format) == 0 || string(text.Format) == "null" {
		return nil
	}
	return takeFormat("text.format")(q, text.Format)
}

func takeStore(q *request, raw json.RawMessage) error {
	store := true
	if err := json.Unmarshal(raw, &store); err != nil {
		return err
	}
	if !store {
		return q.refuse(invalid("unsupported_value", "store", "Every turn is stored before it is answered: leave store out, and erase the conversation with DELETE /v1/conversations/ID."))
	}
	return nil
}

func takeBackground(q *request, raw json.RawMessage) error {
	var background bool
	if err := json.Unmarshal(raw, &background); err != nil {
		return err
	}
	if background {
		return q.refuse(invalid("unsupported_value", "background", "A turn is answered when it is done: background must be false."))
	}
	return nil
}
