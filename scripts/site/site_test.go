package main

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	href = regexp.MustCompile(`(href|src)="([^"]*)"`)
	ids  = regexp.MustCompile(` id="([^"]*)"`)
)

// Every page of the site loads nothing from elsewhere, and every link leads to a page and a heading
// that are there.
func TestSite(t *testing.T) {
	out := t.TempDir()
	n, err := build(filepath.Join("..", ".."), out)
	if err != nil || n < 25 {
		t.Fatalf("%d pages, %v", n, err)
	}
	pages := map[string]string{}
	err = filepath.WalkDir(out, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(file)
		rel, _ := filepath.Rel(out, file)
		pages[filepath.ToSlash(rel)] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	links := 0
	for name, text := range pages {
		if path.Ext(name) != ".html" {
			continue
		}
		for _, want := range []string{"<h1", "<title>", `aria-current="page"`, `<html lang="en">`} {
			if strings.Count(text, want) != 1 {
				t.Errorf("%s has %d of %s", name, strings.Count(text, want), want)
			}
		}
		for _, m := range href.FindAllStringSubmatch(text, -1) {
			links++
			checkLink(t, pages, name, m[1], m[2])
		}
	}
	if links < 500 {
		t.Errorf("only %d links", links)
	}
}

func checkLink(t *testing.T, pages map[string]string, from, kind, to string) {
	t.Helper()
	if strings.Contains(to, "://") || strings.HasPrefix(to, "mailto:") {
		if kind == "src" {
			t.Errorf("%s loads %s", from, to)
		}
		return
	}
	file, anchor, _ := strings.Cut(to, "#")
	at := from
	if file != "" {
		at = path.Join(path.Dir(from), file)
	}
	text, ok := pages[at]
	if !ok {
		t.Errorf("%s links to %s, which is not there", from, to)
		return
	}
	if anchor == "" {
		return
	}
	for _, m := range ids.FindAllStringSubmatch(text, -1) {
		if m[1] == anchor {
			return
		}
	}
	t.Errorf("%s links to %s, which has no such heading", from, to)
}

// What would not fit on a telephone stands in a box that scrolls, and an empty head of a table is none.
func TestDress(t *testing.T) {
	got := dress("<table>\n<thead>\n<tr>\n<th></th>\n<th></th>\n</tr>\n</thead>\n<tbody></tbody></table><pre><code class=\"language-yaml\">a: 1 # why\n</code></pre>")
	for _, want := range []string{`<div class="scroll"`, "</table></div>", `<span class="key">a</span>: 1`, `<span class="note"># why</span>`, `<pre role="region"`} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is not in %s", want, got)
		}
	}
	if strings.Contains(got, "<thead>") {
		t.Errorf("an empty head is left: %s", got)
	}
}

// A link that leads nowhere is an error with the file that has it.
func TestBrokenLink(t *testing.T) {
	root := t.TempDir()
	for _, name := range append(topFiles, "docs/README.md") {
		text := "# A page\n\n[there](nowhere.md)\n"
		file := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := build(root, t.TempDir()); err == nil || !strings.Contains(err.Error(), "docs/README.md: a link leads to nowhere.md") {
		t.Errorf("got %v", err)
	}
}
