package settings

import (
	"slices"
	"strings"
	"testing"

	"github.com/slotway/slotway/config/reference"
	"github.com/slotway/slotway/internal/test/referencetest"
)

// Every setting has a meaning and an example that it takes, and every text a setting.
func TestReference(t *testing.T) {
	texts := reference.MustTexts("config/settings/reference.yaml", referenceYAML)
	for _, problem := range referencetest.Lacking(texts, Reference(), "settings.") {
		t.Error(problem)
	}
	for _, r := range Default().rows() {
		text, _ := texts.Of(r.path)
		if r.plain() == text.Example {
			t.Errorf("the example of %s is its default", r.path)
		}
		if err := r.set(text.Example); err != nil {
			t.Errorf("the example of %s: %v", r.path, err)
		}
		if r.oneOf == nil || text.Allowed == nil {
			continue
		}
		var meant []string
		for _, v := range text.Allowed {
			meant = append(meant, v.Value)
		}
		if !slices.Equal(meant, r.oneOf) {
			t.Errorf("%s allows %v, and %v have a meaning", r.path, r.oneOf, meant)
		}
	}
	if e := Reference().Entries; len(e) < 85 || !strings.HasPrefix(e[0].Key, "settings.") {
		t.Errorf("%d entries", len(e))
	}
}
