package summary

import (
	"strings"
	"unicode"

	"github.com/slotway/slotway/memory"
)

// thing is what a key says something of: "find_orders[O-1].status" and "order[O-1].status" are
// about the same, whatever tool or sentence told it.
type thing struct {
	id     string          // "" where the key names none
	attr   string          // status, total
	kinds  map[string]bool // what the names before the id speak of: order
	stated bool            // it is a state, which a thing has one of
}

// generic are words in the names of tools that say nothing of what they are about.
var generic = map[string]bool{
	"get": true, "find": true, "list": true, "fetch": true, "search": true, "lookup": true, "look": true, "up": true, "show": true,
	"read": true, "load": true, "check": true, "update": true, "set": true, "create": true, "add": true, "cancel": true, "change": true,
	"result": true, "data": true, "item": true, "by": true, "id": true, "status": true, "detail": true, "info": true,
}

// thingOf reads a key.
func thingOf(key string) thing {
	var t thing
	before := key
	if open, end := strings.LastIndexByte(key, '['), strings.LastIndexByte(key, ']'); open >= 0 && open < end {
		before, t.id = key[:open], strings.ToLower(strings.TrimLeft(key[open+1:end], "#"))
		t.attr = strings.TrimPrefix(key[end+1:], ".")
	} else if dot := strings.LastIndexByte(key, '.'); dot >= 0 {
		before, t.attr = key[:dot], key[dot+1:]
	} else if noun, ok := strings.CutSuffix(key, "_status"); ok {
		before, t.attr = noun, "status"
	}
	if low := strings.ToLower(t.attr); low == "state" || low == "status" || strings.HasSuffix(low, "_status") || strings.HasSuffix(low, "_state") {
		t.attr, t.stated = "status", true
	}
	t.kinds = map[string]bool{}
	for _, w := range strings.FieldsFunc(strings.ToLower(before), func(r rune) bool { return !unicode.IsLetter(r) }) {
		if w = strings.TrimSuffix(w, "s"); !generic[w] {
			t.kinds[w] = true
		}
	}
	return t
}

// same reports whether two keys say the same of the same thing. A bare number may number
// things of several kinds; a state that names no thing is that of the only one there is.
func (t thing) same(o thing, only bool) bool {
	if t.attr == "" || t.attr != o.attr {
		return false
	}
	related := len(t.kinds) == 0 || len(o.kinds) == 0
	for k := range t.kinds {
		related = related || o.kinds[k]
	}
	switch {
	case t.id != "" && o.id != "":
		return t.id == o.id && (related || strings.ContainsFunc(t.id, unicode.IsLetter))
	case t.id == o.id:
		return t.stated && related && len(t.kinds) > 0 && len(o.kinds) > 0
	}
	return t.stated && only && related
}

// endsFact makes what reports whether a finding ends an open fact: the key has another value now,
// or the thing has. What a param holds is ended by the params alone, and what the person said
// by the person.
func (l *ledger) endsFact(f *finding) func(old *memory.Fact) bool {
	mine := thingOf(f.Key)
	about := mine.attr != "" && f.Origin != memory.FromSlot && f.Origin != memory.FromLLM
	only := about && mine.stated && l.one(mine)
	return func(old *memory.Fact) bool {
		if old.Key == f.Key {
			return f.single
		}
		return about && old.Origin != memory.FromSlot && old.Origin != memory.FromUser && mine.same(thingOf(old.Key), only)
	}
}

// one reports whether the open facts know of at most one thing that has a state of that kind.
func (l *ledger) one(t thing) bool {
	ids := map[string]bool{}
	for i := range l.Facts {
		if f := &l.Facts[i]; open(f) {
			if o := thingOf(f.Key); o.stated && o.id != "" {
				ids[o.id] = true
			}
		}
	}
	if t.id != "" {
		ids[t.id] = true
	}
	return len(ids) <= 1
}

// outdate ends what a finding contradicts, without taking it up.
func (l *ledger) outdate(f finding) {
	value, ends := normal(f.Value), l.endsFact(&f)
	for i := range l.Facts {
		old := &l.Facts[i]
		if open(old) && normal(old.Value) != value && ends(old) && (old.Key != f.Key || trust(old.Origin) >= trust(f.Origin)) {
			old.ValidTo = f.ValidFrom
		}
	}
}
