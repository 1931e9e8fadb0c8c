package extract

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/slotway/slotway/config/language"
)

// TestClassesOfWords: every class of words.txt that code asks for is there, and every class that is there
// is asked for. A class that is misspelt would hold no word in silence.
func TestClassesOfWords(t *testing.T) {
	asks := regexp.MustCompile(`(?:\.In|\.LongestOf|\.Has|talk\.Core|\.without|\.name|Capitals)\([^\n]*?"(\w+)"`)
	quoted := regexp.MustCompile(`"(\w+)"`)
	lists, asked, mentioned := language.Lists(language.English, "words.txt"), map[string]string{}, map[string]bool{}
	for _, root := range []string{".", "../message", "../cascade"} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			code, err := os.ReadFile(path)
			for _, m := range asks.FindAllStringSubmatch(string(code), -1) {
				asked[m[1]] = path
			}
			for _, m := range quoted.FindAllStringSubmatch(string(code), -1) {
				mentioned[m[1]] = true
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(asked) < 30 {
		t.Fatalf("only %d classes are asked for", len(asked))
	}
	answers := map[string]bool{"yes": true, "no": true, "neither": true} // of values.txt
	for class, path := range asked {
		if _, ok := lists[class]; !ok && !answers[class] {
			t.Errorf("%s asks for the class %q, which words.txt does not have", path, class)
		}
	}
	for class := range lists {
		if !mentioned[class] {
			t.Errorf("nobody asks for the class %q of words.txt", class)
		}
	}
}
