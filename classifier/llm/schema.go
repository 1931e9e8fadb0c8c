package llm

import (
	"encoding/json"

	"github.com/slotway/slotway/config"
)

// schemaName is the name of the schema in a request.
const schemaName = "understanding"

type object = map[string]any

// schema is the JSON Schema of an answer about these intents, in the part of JSON Schema
// that servers hold a model to in strict mode: every property required, none besides. A
// param with listed values takes no other.
func (w *wording) schema(intents []*config.Intent) json.RawMessage {
	ids := []string{none}
	for _, in := range intents {
		ids = append(ids, in.ID)
	}
	var forms []any
	var free []string
	for _, p := range params(intents) {
		if p.Type != nil && len(p.Type.Values) > 0 && len(p.Type.Values) <= w.values {
			forms = append(forms, oneValue([]string{p.Name}, object{"type": "string", "enum": w.listed(p.Type)}))
			continue
		}
		free = append(free, p.Name)
	}
	if len(free) > 0 {
		forms = append(forms, oneValue(free, object{"type": "string"}))
	}
	properties := object{"intent": object{"type": "string", "enum": ids}}
	if len(forms) > 0 {
		properties["params"] = object{"type": "array", "items": object{"anyOf": forms}}
	}
	data, err := json.Marshal(closed(properties))
	if err != nil {
		return nil // not reached: it is made of texts, lists and maps
	}
	return data
}

// oneValue is the form of one value of any of the params.
func oneValue(params []string, value object) object {
	return closed(object{
		"param": object{"type": "string", "enum": params},
		"value": value,
		"text":  object{"type": "string"},
	})
}

// closed is an object with these properties, all of them and no others.
func closed(properties object) object {
	var required []string
	for _, name := range []string{"intent", "params", "param", "value", "text"} {
		if _, ok := properties[name]; ok {
			required = append(required, name)
		}
	}
	return object{"type": "object", "properties": properties, "required": required, "additionalProperties": false}
}
