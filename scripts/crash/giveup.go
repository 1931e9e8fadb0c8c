package main

import "time"

// outcome is the result of sending a message.
type outcome int

const (
	answered outcome = iota
	givenUp          // the client stopped after a few tries
	stuck            // no answer came in time
)

// gone is a message that its client gave up. Slotway may have lost it, handled it before the next
// message, or handle it later.
type gone struct {
	id, text string
	after    int64 // the newest acknowledged turn when it was sent
	sent     time.Time
}

// fickle is a script that can replace a message by another.
type fickle interface {
	// instead returns the message that replaces one that was given up, and the write that it
	// should cause, as next does. kind is a harm of the report.
	instead(text, writes string) (other, brings, kind string)
}

// fewTries returns the number of tries before the client gives up a message; 0: it never does.
// Messages that cause a write are given up most often, because they matter most.
func (c *client) fewTries(writes string) int {
	_, ok := c.script.(fickle)
	if !ok || !c.service.faults.clients || c.leaving || c.rng.IntN(4) >= 2 && (writes == "" || c.rng.IntN(2) == 0) {
		return 0
	}
	return 1 + c.rng.IntN(2)
}

func (c *client) sayInstead(text, writes string) (other, brings string) {
	other, brings, kind := c.script.(fickle).instead(text, writes)
	c.harms[kind]++
	return other, brings
}
