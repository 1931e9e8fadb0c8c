package expr

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/slotway/slotway/config/naming"
)

// Arg is an argument of a call: a reference such as $orders.0.id, or a literal whose leaves may be
// references.
type Arg struct {
	Ref     []string // path of a reference; nil for a literal
	Literal any      // JSON-normal, with Arg at the leaves that are references
}

// ParseArg reads a JSON-normal value as an argument. A string $name or $name.field.0 is a
// reference; a string that starts with $$ stands for one with a plain dollar sign; a dollar sign
// before anything but a name is plain text. The result shares nothing with value.
func ParseArg(value any) (Arg, error) {
	var failed error
	parsed := mapped(value, func(leaf any) any {
		s, ok := leaf.(string)
		if !ok {
			return leaf
		}
		read, err := parseArgString(s)
		if err != nil && failed == nil {
			failed = err
		}
		return read
	})
	if failed != nil {
		return Arg{}, failed
	}
	if a, ok := parsed.(Arg); ok {
		return a, nil
	}
	return Arg{Literal: parsed}, nil
}

// mapped returns a JSON-normal value with each leaf as a function returns it; lists and maps are fresh.
func mapped(value any, of func(leaf any) any) any {
	switch v := value.(type) {
	case []any:
		out := make([]any, len(v))
		for i, inner := range v {
			out[i] = mapped(inner, of)
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for key, inner := range v {
			out[key] = mapped(inner, of)
		}
		return out
	}
	return of(value)
}

func parseArgString(s string) (any, error) {
	rest, found := strings.CutPrefix(s, "$")
	switch {
	case !found:
		return s, nil
	case strings.HasPrefix(rest, "$"):
		return rest, nil
	case rest == "" || !naming.IsNameByte(rest[0], true):
		return s, nil
	}
	path, ok := ParsePath(rest)
	if !ok {
		return nil, fmt.Errorf("%q is not a reference; write $name or $name.field.0, or $$ to begin a text with a dollar sign", s)
	}
	return Arg{Ref: path}, nil
}

// Renamed returns the argument with references to from pointing to to.
func (a Arg) Renamed(from, to string) Arg {
	if len(a.Ref) > 0 && a.Ref[0] == from {
		return Arg{Ref: append([]string{to}, a.Ref[1:]...)}
	}
	return Arg{Ref: a.Ref, Literal: mapped(a.Literal, func(leaf any) any {
		if inner, ok := leaf.(Arg); ok {
			return inner.Renamed(from, to)
		}
		return leaf
	})}
}

// Resolve evaluates the argument over env. A missing path is nil. Lists and maps of a literal are
// fresh; the value of a reference belongs to env and must not be changed.
func (a Arg) Resolve(env map[string]any) any {
	if len(a.Ref) > 0 {
		value, _ := Lookup(env, a.Ref)
		return value
	}
	return mapped(a.Literal, func(leaf any) any {
		if inner, ok := leaf.(Arg); ok {
			return inner.Resolve(env)
		}
		return leaf
	})
}

// refs returns the references in the argument, those of maps by their keys.
func (a Arg) refs() [][]string {
	if len(a.Ref) > 0 {
		return [][]string{a.Ref}
	}
	return refsIn(a.Literal, nil)
}

func refsIn(value any, paths [][]string) [][]string {
	switch v := value.(type) {
	case Arg:
		paths = append(paths, v.refs()...)
	case []any:
		for _, inner := range v {
			paths = refsIn(inner, paths)
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			paths = refsIn(v[key], paths)
		}
	}
	return paths
}

// Names returns the first path elements that the argument refers to, sorted.
func (a Arg) Names() []string {
	var names []string
	for _, path := range a.refs() {
		names = append(names, path[0])
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Paths returns the references that are longer than a name.
func (a Arg) Paths() [][]string {
	return slices.DeleteFunc(a.refs(), func(path []string) bool { return len(path) < 2 })
}

// Astray returns the references that cannot be right; see the function Astray.
func (a Arg) Astray(env map[string]any) []string {
	var out []string
	for _, path := range a.Paths() {
		if _, wrong := Astray(env, path); wrong {
			out = append(out, strings.Join(path, "."))
		}
	}
	return out
}
