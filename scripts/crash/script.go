package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// writeTools are the tools of both agents that write, by the prefix of their keys.
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

// task is the subject of a conversation.
type task struct {
	tool  string            // the tool that it needs; "": a lookup
	key   string            // of the write
	named string            // the confirmation must contain it
	says  map[string]string // answers by param
}

// answer returns the next message. It says yes only to the write of the task, and not always.
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

// Orders of each client of the shop, from firstOrder on.
const (
	firstOrder  = 1_000_000
	perClient   = 4000
	cancellable = 1500 // the first ones, pending
	returnable  = 1500 // the next ones, delivered
)

func orderID(client, n int) string { return fmt.Sprintf("O-%d", firstOrder+client*perClient+n) }

// shopper scripts a client of the shop.
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

// pick chooses an opening; every second one names the order.
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

// The writes name their order at once. The session keeps it, so a plain "cancel my order" would
// mean the order before.
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

// redirect sends an order to a unique address, so that each effect is recognisable.
func (s *shopper) redirect() string {
	s.addresses++
	order := orderID(s.client, cancellable+returnable+s.addresses%(perClient-cancellable-returnable))
	address := fmt.Sprintf("%d Cedar Road, Lakeview %05d", s.addresses, 10000+s.client)
	s.task = task{tool: "change_address", key: "address " + address, named: address, says: map[string]string{"order_id": order, "address": address}}
	return "change the shipping address of order " + order
}
