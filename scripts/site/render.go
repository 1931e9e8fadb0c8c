package main

import (
	"bytes"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// repository is where links to files that are no pages lead.
const repository = "https://github.com/slotway/slotway/blob/main/"

// markdown reads GitHub's Markdown; raw HTML is left out.
var markdown = goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithParserOptions(parser.WithAutoHeadingID()))

// render makes the body of a page and the list of its sections.
func (s *site) render(p *page) (body string, contents []link, err error) {
	doc := markdown.Parser().Parse(text.NewReader(p.text), parser.WithContext(parser.NewContext(parser.WithIDs(&anchors{used: map[string]bool{}}))))
	err = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Heading:
			if id, ok := n.AttributeString("id"); ok && n.Level == 2 {
				contents = append(contents, link{Title: plain(n, p.text), Href: "#" + string(id.([]byte))})
			}
		case *ast.Link:
			n.Destination = []byte(s.destination(p, string(n.Destination)))
		case *ast.Image:
			n.Destination = []byte(s.picture(p, string(n.Destination)))
		}
		return ast.WalkContinue, nil
	})
	if err != nil {
		return "", nil, err
	}
	var out bytes.Buffer
	if err := markdown.Renderer().Render(&out, p.text, doc); err != nil {
		return "", nil, fmt.Errorf("render: %w", err)
	}
	if len(contents) < 4 {
		contents = nil
	}
	return dress(out.String()), contents, nil
}

// plain is the text of a node without its marks.
func plain(n ast.Node, source []byte) string {
	var b strings.Builder
	_ = ast.Walk(n, func(c ast.Node, entering bool) (ast.WalkStatus, error) {
		if t, ok := c.(*ast.Text); ok && entering {
			b.Write(t.Segment.Value(source))
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}

// destination turns a link between files into one between pages. It leads to the repository for files
// that are no pages.
func (s *site) destination(p *page, to string) string {
	if strings.Contains(to, "://") || strings.HasPrefix(to, "#") || strings.HasPrefix(to, "mailto:") {
		return to
	}
	file, anchor, _ := strings.Cut(to, "#")
	if anchor != "" {
		anchor = "#" + anchor
	}
	file = path.Join(path.Dir(p.source), file)
	if other := s.pages[file]; other != nil {
		return relative(p.target, other.target) + anchor
	}
	info, err := os.Stat(filepath.Join(s.root, filepath.FromSlash(file)))
	if err != nil {
		s.broken = append(s.broken, fmt.Errorf("%s: a link leads to %s, which is not there", p.source, to))
		return to
	}
	if info.IsDir() {
		for _, other := range s.sorted() {
			if folderOf(other) == file {
				return relative(p.target, other.target)
			}
		}
	}
	return repository + file + anchor
}

// picture copies a picture into the site.
func (s *site) picture(p *page, from string) string {
	file := path.Join(path.Dir(p.source), from)
	data, err := os.ReadFile(filepath.Join(s.root, filepath.FromSlash(file)))
	if err == nil {
		err = s.file("pictures/"+path.Base(file), data)
	}
	if err != nil {
		s.broken = append(s.broken, fmt.Errorf("%s: a picture: %w", p.source, err))
	}
	return relative(p.target, "pictures/"+path.Base(file))
}

var (
	emptyHead = regexp.MustCompile(`<thead>\s*<tr>\s*(?:<th[^>]*></th>\s*)+</tr>\s*</thead>\s*`)
	yamlCode  = regexp.MustCompile(`(?s)<pre><code class="language-yaml">(.*?)</code></pre>`)
	yamlKey   = regexp.MustCompile(`(?m)^(\s*(?:- )?\{?)([\w.*-]+)(:(?:\s|$))`)
	comment   = regexp.MustCompile(`(?m)(^|\s)(#.*)$`)
	spaces    = regexp.MustCompile(`<pre>`)
)

// dress adds what Markdown has no words for: boxes in which wide tables and code scroll, which the
// keyboard reaches too, and colours of YAML.
func dress(html string) string {
	html = emptyHead.ReplaceAllString(html, "")
	html = strings.ReplaceAll(html, "<table>", `<div class="scroll" role="region" aria-label="Table" tabindex="0"><table>`)
	html = strings.ReplaceAll(html, "</table>", "</table></div>")
	html = yamlCode.ReplaceAllStringFunc(html, func(block string) string {
		code := yamlCode.FindStringSubmatch(block)[1]
		code = comment.ReplaceAllString(code, `$1<span class="note">$2</span>`)
		code = yamlKey.ReplaceAllString(code, `$1<span class="key">$2</span>$3`)
		return `<pre><code class="language-yaml">` + code + `</code></pre>`
	})
	return spaces.ReplaceAllString(html, `<pre role="region" aria-label="Code" tabindex="0">`)
}

// anchors names headings as GitHub does, so that links hold in both places.
type anchors struct{ used map[string]bool }

// Generate implements parser.IDs.
func (a *anchors) Generate(value []byte, _ ast.NodeKind) []byte {
	id := strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
			return unicode.ToLower(r)
		}
		return -1
	}, strings.TrimSpace(string(value)))
	if id == "" {
		id = "section"
	}
	base := id
	for n := 1; a.used[id]; n++ {
		id = base + "-" + strconv.Itoa(n)
	}
	a.used[id] = true
	return slices.Clone([]byte(id))
}

// Put implements parser.IDs.
func (a *anchors) Put(value []byte) { a.used[string(value)] = true }
