package main

import (
	"bytes"
	"cmp"
	_ "embed"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

//go:embed page.gohtml
var pageHTML string

//go:embed style.css
var styleCSS []byte

// page is one Markdown file and what becomes of it.
type page struct {
	source string // path in the repository, with slashes
	target string // path in the site
	title  string
	text   []byte
}

// section is one part of the navigation.
type section struct {
	Title string
	Links []link
}

type link struct {
	Title, Href string
	Here        bool
}

// sections are the folders of docs in the order of the navigation; docs/README.md explains them.
var sections = []struct{ folder, title string }{
	{"docs", "Start"},
	{"docs/howto", "How-to"},
	{"docs/operate", "Operate"},
	{"docs/reference", "Reference"},
	{"docs/explanation", "Explanation"},
	{"", "Project"},
}

// topFiles are the files at the top of the repository that are pages too.
var topFiles = []string{"README.md", "SECURITY.md", "CONTRIBUTING.md", "CHANGELOG.md"}

// build makes the site of the repository at root in the folder out, and returns the number of pages.
func build(root, out string) (int, error) {
	s := &site{root: root, out: out, pages: map[string]*page{}}
	if err := s.collect(); err != nil {
		return 0, err
	}
	layout, err := template.New("page").Parse(pageHTML)
	if err != nil {
		return 0, fmt.Errorf("the layout: %w", err)
	}
	for _, p := range s.sorted() {
		if err := s.write(layout, p); err != nil {
			return 0, err
		}
	}
	if err := s.file("style.css", styleCSS); err != nil {
		return 0, err
	}
	return len(s.pages), errors.Join(s.broken...)
}

// site is one run.
type site struct {
	root, out string
	pages     map[string]*page // by source
	broken    []error          // links that lead nowhere
}

// collect reads every page.
func (s *site) collect() error {
	for _, name := range topFiles {
		if err := s.add(name, "project/"+strings.ToLower(strings.TrimSuffix(name, ".md"))+".html"); err != nil {
			return err
		}
	}
	docs := filepath.Join(s.root, "docs")
	return filepath.WalkDir(docs, func(file string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(file) != ".md" {
			return err
		}
		rel, err := filepath.Rel(docs, file)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		target := strings.TrimSuffix(rel, ".md") + ".html"
		if path.Base(rel) == "README.md" {
			target = path.Join(path.Dir(rel), "index.html")
		}
		return s.add("docs/"+rel, target)
	})
}

func (s *site) add(source, target string) error {
	text, err := os.ReadFile(filepath.Join(s.root, filepath.FromSlash(source)))
	if err != nil {
		return fmt.Errorf("read a page: %w", err)
	}
	s.pages[source] = &page{source: source, target: target, text: text, title: titleOf(source, text)}
	return nil
}

// titleOf is the first heading of a page.
func titleOf(source string, text []byte) string {
	for line := range strings.Lines(string(text)) {
		if title, ok := strings.CutPrefix(line, "# "); ok {
			return strings.TrimSpace(title)
		}
	}
	return strings.TrimSuffix(path.Base(source), ".md")
}

// sorted lists the pages in the order in which docs/README.md names them, and those that it does not
// name behind them.
func (s *site) sorted() []*page {
	var all []*page
	for _, p := range s.pages {
		all = append(all, p)
	}
	slices.SortFunc(all, func(a, b *page) int {
		return cmp.Or(cmp.Compare(s.place(a), s.place(b)), strings.Compare(a.title, b.title))
	})
	return all
}

const indexPage = "docs/README.md"

// place is where the index names a page.
func (s *site) place(p *page) int {
	if p.source == indexPage || p.source == "README.md" {
		return -1
	}
	index := string(s.pages[indexPage].text)
	if at := strings.Index(index, "("+strings.TrimPrefix(p.source, "docs/")+")"); at >= 0 {
		return at
	}
	return len(index)
}

// folderOf is the section that a page stands in.
func folderOf(p *page) string {
	if dir := path.Dir(p.source); dir != "." {
		return dir
	}
	return ""
}

// navigation lists all pages as they are linked from one of them.
func (s *site) navigation(here *page) []section {
	var out []section
	for _, part := range sections {
		one := section{Title: part.title}
		for _, p := range s.sorted() {
			if folderOf(p) == part.folder {
				one.Links = append(one.Links, link{Title: p.title, Href: relative(here.target, p.target), Here: p == here})
			}
		}
		if len(one.Links) > 0 {
			out = append(out, one)
		}
	}
	return out
}

// relative is the path from one page of the site to another.
func relative(from, to string) string {
	rel, err := filepath.Rel(path.Dir(from), to)
	if err != nil {
		return to // both are relative paths of the site, so this cannot be
	}
	return filepath.ToSlash(rel)
}

func (s *site) write(layout *template.Template, p *page) error {
	body, contents, err := s.render(p)
	head, rest, found := strings.Cut(body, "</h1>")
	if found {
		head, rest = head+"</h1>", strings.TrimPrefix(rest, "\n")
	} else {
		head, rest = "", body
	}
	if err != nil {
		return fmt.Errorf("%s: %w", p.source, err)
	}
	var out bytes.Buffer
	err = layout.Execute(&out, map[string]any{
		"Title": p.title, "Head": template.HTML(head), "Body": template.HTML(rest), "Contents": contents, "Sections": s.navigation(p),
		"Style": relative(p.target, "style.css"), "Home": relative(p.target, "index.html"), "Source": p.source,
	})
	if err != nil {
		return fmt.Errorf("%s: %w", p.source, err)
	}
	return s.file(p.target, out.Bytes())
}

func (s *site) file(name string, data []byte) error {
	file := filepath.Join(s.out, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return fmt.Errorf("write the site: %w", err)
	}
	if err := os.WriteFile(file, data, 0o644); err != nil {
		return fmt.Errorf("write the site: %w", err)
	}
	return nil
}
