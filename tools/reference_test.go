package tools

import (
	"testing"

	"github.com/slotway/slotway/config/reference"
	"github.com/slotway/slotway/config/source"
	"github.com/slotway/slotway/internal/test/referencetest"
)

// Every code is explained, and every example is an entry of on_error for its code.
func TestReference(t *testing.T) {
	texts := reference.MustTexts("tools/reference.yaml", referenceYAML)
	for _, problem := range referencetest.Lacking(texts, Reference(), "errors.") {
		t.Error(problem)
	}
	keys := texts.Keys()
	if len(keys) != len(Codes)+1 || keys[len(keys)-1] != "*" {
		t.Errorf("explained are %v", keys)
	}
	for i, code := range Codes {
		if keys[i] != string(code) {
			t.Errorf("%s is not explained at its place", code)
		}
	}
	for _, key := range keys {
		text, _ := texts.Of(key)
		n, problems := source.Parse(key, []byte(text.Example))
		if len(problems) > 0 || !n.Get(key).Has("respond") {
			t.Errorf("%s: %q is no entry of on_error", key, text.Example)
		}
	}
}
