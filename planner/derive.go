package planner

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/expr"
)

// sourceTool marks a value that a tool or a `set` gave.
const sourceTool = "tool"

// derive fills params from a result (param_mapping: {from: tool}): those of the task, and session
// params whether the task lists them or not. saved are the names under which the result was saved.
// Values that the user gave for a param of the task, or for any param in this message, stay.
func (st *Turn) derive(in *config.Intent, saved ...string) {
	if st.Active == nil || !st.def.FromTools {
		return
	}
	var env map[string]any
	for _, p := range candidates(st.def, in) {
		c := st.cell(p)
		if c != nil && c.Source != sourceTool && (in.Param(p.Name) != nil || c.Turn == st.Number) {
			continue
		}
		for _, s := range p.ParamMapping {
			path := strings.Split(s.Key, ".")
			if s.From != "tool" || !slices.Contains(saved, path[0]) {
				continue
			}
			if env == nil {
				env = st.env(in)
			}
			found, _ := expr.Lookup(env, path)
			v, ok := derived(p, found)
			switch {
			case found == nil, found == "", ok && c != nil && same(c.Value, v):
				continue
			case !ok || !fits(p, v, maps.Clone(env)):
				st.RejectedParams = append(st.RejectedParams, p.Name)
				continue
			}
			st.setCell(p, &paramCell{Value: v, Turn: st.Number, At: st.Now, Source: sourceTool})
			break
		}
	}
}

// candidates returns the params that a result may fill, each once.
func candidates(def *config.Agent, in *config.Intent) []*config.Param {
	var out []*config.Param
	listed := map[string]bool{}
	add := func(p *config.Param) {
		if slices.ContainsFunc(p.ParamMapping, func(s config.Source) bool { return s.From == "tool" }) {
			out = append(out, p)
		}
	}
	for p := range in.EachParam {
		listed[p.Name] = true
		add(p)
	}
	for _, name := range slices.Sorted(maps.Keys(def.Params)) {
		if p := def.Params[name]; !listed[name] && p.Scope == config.ScopeSession {
			add(p)
		}
	}
	return out
}

// figures are the built-in types whose values are numbers. The values of all other types but
// boolean are text.
var figures = map[string]bool{"number": true, "integer": true, "ordinal": true, "percentage": true, "money": true}

// derived returns the value, or list of values, of a param in a part of a result.
func derived(p *config.Param, found any) (any, bool) {
	list, isList := found.([]any)
	if !p.List {
		return scalarOf(p, found)
	}
	if !isList {
		list = []any{found}
	}
	out := make([]any, 0, len(list))
	for _, e := range list {
		v, ok := scalarOf(p, e)
		if !ok {
			return nil, false
		}
		out = append(out, v)
	}
	return out, len(out) > 0
}

func scalarOf(p *config.Param, v any) (any, bool) {
	switch v := v.(type) {
	case string:
		if len(p.Type.Values) > 0 && len(p.Type.Patterns) == 0 {
			return listed(p, v)
		}
		return v, v != "" && !figures[p.Type.Builtin] && p.Type.Builtin != "boolean"
	case float64:
		if figures[p.Type.Builtin] {
			return v, true
		}
		return strconv.FormatFloat(v, 'f', -1, 64), p.Type.Builtin != "boolean"
	case bool:
		return v, p.Type.Builtin == "boolean"
	}
	return nil, false
}

// listed returns the value of an enumeration that a text names, in any case.
func listed(p *config.Param, text string) (any, bool) {
	for _, e := range p.Type.Values {
		if strings.EqualFold(e.Value, text) {
			return e.Value, true
		}
	}
	return nil, false
}
