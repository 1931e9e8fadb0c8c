package main

import "time"

// outcome is what became of a message.
type outcome int

const (
	answered outcome = iota
	givenUp          // it was not answered in the few tries that it was worth
	stuck            // it was not answered at all
)

// gone is a message that was given up. Nobody was told what became of it: it may have been
// lost, dealt with before what was said next, or be dealt with later.
type gone struct {
	id, text string
	after    int64 // the newest turn that was acknowledged when it was sent
	sent     time.Time
}

// fickle is a script that may leave a message and say something else.
type fickle interface {
	// instead is what is said under a new id where a message was given up, and what it is to
	// bring about, as with next. kind is a harm of the report.
	instead(text, writes string) (other, brings, kind string)
}

// fewTries is how often the next message is sent before it is given up; 0: until there is an
// answer. What is to bring about a write is given up more often than not: it matters most.
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
