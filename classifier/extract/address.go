package extract

import (
	"slices"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/shapes"
)

// foundAddress is the confidence of an address that nobody asked for.
const foundAddress = 0.8

// matchAddress finds the address in a message, as an e-mail address is found, for the only param of
// the agent that holds one. What lies inside of it, such as a postal code, is no value of its own.
// Where an address is asked for, the answer is the whole message all the same.
func (x *Extractor) matchAddress(s *reading, in *classifier.Input, c *collector) {
	if x.address == "" {
		return
	}
	start, end := shapes.FindAddress(s.Text, func(start, end int) bool { return !x.crosses(c, c.at.Point(start), c.at.Point(end)) })
	if start == end {
		return
	}
	from, to := c.at.Point(start), c.at.Point(end)
	left := slices.DeleteFunc(c.values[c.base:], func(v message.Value) bool {
		inside := from <= v.Start && v.End <= to && v.Param != askedParam(in.Asked)
		return inside && (v.Source == "builtin" || v.Source == "enum")
	})
	c.values = c.values[:c.base+len(left)]
	if askedParam(in.Asked) == x.address || c.has(x.address) {
		return
	}
	c.bytes(x.address, s.Text[start:end], start, end, "announced", foundAddress)
}

// crosses reports whether a stretch of a message holds a value that is no part of an address: what a
// pattern describes, an e-mail address or a phone number, or a day, a time or an amount at its end.
func (x *Extractor) crosses(c *collector, from, to int) bool {
	return slices.ContainsFunc(c.values[c.base:], func(v message.Value) bool {
		if v.End <= from || to <= v.Start || v.Source == "text" {
			return false
		}
		kind := ""
		for _, r := range x.params[v.Param] {
			kind = r.Builtin
		}
		switch kind {
		case "email", "phone", "url":
			return true
		case "date", "time", "datetime", "daterange", "duration", "money":
			return v.End >= to
		}
		return v.Source == "pattern"
	})
}

// addressOf is the only param of an agent that holds an address, or "".
func addressOf(all []*config.Param) string {
	found := ""
	for _, p := range all {
		if p == nil || p.Type == nil || p.Type.Builtin != "text" || config.GuessShape(p) != shapes.Address && p.Shape != shapes.Address {
			continue
		}
		if found != "" && found != p.Name {
			return ""
		}
		found = p.Name
	}
	return found
}
