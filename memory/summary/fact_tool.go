package summary

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/internal/plaintext"
)

// Limits of what is read from one result.
const (
	maxScalars  = 20
	maxElements = 3
	maxDepth    = 3
	maxResult   = 64 << 10 // bytes; larger results are not read
)

// resultFacts returns the scalars of a tool's result. The id of an object is part of the key, so
// that two orders do not replace each other.
func resultFacts(m *memory.Message, sensitive func(string) bool) []finding {
	if m.Role != memory.Tool || len(m.Text) > maxResult {
		return nil
	}
	var value any
	if err := json.Unmarshal([]byte(m.Text), &value); err != nil {
		return nil
	}
	r := resultReader{m: m, sensitive: sensitive}
	name := m.Name
	if name == "" {
		name = "result"
	}
	r.read(name, name, value, 0)
	return r.found
}

type resultReader struct {
	m         *memory.Message
	sensitive func(string) bool
	found     []finding
}

// read collects the scalars below a value; last is the last name on the path to it.
func (r *resultReader) read(path, last string, value any, depth int) {
	if len(r.found) >= maxScalars || depth > maxDepth {
		return
	}
	switch v := value.(type) {
	case nil:
	case map[string]any:
		if id := idOf(v); id != "" {
			path += "[" + id + "]"
		}
		for _, name := range slices.Sorted(maps.Keys(v)) {
			r.read(path+"."+name, name, v[name], depth+1)
		}
	case []any:
		for i, e := range v[:min(len(v), maxElements)] {
			at := path
			if m, ok := e.(map[string]any); !ok || idOf(m) == "" {
				at += "." + strconv.Itoa(i)
			}
			r.read(at, last, e, depth+1)
		}
	default:
		r.found = append(r.found, finding{Fact: memory.Fact{
			Key: path, Value: plaintext.Line(plain(v)), Category: categoryOf(last, v), Origin: memory.FromTool,
			Source: r.m.Seq, Sensitive: r.sensitive(last), ValidFrom: r.m.Timestamp,
		}, single: true})
	}
}

// idOf returns the id of an object, or "".
func idOf(object map[string]any) string {
	for _, name := range slices.Sorted(maps.Keys(object)) {
		low := strings.ToLower(name)
		if low != "id" && !strings.HasSuffix(low, "_id") && !strings.HasSuffix(name, "Id") {
			continue
		}
		if id := plain(object[name]); id != "" && len(id) <= 40 {
			return id
		}
	}
	return ""
}
