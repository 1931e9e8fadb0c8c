package telemetry

import (
	"encoding/json"
	"fmt"
	"testing"
)

// TestTheSchemaSaysWhatEveryFieldIs looks for a description of each property.
func TestTheSchemaSaysWhatEveryFieldIs(t *testing.T) {
	var doc map[string]any
	if err := json.Unmarshal(Schema(), &doc); err != nil {
		t.Fatal(err)
	}
	fields := 0
	delete(doc, "oneOf") // which stage has which payload
	eachField("", doc, func(field string, described bool) {
		if fields++; !described {
			t.Errorf("%s has no description", field)
		}
	})
	if fields < 50 {
		t.Errorf("saw %d fields", fields)
	}
}

// eachField walks a schema and tells of every property.
func eachField(path string, node any, tell func(field string, described bool)) {
	switch node := node.(type) {
	case map[string]any:
		properties, _ := node["properties"].(map[string]any)
		for name, p := range properties {
			text, _ := p.(map[string]any)["description"].(string)
			tell(path+"/"+name, text != "")
		}
		for key, child := range node {
			eachField(path+"/"+key, child, tell)
		}
	case []any:
		for i, child := range node {
			eachField(fmt.Sprint(path, "/", i), child, tell)
		}
	}
}
