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
	parsed, err := parseArg(value)
	if err != nil {
		return Arg{}, err
	}
	if a, ok := parsed.(Arg); ok {
		return a, nil
	}
	return Arg{Literal: parsed}, nil
}

func parseArg(value any) (any, error) {
	switch v := value.(type) {
	case string:
		return parseArgString(v)
	case []any:
		out := make([]any, len(v))
		for i, inner := range v {
			parsed, err := parseArg(inner)
			if err != nil {
				return nil, err
			}
			out[i] = parsed
		}
		return out, nil
	case map[string]any:
		out := make(map[string]any, len(v))
		for key, inner := range v {
			parsed, err := parseArg(inner)
			if err != nil {
				return nil, err
			}
			out[key] = parsed
		}
		return out, nil
	}
	return value, nil
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
	return Arg{Ref: a.Ref, Literal: renamedIn(a.Literal, from, to)}
}

func renamedIn(value any, from, to string) any {
	switch v := value.(type) {
	case Arg:
		return v.Renamed(from, to)
	case []any:
		out := make([]any, len(v))
		for i, inner := range v {
			out[i] = renamedIn(inner, from, to)
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for key, inner := range v {
			out[key] = renamedIn(inner, from, to)
		}
		return out
	}
	return value
}

// Names returns the first path elements that the argument refers to, sorted.
func (a Arg) Names() []string {
	set := map[string]bool{}
	a.collect(set)
	return slices.Sorted(maps.Keys(set))
}

func (a Arg) collect(set map[string]bool) {
	if len(a.Ref) > 0 {
		set[a.Ref[0]] = true
		return
	}
	collectArgs(a.Literal, set)
}

func collectArgs(value any, set map[string]bool) {
	switch v := value.(type) {
	case Arg:
		v.collect(set)
	case []any:
		for _, inner := range v {
			collectArgs(inner, set)
		}
	case map[string]any:
		for _, inner := range v {
			collectArgs(inner, set)
		}
	}
}

// Resolve evaluates the argument over env. A missing path is nil. Lists and maps of a literal are
// fresh; the value of a reference belongs to env and must not be changed.
func (a Arg) Resolve(env map[string]any) any {
	if len(a.Ref) > 0 {
		value, _ := Lookup(env, a.Ref)
		return value
	}
	return resolveLiteral(a.Literal, env)
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

func resolveLiteral(value any, env map[string]any) any {
	switch v := value.(type) {
	case Arg:
		return v.Resolve(env)
	case []any:
		out := make([]any, len(v))
		for i, inner := range v {
			out[i] = resolveLiteral(inner, env)
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for key, inner := range v {
			out[key] = resolveLiteral(inner, env)
		}
		return out
	}
	return value
}

// Paths returns the references that are longer than a name.
func (a Arg) Paths() [][]string {
	if a.Ref != nil {
		if len(a.Ref) > 1 {
			return [][]string{a.Ref}
		}
		return nil
	}
	return literalPaths(a.Literal, nil)
}

func literalPaths(value any, paths [][]string) [][]string {
	switch v := value.(type) {
	case Arg:
		paths = append(paths, v.Paths()...)
	case []any:
		for _, inner := range v {
			paths = literalPaths(inner, paths)
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			paths = literalPaths(v[key], paths)
		}
	}
	return paths
}
