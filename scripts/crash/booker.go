package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// booking is a kind of write to the ledger. Its keys begin with a prefix.
type booking struct {
	tool, param, prefix, naming, plain string

	unasked bool // it needs no yes
	keyed   bool // the service behind the tool stores idempotency keys
}

var bookings = []booking{
	{"append", "entry", "E-", "please book %s now", "book an entry", false, false},
	{"post", "payment", "P-", "please pay %s", "post a payment", false, false},
	{"pledge", "gift", "G-", "please donate %s", "pledge a gift", false, true},
	{"jot", "note", "N-", "please jot down %s", "jot a note down", true, false},
	{"tip", "tip", "T-", "please tip %s", "tip the waiter", true, true},
	{"send", "wreath", "W-", "please send the wreath %s", "send a wreath", false, true},
}

// bookingOf returns the kind of write of a key.
func bookingOf(key string) booking {
	for _, b := range bookings {
		if strings.HasPrefix(key, b.prefix) {
			return b
		}
	}
	return booking{}
}

// booker scripts a client of the ledger.
type booker struct {
	rng     *rand.Rand
	client  int
	entries int
	kind    booking
	task    task
}

func newBooker(rng *rand.Rand, client int) script { return &booker{rng: rng, client: client} }

func (b *booker) open() (text, writes string) {
	if b.rng.IntN(4) == 0 {
		b.kind, b.task = booking{}, task{}
		return "when are you open", ""
	}
	b.kind = bookings[b.rng.IntN(len(bookings))]
	b.another()
	if b.rng.IntN(2) == 0 {
		return b.naming()
	}
	return b.kind.plain, ""
}

// another changes the task to a new key and returns that.
func (b *booker) another() string {
	b.entries++
	key := fmt.Sprintf("%s%d", b.kind.prefix, (b.client+1)*10_000_000+b.entries)
	b.task = task{tool: b.kind.tool, key: key, named: key, says: map[string]string{b.kind.param: key, "card": "golden"}}
	return key
}

// naming returns a message that holds the whole task.
func (b *booker) naming() (text, writes string) {
	return fmt.Sprintf(b.kind.naming, b.task.key), b.unasked()
}

// unasked returns the task's key if the tool needs no yes.
func (b *booker) unasked() string {
	if b.kind.unasked {
		return b.task.key
	}
	return ""
}

// next answers a reply. Now and then it changes the key, of an open confirmation or of a write
// that is done while a question about it is open.
func (b *booker) next(r reply) (text, writes string) {
	if b.kind.tool != "" && b.rng.IntN(6) == 0 {
		switch {
		case r.Confirming != nil && *r.Confirming == b.kind.tool:
			return "no, " + b.another(), ""
		case r.Asked != nil && *r.Asked == "card":
			before := b.task
			key := b.another()
			b.task = before
			return "no, " + key, ""
		}
	}
	text, writes = b.task.answer(b.rng, r)
	if text != "" && text == b.task.key {
		writes = b.unasked()
	}
	return text, writes
}

// Messages that replace one without an answer, by their names in the report.
const (
	insteadOther      = "gave_up_for_another_value"
	insteadAnew       = "gave_up_and_typed_anew"
	insteadTask       = "gave_up_for_another_task"
	insteadYes        = "gave_up_for_a_bare_yes"
	insteadCorrection = "gave_up_for_a_correction"
	insteadLookup     = "gave_up_for_a_lookup"
)

var insteads = []string{insteadOther, insteadAnew, insteadTask, insteadYes, insteadCorrection, insteadLookup}

// instead implements fickle.
func (b *booker) instead(text, writes string) (other, brings, kind string) {
	kind = insteads[b.rng.IntN(len(insteads))]
	if writes != "" && b.rng.IntN(2) == 0 { // the outcome of the first write must stay apart
		kind = []string{insteadOther, insteadCorrection}[b.rng.IntN(2)]
	}
	if b.kind.tool == "" && (kind == insteadOther || kind == insteadCorrection) {
		kind = insteadTask
	}
	switch kind {
	case insteadOther:
		b.another()
		other, brings = b.naming()
	case insteadTask:
		other, brings = b.open()
	case insteadYes:
		other = "yes"
	case insteadCorrection:
		other = "no, " + b.another()
		brings = b.unasked()
	case insteadLookup:
		other = "when are you open"
	default:
		other, brings = text, writes
	}
	return other, brings, kind
}
