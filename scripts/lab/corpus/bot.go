package main

import (
	"slices"
	"strings"
	"unicode"
)

// bot is an agent under construction, from what a converter found in a bot's folder.
type bot struct {
	name    string
	params  []*param // in the order of their first use
	intents []*intent
	system  map[string][]example // examples of built-in intents

	intentOf map[string]string // recorded name -> intent id
	paramOf  map[string]string // recorded name, also after "service." or "intent." -> param name
	skipped  map[string]int    // what could not be converted, with counts
	exact    bool              // intents are compared exactly, courtesies included
	fallback string            // intent for messages that match nothing, or ""
}

// param is one slot.
type param struct {
	name     string
	kind     string // built-in type, "enum" or "pattern"
	pattern  string // of kind pattern
	prefix   string // of kind pattern: leading sign that people leave out
	values   []enumValue
	prompt   string
	session  bool
	loose    bool // recorded in the annotator's words: any text will do
	min, max *int
}

// enumValue is one value of an enumeration with its spellings.
type enumValue struct {
	value    string
	synonyms []string
}

// intent is one task.
type intent struct {
	id       string
	describe string
	required []string
	oneOf    [][]string
	optional []string
	defaults map[string]any // of optional params
	results  []string       // params in the call's result
	tool     string         // name of the call; "" for an answer in passing
	look     string         // a read tool that is called before the confirmation; "": none
	write    bool
	confirm  string
	success  string
	examples []example
}

// example is one training utterance.
type example struct {
	text  string
	asked string // the param whose question it answers: it teaches values, not the intent
	spans []span
}

// span marks a value; offsets count code points, end exclusive.
type span struct {
	param, value string
	start, end   int
}

func newBot(name string) *bot {
	return &bot{name: name, system: map[string][]example{}, intentOf: map[string]string{}, paramOf: map[string]string{}, skipped: map[string]int{}}
}

// ours returns the param name for a recorded name of a service or an intent.
func (b *bot) ours(scope, name string) string {
	if ours, ok := b.paramOf[scope+"."+name]; ok {
		return ours
	}
	return b.paramOf[name]
}

func (b *bot) param(name string) *param {
	for _, p := range b.params {
		if p.name == name {
			return p
		}
	}
	return nil
}

func (b *bot) intent(id string) *intent {
	for _, in := range b.intents {
		if in.id == id {
			return in
		}
	}
	return nil
}

// has reports whether an intent has a param.
func (in *intent) has(name string) bool { return slices.Contains(in.all(), name) }

// all lists the intent's params, the required ones first.
func (in *intent) all() []string {
	out := slices.Clone(in.required)
	for _, list := range append(slices.Clone(in.oneOf), in.optional) {
		for _, name := range list {
			if !slices.Contains(out, name) {
				out = append(out, name)
			}
		}
	}
	return out
}

// snake turns a name into the form that agents use: GetRide is get_ride.
func snake(name string) string {
	var out []rune
	runes := []rune(name)
	for i, r := range runes {
		switch {
		case unicode.IsUpper(r):
			if i > 0 && (unicode.IsLower(runes[i-1]) || unicode.IsDigit(runes[i-1]) || unicode.IsUpper(runes[i-1]) && i+1 < len(runes) && unicode.IsLower(runes[i+1])) {
				out = append(out, '_')
			}
			out = append(out, unicode.ToLower(r))
		case unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_':
			out = append(out, r)
		default:
			out = append(out, '_')
		}
	}
	return strings.Trim(strings.ReplaceAll(string(out), "__", "_"), "_")
}

// spoken returns a name as people say it.
func spoken(name string) string { return strings.ReplaceAll(snake(name), "_", " ") }

// share gives session scope to params that several intents have, or that one finds out and another
// has.
func (b *bot) share() {
	for _, p := range b.params {
		users := 0
		for _, in := range b.intents {
			if in.has(p.name) || slices.Contains(in.results, p.name) {
				users++
			}
		}
		p.session = users > 1
	}
}
