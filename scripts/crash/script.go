package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// writeTools are the tools with an effect, of both agents, by how the keys of their writes
// begin.
var writeTools = map[string]string{
	"cancel ": "cancel_order", "return ": "return_order", "address ": "change_address",
	"E-": "append", "P-": "post", "G-": "pledge", "N-": "jot", "T-": "tip", "W-": "send",
}

func toolOf(key string) string {
	for prefix, tool := range writeTools {
		if strings.HasPrefix(key, prefix) {
			return tool
		}
	}
	return ""
}

// task is what a conversation is about.
type task struct {
	tool  string            // that it ends in; "": a lookup
	key   string            // of the write
	named string            // what the confirmation must name
	says  map[string]string // what is answered when a param is asked for
}

// answer is the next message for a reply. A yes is given only to the very write that the
// task is about, and not always.
func (t *task) answer(rng *rand.Rand, r reply) (text, confirms string) {
	switch {
	case r.Confirming != nil && *r.Confirming == t.tool && strings.Contains(r.Reply, t.named):
		if rng.IntN(8) == 0 {
			return "no", ""
		}
		return "yes", t.key
	case r.Confirming != nil:
		return "no", ""
	case r.Asked != nil:
		if said := t.says[*r.Asked]; said != "" {
			return said, ""
		}
		return "never mind", ""
	}
	return "", ""
}

// Orders that are made for each client of the shop, beginning with firstOrder.
const (
	firstOrder  = 1_000_000
	perClient   = 4000
	cancellable = 1500 // of them, pending
	returnable  = 1500 // behind those, delivered
)

func orderID(client, n int) string { return fmt.Sprintf("O-%d", firstOrder+client*perClient+n) }

// shopper is the script of a client of the shop.
type shopper struct {
	rng               *rand.Rand
	client            int
	cancels, returns  int
	addresses, number int
	task              task
}

func newShopper(rng *rand.Rand, client int) script { return &shopper{rng: rng, client: client} }

func (s *shopper) open() (text, writes string) { return s.begin(), "" }

func (s *shopper) begin() string {
	s.number++
	switch n := s.rng.IntN(10); {
	case n < 3:
		return s.lookup()
	case n < 5 && s.cancels < cancellable:
		return s.cancel()
	case n < 7 && s.returns < returnable:
		return s.giveBack()
	}
	return s.redirect()
}

func (s *shopper) next(r reply) (text, confirms string) { return s.task.answer(s.rng, r) }

// pick is one of several ways to begin; every second one names the order.
func (s *shopper) pick(order string, plain, naming []string) string {
	if s.rng.IntN(2) == 0 {
		return fmt.Sprintf(naming[s.rng.IntN(len(naming))], order)
	}
	return plain[s.rng.IntN(len(plain))]
}

func (s *shopper) lookup() string {
	order := "O-12345"
	s.task = task{says: map[string]string{"order_id": order}}
	return s.pick(order, []string{"where is my order", "i want to check my order"}, []string{"where is my order %s", "track order %s"})
}

// The writes name their order at once: it is kept for the session, so that a plain
// "cancel my order" would be about the order before.
func (s *shopper) cancel() string {
	order := orderID(s.client, s.cancels)
	s.cancels++
	s.task = task{tool: "cancel_order", key: "cancel " + order, named: order, says: map[string]string{"order_id": order}}
	return "cancel order " + order
}

func (s *shopper) giveBack() string {
	order := orderID(s.client, cancellable+s.returns)
	s.returns++
	s.task = task{tool: "return_order", key: "return " + order, named: order, says: map[string]string{"order_id": order, "return_reason": "damaged"}}
	return "return order " + order
}

// redirect sends an order to an address that nobody else uses, so that each effect can
// be told from all others.
func (s *shopper) redirect() string {
	s.addresses++
	order := orderID(s.client, cancellable+returnable+s.addresses%(perClient-cancellable-returnable))
	address := fmt.Sprintf("%d Cedar Road, Lakeview %05d", s.addresses, 10000+s.client)
	s.task = task{tool: "change_address", key: "address " + address, named: address, says: map[string]string{"order_id": order, "address": address}}
	return "change the shipping address of order " + order
}
