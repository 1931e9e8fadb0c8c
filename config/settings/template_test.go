package settings

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The template changes nothing as it is, has every setting, and is valid with all comments removed.
func TestTemplate(t *testing.T) {
	path := filepath.Join(t.TempDir(), "slotway.yaml")
	load := func(text string) *Settings {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := Load(path, []string{"HOME=/home/ann"}, nil)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		return s
	}
	plain, err := Load("", []string{"HOME=/home/ann"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	text := Template()
	if diff := cmp.Diff(plain.Values(), load(text).Values()); diff != "" {
		t.Errorf("the template changes settings:\n%s", diff)
	}
	for line := range strings.Lines(text) {
		if len(line) > templateWidth+1 && strings.Contains(line, " ") && !strings.Contains(line, ": ") {
			t.Errorf("a line of %d bytes: %s", len(line), line)
		}
	}
	setting := regexp.MustCompile(`(?m)^( +)# ([a-z0-9_]+): (.*)$`)
	if found := len(setting.FindAllString(text, -1)); found != len(Default().rows()) {
		t.Errorf("the template has %d of %d settings", found, len(Default().rows()))
	}
	// Examples of settings without a default do not all go together.
	defaults := setting.ReplaceAllStringFunc(text, func(line string) string {
		m := setting.FindStringSubmatch(line)
		for _, v := range plain.Values() {
			if strings.HasSuffix(v.Path, "."+m[2]) && v.Value != "" {
				return m[1] + m[2] + ": " + m[3]
			}
		}
		return line
	})
	got := load(defaults)
	for i, v := range got.Values() {
		if want := plain.Values()[i]; want.Value != "" && !cmp.Equal(v.Value, want.Value) {
			t.Errorf("%s is %v in the template, not %v", v.Path, v.Value, want.Value)
		}
	}
}
