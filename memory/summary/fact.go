package summary

import (
	"slices"
	"strings"
	"time"

	"github.com/slotway/slotway/memory"
)

const (
	// maxFacts bounds how many facts a session has; params are never dropped.
	maxFacts = 150
	// maxValue is the longest value of a fact, in bytes; a longer one is no fact.
	maxValue = 200
	maxKey   = 80
)

// finding is a fact that was found, before it is known what it does to the others.
type finding struct {
	memory.Fact
	single bool // the key has one value at a time: a new one ends the old one
}

// ledger is what is known, in the order in which it became so; what held once and does
// not any more is in it too, until there are too many.
type ledger struct {
	Facts []memory.Fact `json:"facts,omitempty"`
}

func open(f *memory.Fact) bool { return f.ValidTo.IsZero() }

// trust is the place of an origin: the smaller, the more it is trusted.
func trust(o memory.Origin) int { return slices.Index(memory.Origins, o) }

// add takes up a finding. For one key what is trusted more stands: a model's word does not
// replace the person's. A rule's find, whose key only says of what kind it is, gives way to
// any other fact with its value.
func (l *ledger) add(f finding) {
	if f.Value == "" || len(f.Value) > maxValue || f.Key == "" || len(f.Key) > maxKey {
		return
	}
	value, ends := normal(f.Value), l.endsFact(&f)
	loose := thingOf(f.Key).attr == "" // the key says of what kind it is, and no more
	for i := range l.Facts {
		old := &l.Facts[i]
		if !open(old) {
			continue
		}
		same := normal(old.Value) == value
		switch {
		case same && old.Key == f.Key:
			if trust(f.Origin) < trust(old.Origin) {
				old.Origin, old.Source, old.Category = f.Origin, f.Source, f.Category
			}
			old.Sensitive = old.Sensitive || f.Sensitive
			return
		case same && f.Key != old.Key && ends(old):
			return // another tool, or the reply, says the same of the same thing
		case same && loose && f.Origin == memory.FromRule && trust(old.Origin) < trust(f.Origin):
			return
		case f.single && old.Key == f.Key && trust(old.Origin) < trust(f.Origin):
			return
		}
	}
	l.outdate(f)
	l.Facts = slices.DeleteFunc(l.Facts, func(old memory.Fact) bool {
		return old.Origin == memory.FromRule && f.Origin != memory.FromRule && normal(old.Value) == value && thingOf(old.Key).attr == ""
	})
	l.Facts = append(l.Facts, f.Fact)
	l.trim()
}

// end ends what a model found before and says to hold no longer. What it did not find is ended by
// what found it.
func (l *ledger) end(keys []string, at time.Time) {
	for i := range l.Facts {
		if f := &l.Facts[i]; open(f) && f.Origin == memory.FromLLM && slices.Contains(keys, f.Key) {
			f.ValidTo = at
		}
	}
}

// trim drops what ended longest ago, then what is trusted least.
func (l *ledger) trim() {
	for len(l.Facts) > maxFacts {
		worst := -1
		for i := range l.Facts {
			if worst < 0 || l.worse(i, worst) {
				worst = i
			}
		}
		if f := &l.Facts[worst]; open(f) && f.Origin == memory.FromSlot {
			return
		}
		l.Facts = slices.Delete(l.Facts, worst, worst+1)
	}
}

func (l *ledger) worse(i, j int) bool {
	a, b := &l.Facts[i], &l.Facts[j]
	if open(a) != open(b) {
		return !open(a)
	}
	return open(a) && trust(a.Origin) > trust(b.Origin)
}

// current are the facts that hold, the least trusted first and the newest last: what is cut
// for want of room is cut from the front.
func (l *ledger) current() []memory.Fact {
	var out []memory.Fact
	for _, f := range l.Facts {
		if open(&f) {
			out = append(out, f)
		}
	}
	slices.SortStableFunc(out, func(a, b memory.Fact) int { return trust(b.Origin) - trust(a.Origin) })
	return out
}

// normal is a value without case and spacing.
func normal(value string) string { return strings.ToLower(flat(value)) }

// hide marks facts that say what a sensitive one of the ledger says.
func (l *ledger) hide(lists ...[]memory.Fact) {
	secret := map[string]bool{}
	for i := range l.Facts {
		if l.Facts[i].Sensitive {
			secret[normal(l.Facts[i].Value)] = true
		}
	}
	for _, list := range append(lists, l.Facts) {
		for i := range list {
			list[i].Sensitive = list[i].Sensitive || secret[normal(list[i].Value)]
		}
	}
}
