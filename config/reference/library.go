package reference

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/slotway/slotway/config/naming"
)

// Library holds all areas.
type Library struct {
	Areas   []*Area
	entries map[string]*Entry
	ordered []*Entry
}

// NewLibrary collects areas. Two entries with one key are a mistake of the program, and it panics.
func NewLibrary(areas ...*Area) *Library {
	l := &Library{Areas: areas, entries: map[string]*Entry{}}
	for _, a := range areas {
		for _, e := range a.Entries {
			if l.entries[e.Key] != nil {
				panic("two keys " + e.Key)
			}
			l.entries[e.Key] = e
			l.ordered = append(l.ordered, e)
		}
	}
	return l
}

// Area returns the area of a name; nil if there is none.
func (l *Library) Area(name string) *Area {
	for _, a := range l.Areas {
		if a.Name == name {
			return a
		}
	}
	return nil
}

// Entry returns the entry of a whole key; nil if there is none.
func (l *Library) Entry(key string) *Entry { return l.entries[key] }

// Below returns the entries directly below a key, with those of the key whose keys it takes.
func (l *Library) Below(key string) []*Entry {
	if e := l.entries[key]; e != nil && e.Same != "" {
		key = e.Same
	}
	var out []*Entry
	for _, e := range l.ordered {
		if parent(e.Key) == key {
			out = append(out, e)
		}
	}
	return out
}

// MissingError says that no key matches, with the nearest ones.
type MissingError struct {
	Query string
	Near  []string
}

// Error names the nearest keys.
func (e *MissingError) Error() string {
	if len(e.Near) == 0 {
		return fmt.Sprintf("there is no key %q; slotway explain lists the areas, slotway explain --recursive every key", e.Query)
	}
	return fmt.Sprintf("there is no key %q; did you mean %s?", e.Query, naming.JoinOr(e.Near))
}

// AmbiguousError says that several keys end in the words of a query.
type AmbiguousError struct {
	Query string
	Keys  []string
}

// Error lists the keys.
func (e *AmbiguousError) Error() string {
	keys := e.Keys
	more := ""
	if n := len(keys) - naming.MostListed; n > 0 {
		keys, more = keys[:naming.MostListed], fmt.Sprintf(" and %d more", n)
	}
	return fmt.Sprintf("%q may be %s%s; write the whole key", e.Query, naming.JoinOr(keys), more)
}

// places are the indexes of lists in a path, as messages of slotway check have them.
var places = regexp.MustCompile(`\[\d*\]`)

// Find returns the entry for a path as people write it: whole, with names of their own file in it
// (params.order_id.validation), with places in lists (intents[0].plan), or only its end, if that is
// unique. The error is MissingError or AmbiguousError.
func (l *Library) Find(query string) (*Entry, error) {
	q := strings.Trim(places.ReplaceAllString(strings.TrimSpace(query), ""), ".")
	if e := l.entries[q]; e != nil {
		return e, nil
	}
	if e := l.walk(strings.Split(q, ".")); e != nil {
		return e, nil
	}
	matches := l.ending(q)
	switch len(matches) {
	case 0:
		return nil, &MissingError{Query: query, Near: l.near(q)}
	case 1:
		return matches[0], nil
	}
	keys := make([]string, len(matches))
	for i, e := range matches {
		keys[i] = e.Key
	}
	return nil, &AmbiguousError{Query: query, Keys: keys}
}

// walk follows a path from the top. It passes over names and places below a key that has them; in a
// list, the last element of the path must be a key.
func (l *Library) walk(path []string) *Entry {
	at := ""
	for i, element := range path {
		here := l.entries[at]
		if here != nil && here.Same != "" {
			at = here.Same
		}
		next := strings.TrimPrefix(at+"."+element, ".")
		_, number := strconv.Atoi(element)
		switch {
		case l.entries[next] != nil || at == "" && l.Area(element) != nil:
			at = next
		case here != nil && (here.Named || number == nil || here.Listed && i+1 < len(path)):
		default:
			return nil
		}
	}
	return l.entries[at]
}

// ending returns the entries whose keys end in a path. A key that has its text from another one
// counts only if that one does not match.
func (l *Library) ending(q string) []*Entry {
	var out []*Entry
	for _, e := range l.ordered {
		if strings.HasSuffix(e.Key, "."+q) {
			out = append(out, e)
		}
	}
	return slices.DeleteFunc(out, func(e *Entry) bool {
		return e.From != "" && strings.HasSuffix("."+e.From, "."+q)
	})
}

// mostNear is how many keys an error suggests.
const mostNear = 5

// near returns the keys whose path, or whose last element, is nearest to a query.
func (l *Library) near(q string) []string {
	var keys, lasts []string
	for _, e := range l.ordered {
		if e.From == "" {
			keys, lasts = append(keys, e.Key), append(lasts, e.Last())
		}
	}
	var out []string
	add := func(key string) {
		if key != "" && !slices.Contains(out, key) && len(out) < mostNear {
			out = append(out, key)
		}
	}
	add(naming.Nearest(q, keys))
	if last := naming.Nearest(last(q), lasts); last != "" {
		for i, key := range keys {
			if lasts[i] == last {
				add(key)
			}
		}
	}
	for _, a := range l.Areas {
		if naming.Nearest(q, []string{a.Name}) != "" {
			add(a.Name)
		}
	}
	return out
}
