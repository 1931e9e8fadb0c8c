package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"unicode/utf8"

	"github.com/slotway/slotway/classifier/eval"
	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/source"
)

// synthetic makes messages of up to 150 intents, each of them so often, with marked slots:
// something of a real agent's size to measure speed on where no data can be shipped. The
// same numbers give the same messages. Accuracy on them says nothing.
func synthetic(intents, each int) []eval.Row {
	g := generator{rand.New(rand.NewPCG(1, 2))}
	var rows []eval.Row
	for n := range min(intents, len(wishes)*len(things)) {
		wish, thing := wishes[n%len(wishes)], things[n/len(wishes)]
		id := strings.ReplaceAll(wish[0]+"_"+thing.words[0], " ", "_")
		for range each {
			row := g.row(wish, thing)
			row.Intent = id
			row.Pos = source.Position{File: "synthetic", Line: len(rows) + 1, Column: 1}
			rows = append(rows, row)
		}
	}
	return rows
}

// holdout keeps every k-th row of each intent to measure on.
func holdout(rows []eval.Row, k int) (train, test []eval.Row) {
	seen := map[string]int{}
	for _, r := range rows {
		if seen[r.Intent]++; seen[r.Intent]%k == 0 {
			test = append(test, r)
		} else {
			train = append(train, r)
		}
	}
	return train, test
}

type thing struct {
	words []string
	slots []string
}

// wishes and things make an intent each; the first word of both names it.
var (
	wishes = [...][]string{
		{"find", "look up", "search for", "show me"},
		{"book", "reserve", "arrange"},
		{"cancel", "call off", "get rid of"},
		{"change", "modify", "adjust"},
		{"price", "tell me what i pay for", "how much is"},
		{"rate", "review", "give stars to"},
		{"share", "send out", "forward"},
		{"save", "keep", "remember"},
		{"compare", "weigh up", "put side by side"},
		{"repeat", "do over", "renew"},
		{"explain", "help me understand", "what is meant by"},
		{"report", "complain about", "flag"},
		{"confirm", "double check", "make sure of"},
		{"delay", "push back", "postpone"},
		{"hand over", "pass on", "transfer"},
	}
	things = [...]thing{
		{[]string{"flight", "plane ticket", "seat on a plane"}, []string{"city", "day"}},
		{[]string{"hotel room", "place to stay"}, []string{"city", "count"}},
		{[]string{"rental car", "van", "car hire"}, []string{"city", "day"}},
		{[]string{"table", "dinner", "restaurant"}, []string{"count", "day"}},
		{[]string{"invoice", "bill", "statement"}, []string{"amount", "person"}},
		{[]string{"parcel", "package", "delivery"}, []string{"city", "person"}},
		{[]string{"appointment", "slot with the doctor", "visit"}, []string{"person", "day"}},
		{[]string{"loan", "credit", "mortgage"}, []string{"amount", "count"}},
		{[]string{"concert", "show", "gig"}, []string{"person", "city"}},
		{[]string{"insurance", "cover", "policy"}, []string{"amount", "day"}},
	}
	openings = []string{"", "", "please ", "could you ", "can you ", "i want to ", "i would like to ", "hi, i need to ", "help me ", "is it possible to ", "my boss asked me to ", "quickly "}
	closings = []string{"", "", "", " please", " thanks", " as soon as you can", " if that works", " before i forget", " for my family", " again"}
	days     = []string{"monday", "tuesday", "next friday", "tomorrow", "on sunday evening", "in two weeks", "the first of may", "this weekend", "tonight"}
	counts   = []string{"two", "three", "four people", "5", "12", "a dozen", "half of them", "6 of us"}
	heads    = []string{"ka", "lo", "mi", "ra", "te", "vo", "sun", "bel", "har", "nor", "fi", "ju", "pe", "wil", "zan", "gro", "est", "da"}
	tails    = []string{"ton", "ville", "ra", "mar", "dorf", "ley", "nia", "burg", "lin", "sa", "ster", "wick", "ko", "dale", "more", "va"}
)

type generator struct{ *rand.Rand }

func (g generator) one(list []string) string { return list[g.IntN(len(list))] }

// row words one wish. Values follow the words that announce them.
func (g generator) row(wish []string, t thing) eval.Row {
	var r eval.Row
	var b strings.Builder
	b.WriteString(g.one(openings) + g.one(wish) + " " + g.one([]string{"the ", "a ", "my ", "that "}) + g.one(t.words))
	for _, slot := range t.slots {
		if g.IntN(3) == 0 {
			continue
		}
		announce, value := g.value(slot)
		b.WriteString(announce)
		start := utf8.RuneCountInString(b.String())
		b.WriteString(value)
		r.Spans = append(r.Spans, config.Span{Param: slot, Start: start, End: utf8.RuneCountInString(b.String()), Value: value})
	}
	b.WriteString(g.one(closings))
	r.Text = b.String()
	return r
}

func (g generator) value(slot string) (announce, value string) {
	name := g.one(heads) + g.one(tails)
	switch slot {
	case "city":
		return g.one([]string{" in ", " to ", " near "}), name
	case "person":
		return g.one([]string{" with ", " from ", " of "}), name + " " + g.one(heads) + g.one(heads)
	case "day":
		return " ", g.one(days)
	case "count":
		return " for ", g.one(counts)
	default:
		return g.one([]string{" over ", " of ", " about "}), fmt.Sprintf("%d dollars", 10+g.IntN(9000))
	}
}
