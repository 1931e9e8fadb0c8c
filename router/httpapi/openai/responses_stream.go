package openai

// Events of a streamed response (platform.openai.com/docs/api-reference/responses-streaming).
// Each has a type and a number.

type responseEvent struct {
	Type     string    `json:"type"`
	Sequence int       `json:"sequence_number"`
	Response *response `json:"response"`
}

type itemEvent struct {
	Type     string `json:"type"`
	Sequence int    `json:"sequence_number"`
	Output   int    `json:"output_index"`
	Item     item   `json:"item"`
}

type partEvent struct {
	Type     string `json:"type"`
	Sequence int    `json:"sequence_number"`
	ItemID   string `json:"item_id"`
	Output   int    `json:"output_index"`
	Content  int    `json:"content_index"`
	Part     part   `json:"part"`
}

type textEvent struct {
	Type     string  `json:"type"`
	Sequence int     `json:"sequence_number"`
	ItemID   string  `json:"item_id"`
	Output   int     `json:"output_index"`
	Content  int     `json:"content_index"`
	Delta    *string `json:"delta,omitempty"`
	Text     *string `json:"text,omitempty"`
	Logprobs []any   `json:"logprobs"`
}

// streamResponse returns the answer as events: the response as it begins, its item, the item's part,
// the text in pieces, and each of them again when it is done.
func (a *answer) streamResponse() *stream {
	out, n := &stream{}, 0
	next := func() int { n++; return n - 1 }
	id, whole := a.ref().id(messagePrefix), textPart(a.shown())
	asIs := func(kind, status string) {
		out.event(kind, responseEvent{kind, next(), a.response(status)})
	}
	asIs("response.created", inProgress)
	asIs("response.in_progress", inProgress)
	out.event("response.output_item.added", itemEvent{Type: "response.output_item.added", Sequence: next(), Item: a.item(inProgress)})
	out.event("response.content_part.added", partEvent{Type: "response.content_part.added", Sequence: next(), ItemID: id, Part: textPart("")})
	for _, text := range chunks(a.shown()) {
		out.event("response.output_text.delta", textEvent{Type: "response.output_text.delta", Sequence: next(), ItemID: id, Delta: &text, Logprobs: []any{}})
	}
	out.event("response.output_text.done", textEvent{Type: "response.output_text.done", Sequence: next(), ItemID: id, Text: &whole.Text, Logprobs: []any{}})
	out.event("response.content_part.done", partEvent{Type: "response.content_part.done", Sequence: next(), ItemID: id, Part: whole})
	out.event("response.output_item.done", itemEvent{Type: "response.output_item.done", Sequence: next(), Item: a.item(completed, whole)})
	asIs("response.completed", completed)
	return out
}
