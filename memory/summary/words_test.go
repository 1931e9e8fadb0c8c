package summary

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
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
	for _, class := range lists.Names() {
		if !strings.Contains(code.String(), `"`+class+`"`) {
			t.Errorf("nobody asks for the class %q", class)
		}
	}
	for i, words := range []map[string]bool{
		stopWords, phatic, vague, lendsWeight, firstPerson, secondPerson, thirdPerson, dated, kin, events, constraints, belongings, generic, known,
	} {
		if len(words) == 0 {
			t.Errorf("class %d has no words", i)
		}
	}
	all := signs(0)
	for _, s := range signOf {
		all |= s
	}
	for s := noun; s <= telling; s <<= 1 {
		if all&s == 0 {
			t.Errorf("no word has the sign %b", s)
		}
	}
}
