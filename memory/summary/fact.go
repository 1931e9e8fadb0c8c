package summary

import (
	"slices"
	"strings"
	"time"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/internal/plaintext"
)

const (
	// maxFacts is the most facts of a session; params are never dropped.
	maxFacts = 150
	// maxValue is the longest value of a fact, in bytes; longer ones are ignored.
	maxValue = 200
	maxKey   = 80
)

// finding is a new fact, before it is compared with the others.
type finding struct {
	memory.Fact
	single bool // the key has one value at a time: a new one ends the old one
	denied bool // the fact holds no longer
}

// ledger lists facts in the order in which they were found, including ended ones, until there are
// too many.
type ledger struct {
	Facts []memory.Fact `json:"facts,omitempty"`
}

func open(f *memory.Fact) bool { return f.ValidTo.IsZero() }

// trust returns the rank of an origin, the most trusted first.
func trust(o memory.Origin) int { return slices.Index(memory.Origins, o) }

// add adds a finding. For one key the more trusted origin wins: a model does not replace what the
// person said. A rule's finding whose key only names a kind yields to any other fact with the same
// value.
func (l *ledger) add(f finding) {
	if f.Value == "" || len(f.Value) > maxValue || f.Key == "" || len(f.Key) > maxKey {
		return
	}
	if f.denied {
		l.outdate(f)
		return
	}
	value, ends := normal(f.Value), l.endsFact(&f)
	for i := range l.Facts {
		if old := &l.Facts[i]; open(old) && f.known(old, value, ends) {
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

// known reports whether an open fact already says what a finding says, or is more trusted. A fact
// with the same key and value takes over the origin of a more trusted finding.
func (f *finding) known(old *memory.Fact, value string, ends func(*memory.Fact) bool) bool {
	same := normal(old.Value) == value
	switch {
	case same && old.Key == f.Key:
		if trust(f.Origin) < trust(old.Origin) {
			old.Origin, old.Source, old.Category = f.Origin, f.Source, f.Category
		}
		old.Sensitive = old.Sensitive || f.Sensitive
		return true
	case same && ends(old):
		return true // another tool, or the reply, says the same about the same thing
	case same && f.Origin == memory.FromRule && thingOf(f.Key).attr == "": // the key only names a kind
		return trust(old.Origin) < trust(f.Origin)
	}
	return f.single && old.Key == f.Key && trust(old.Origin) < trust(f.Origin)
}

// end ends facts that a model found before and now says to hold no longer. Facts of other origins
// are ended by those alone.
func (l *ledger) end(keys []string, at time.Time) {
	for i := range l.Facts {
		if f := &l.Facts[i]; open(f) && f.Origin == memory.FromLLM && slices.Contains(keys, f.Key) {
			f.ValidTo = at
		}
	}
}

// trim drops the facts that ended longest ago, then the least trusted.
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

// current returns the facts that hold, the least trusted first and the newest last: for want of
// room they are cut from the front.
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

// normal returns a value without case and extra spaces.
func normal(value string) string { return strings.ToLower(plaintext.Line(value)) }

// hide marks facts as sensitive whose value is that of a sensitive fact in the ledger.
func (l *ledger) hide() {
	secret := map[string]bool{}
	for i := range l.Facts {
		if l.Facts[i].Sensitive {
			secret[normal(l.Facts[i].Value)] = true
		}
	}
	for i := range l.Facts {
		f := &l.Facts[i]
		f.Sensitive = f.Sensitive || secret[normal(f.Value)]
	}
}
