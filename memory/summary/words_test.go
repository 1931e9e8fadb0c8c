package summary

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/slotway/slotway/memory"
)

// Every class of words in the file is asked for, and every class that is asked for has words. One that is
// misspelt would hold no word in silence.
func TestClassesOfWords(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	var code strings.Builder
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		code.Write(data)
	}
	code.WriteString(strings.NewReplacer(" ", `""`, "|", `"`).Replace(lists["rules"]))
	for _, class := range lists.Names() {
		if !strings.Contains(code.String(), `"`+class+`"`) {
			t.Errorf("nobody asks for the class %q", class)
		}
	}
	for i, words := range []map[string]bool{
		stopWords, phatic, vague, lendsWeight, firstPerson, secondPerson, thirdPerson, dated, kin, events, constraints, belongings, generic,
	} {
		if len(words) == 0 {
			t.Errorf("class %d has no words", i)
		}
	}
	for i, r := range rules {
		if r.category != "" && !slices.Contains(memory.Categories, r.category) || r.category == "" != (r.key == "") {
			t.Errorf("rule %d has the category %q", i, r.category)
		}
	}
	all := signs(0)
	for _, s := range wordSigns {
		all |= s
	}
	for class, s := range classSign {
		if s != digit && all&s == 0 {
			t.Errorf("no word is of the class %q", class)
		}
	}
}
