package main

import (
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// tauClock is the time in the policy of tau-bench's shop (Yao et al. 2024).
var tauClock = time.Date(2024, time.May, 15, 15, 0, 0, 0, time.UTC)

// convertTau makes an agent of a shop of which only the database exists: it knows the ways in which
// customers identify themselves and their orders. What the shop does with them is in a policy for a
// language model, not in a schema.
func convertTau(name string, dirs []string) (*bot, error) {
	orders := map[string]any{}
	if err := readJSON(filepath.Join(dirs[0], "orders.json"), &orders); err != nil {
		return nil, err
	}
	b := newBot(name)
	b.exact = true
	b.params = []*param{
		idParam("order_id", slices.Sorted(maps.Keys(orders))),
		{name: "email", kind: "email", session: true},
		{name: "zip", kind: "zip", session: true},
	}
	var names []string
	for _, p := range b.params {
		b.paramOf[p.name] = p.name
		names = append(names, p.name)
	}
	b.intents = []*intent{{
		id: "look_up", describe: "look up a customer or an order", tool: "look_up", optional: names, defaults: map[string]any{}, success: "Found.",
		examples: []example{{text: "could you look something up for me"}, {text: "please find my purchase"}, {text: "look at my account"}},
	}}
	return b, nil
}

// idParam describes ids that share a prefix and end in digits of one length. A sign at the
// beginning may be left out.
func idParam(name string, ids []string) *param {
	p := &param{name: name, kind: "text", session: true}
	if len(ids) == 0 {
		return p
	}
	first := ids[0]
	head := strings.IndexFunc(first, unicode.IsDigit)
	for _, id := range ids {
		if head < 0 || len(id) != len(first) || id[:head] != first[:head] || strings.Trim(id[head:], "0123456789") != "" {
			return p
		}
	}
	sign := strings.IndexFunc(first, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
	p.kind, p.prefix = "pattern", first[:sign]
	p.pattern = regexp.QuoteMeta(first[sign:head]) + `\d{` + strconv.Itoa(len(first)-head) + `}\b`
	if sign > 0 {
		p.pattern = "(?:" + regexp.QuoteMeta(first[:sign]) + ")?" + p.pattern
	}
	return p
}
