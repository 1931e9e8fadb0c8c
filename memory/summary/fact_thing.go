package summary

import (
	"strings"
	"unicode"

	"github.com/slotway/slotway/memory"
)

// thing is the subject of a fact's key: "find_orders[O-1].status" and "order[O-1].status" have the
// same, whatever tool or sentence they come from.
type thing struct {
	id     string          // "" if the key has none
	attr   string          // such as status or total
	kinds  map[string]bool // kinds that the name before the id mentions: order
	stated bool            // attr is a state; a thing has one at a time
}

// generic holds words in names of tools that do not say what they are about.
var generic = set("tool_verb")

// thingOf parses a key.
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

// same reports whether two keys say the same about the same thing. A bare number may belong to
// things of several kinds. A state without an id is that of the only thing there is.
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

// endsFact returns a function that reports whether a finding ends an open fact: the key or the
// thing has another value now. Only params end facts of params, and only the person ends what the
// person said.
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

// one reports whether the open facts know at most one thing with a state of that kind.
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

// outdate ends the facts that a finding contradicts, without adding the finding.
func (l *ledger) outdate(f finding) {
	value, ends := normal(f.Value), l.endsFact(&f)
	for i := range l.Facts {
		old := &l.Facts[i]
		ended := normal(old.Value) != value && ends(old) && (old.Key != f.Key || trust(old.Origin) >= trust(f.Origin))
		if f.denied {
			ended = f.denies(old)
		}
		if open(old) && ended {
			old.ValidTo = f.ValidFrom
		}
	}
}

// denies reports whether a denied finding is about an open fact, as "eggs any more" is about "eggs".
// A param is the task's to change.
func (f *finding) denies(old *memory.Fact) bool {
	about := old.Key == f.Key && old.Origin != memory.FromSlot
	return about && strings.HasPrefix(normal(f.Value)+" ", normal(old.Value)+" ")
}
