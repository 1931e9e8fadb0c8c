package docs

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// mostReadme keeps the README to what one reads before trying, in bytes.
const mostReadme = 8 << 10

var link = regexp.MustCompile(`\]\(([^)#\s]+)`)

// code is text in a line that no link stands in.
var code = regexp.MustCompile("`[^`]*`")

// Every document leads where it says, and the README stays short.
func TestDocuments(t *testing.T) {
	top, err := filepath.Glob("../*.md")
	if err != nil {
		t.Fatal(err)
	}
	var here []string
	err = filepath.WalkDir(".", func(path string, _ fs.DirEntry, err error) error {
		if filepath.Ext(path) == ".md" {
			here = append(here, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	links := 0
	for _, file := range append(top, here...) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if file == "../README.md" && len(text) > mostReadme {
			t.Errorf("%s has %d bytes, more than %d", file, len(text), mostReadme)
		}
		inside := false
		for line := range strings.Lines(string(text)) {
			if strings.HasPrefix(line, "```") {
				inside = !inside
			}
			if inside {
				continue
			}
			for _, m := range link.FindAllStringSubmatch(code.ReplaceAllString(line, "code"), -1) {
				if strings.Contains(m[1], "://") {
					continue
				}
				links++
				if _, err := os.Stat(filepath.Join(filepath.Dir(file), m[1])); err != nil {
					t.Errorf("%s: %v", file, err)
				}
			}
		}
	}
	if links < 50 {
		t.Errorf("%d links: the test does not look at the documents", links)
	}
}

// named is a link to a function: its name, and the file that has it.
var named = regexp.MustCompile("\\[`(\\w+)`\\]\\(([^)#\\s]+\\.go)\\)")

// The page that follows a turn names functions that are in the files that it names.
func TestTheTurnIsFollowed(t *testing.T) {
	text, err := os.ReadFile("explanation/a-turn.md")
	if err != nil {
		t.Fatal(err)
	}
	links := named.FindAllStringSubmatch(string(text), -1)
	for _, m := range links {
		source, err := os.ReadFile(filepath.Join("explanation", m[2]))
		if err != nil {
			t.Error(err)
			continue
		}
		declared := regexp.MustCompile(`(?m)^func (?:\([^)]+\) )?` + m[1] + `[(\[]`)
		if !declared.Match(source) {
			t.Errorf("%s has no function %s", m[2], m[1])
		}
	}
	if all := strings.Count(string(text), "](../../"); len(links) < 50 || len(links)+3 < all {
		t.Errorf("%d of %d links name a function", len(links), all)
	}
}
