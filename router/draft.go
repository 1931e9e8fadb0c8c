package router

import (
	"context"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/router/telemetry"
)

// Draft is provisional text of a turn under way: words of a generate step as they come, behind
// what the turn has said before. It is not durable, and the turn's reply takes its place.
type Draft struct {
	Text string // follows what was drafted before
	Void bool   // what was drafted before counts no more: the step failed, or the turn began anew
}

// Streamer is a Generator that gives its answer in parts too. yield is called with each part, from
// one goroutine; the text returned is all of them.
type Streamer interface {
	Stream(ctx context.Context, prompt []memory.Message, yield func(part string)) (string, error)
}

// drafting tells the parts of one interaction's drafts, over all runs of its turn. A nil one tells
// nobody.
type drafting struct {
	to    func(Draft)
	said  int  // parts of the reply that were told
	begun bool // something was told since the last void
}

func newDrafting(to func(Draft)) *drafting {
	if to == nil {
		return nil
	}
	return &drafting{to: to}
}

// catchUp tells the parts of the reply that were said without a draft, and what stands between
// them and the next.
func (d *drafting) catchUp(said []string) {
	for _, part := range said[d.said:] {
		d.separate()
		d.text(part)
	}
	d.said = len(said)
	d.separate()
}

// separate is the space that join puts between the parts of a reply.
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

// void takes back what was told.
func (d *drafting) void() {
	if d == nil {
		return
	}
	if d.said = 0; d.begun {
		d.begun = false
		d.to(Draft{Void: true})
	}
}

// generateText asks the model for its text, and drafts it where somebody wants drafts.
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
