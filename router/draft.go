package router

import (
	"context"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/router/telemetry"
)

// Draft is provisional text of a turn under way: the parts of the reply so far, and the text of a
// generate step as it arrives. It is not durable, and the reply replaces it.
type Draft struct {
	Text string // follows the drafts before
	Void bool   // the drafts before are void: the step failed, or the turn runs again
}

// Streamer is a Generator that can stream. Stream calls yield with each part, from one goroutine, and
// returns the whole text.
type Streamer interface {
	Stream(ctx context.Context, prompt []memory.Message, yield func(part string)) (string, error)
}

// drafting sends the drafts of an interaction, over all runs of its turn. nil sends none.
type drafting struct {
	to    func(Draft)
	said  int  // parts of the reply that were sent
	begun bool // something was sent since the last void
}

func newDrafting(to func(Draft)) *drafting {
	if to == nil {
		return nil
	}
	return &drafting{to: to}
}

// catchUp sends the parts of the reply that were not sent yet, and the space before the next part.
func (d *drafting) catchUp(said []string) {
	for _, part := range said[d.said:] {
		d.separate()
		d.text(part)
	}
	d.said = len(said)
	d.separate()
}

// separate sends the space between two parts of a reply.
func (d *drafting) separate() {
	if d.begun {
		d.text(" ")
	}
}

func (d *drafting) text(text string) {
	if text != "" {
		d.begun = true
		d.to(Draft{Text: text})
	}
}

// void declares all drafts void.
func (d *drafting) void() {
	if d == nil {
		return
	}
	if d.said = 0; d.begun {
		d.begun = false
		d.to(Draft{Void: true})
	}
}

// generateText asks the model for text, and sends drafts of it if the client wants them.
func (t *turn) generateText(ctx context.Context, prompt []memory.Message, names *telemetry.Pseudonyms) (string, error) {
	streamer, ok := t.r.opts.Generator.(Streamer)
	if !ok || t.drafts == nil {
		text, err := t.r.opts.Generator.Generate(ctx, prompt)
		return names.Restore(text), err
	}
	t.drafts.catchUp(t.replyParts)
	parts := names.Restoring()
	text, err := streamer.Stream(ctx, prompt, func(part string) { t.drafts.text(parts.Part(part)) })
	if err != nil || text == "" {
		t.drafts.void()
		return "", err
	}
	t.drafts.text(parts.Rest())
	t.drafts.said++ // it becomes the next part of the reply
	return names.Restore(text), nil
}
