package main

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	namedTest = regexp.MustCompile("`(Test[A-Z][A-Za-z0-9]*)`")
	someTest  = regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`)
	someTool  = regexp.MustCompile("`(scripts/[a-z]+)`")
)

// TestSecurityNamesWhatThereIs holds SECURITY.md to the tests and commands that it names.
func TestSecurityNamesWhatThereIs(t *testing.T) {
	root := filepath.Join("..", "..")
	page, err := os.ReadFile(filepath.Join(root, "SECURITY.md"))
	if err != nil {
		t.Fatal(err)
	}
	var have []string
	err = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		source, err := os.ReadFile(path)
		for _, m := range someTest.FindAllSubmatch(source, -1) {
			have = append(have, string(m[1]))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	named := namedTest.FindAllSubmatch(page, -1)
	if len(named) < 40 {
		t.Errorf("the page names %d tests", len(named))
	}
	for _, m := range named {
		if !slices.Contains(have, string(m[1])) {
			t.Errorf("there is no %s", m[1])
		}
	}
	for _, m := range someTool.FindAllSubmatch(page, -1) {
		if info, err := os.Stat(filepath.Join(root, string(m[1]))); err != nil || !info.IsDir() {
			t.Errorf("there is no %s", m[1])
		}
	}
	if bytes.Contains(page, []byte("TODO")) {
		t.Error("the page is not finished")
	}
}
