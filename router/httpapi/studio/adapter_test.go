package studio

import (
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/slotway/slotway/router"
	"github.com/slotway/slotway/router/httpapi"
)

// get asks an API that has the studio for a path, as a browser would.
func get(t *testing.T, path string, header ...string) (*http.Response, string) {
	t.Helper()
	api := httpapi.New(nil, &httpapi.Options{Adapters: []httpapi.Adapter{Adapter{}}})
	r := httptest.NewRequest(http.MethodGet, path, nil)
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	api.ServeHTTP(w, r)
	body, err := io.ReadAll(w.Result().Body)
	if err != nil {
		t.Fatal(err)
	}
	return w.Result(), string(body)
}

func TestAnswers(t *testing.T) {
	kept := "public, max-age=31536000, immutable"
	for _, c := range []struct {
		path   string
		status int
		kind   string
		cache  string
	}{
		{"/studio", 200, "text/html; charset=utf-8", "no-store"},
		{"/studio/" + site().release + "/main.js", 200, "text/javascript; charset=utf-8", kept},
		{"/studio/" + site().release + "/studio.css", 200, "text/css; charset=utf-8", kept},
		{"/studio/" + site().release + "/icon.svg", 200, "image/svg+xml", kept},
		{"/studio/another/main.js", 200, "text/javascript; charset=utf-8", "no-cache"},
		{"/studio/main.js", 200, "text/javascript; charset=utf-8", "no-cache"},
		{"/studio/" + site().release + "/none.js", 404, "application/problem+json", "no-store"},
		{"/studio/page.gohtml", 404, "application/problem+json", "no-store"},
		{"/studio/..%2fface.go", 404, "application/problem+json", "no-store"},
	} {
		res, body := get(t, c.path)
		if res.StatusCode != c.status || res.Header.Get("Content-Type") != c.kind || res.Header.Get("Cache-Control") != c.cache {
			t.Errorf("GET %s: %d, %q, %q; want %d, %q, %q", c.path, res.StatusCode, res.Header.Get("Content-Type"), res.Header.Get("Cache-Control"), c.status, c.kind, c.cache)
		}
		for _, g := range guards {
			if got := res.Header.Get(g[0]); got != g[1] {
				t.Errorf("GET %s: %s is %q, want %q", c.path, g[0], got, g[1])
			}
		}
		if body == "" {
			t.Errorf("GET %s: nothing", c.path)
		}
	}
}

func TestPolicy(t *testing.T) {
	for _, must := range []string{
		"default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:", "connect-src 'self'",
		"base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'", "require-trusted-types-for 'script'",
	} {
		if !slices.Contains(strings.Split(Policy, "; "), must) {
			t.Errorf("the policy lacks %s", must)
		}
	}
	if strings.Contains(Policy, "unsafe") {
		t.Error("the policy permits what is unsafe")
	}
}

func TestWhatTheBrowserHasIsNotSentAgain(t *testing.T) {
	path := "/studio/" + site().release + "/main.js"
	res, _ := get(t, path)
	tag := res.Header.Get("ETag")
	if len(tag) < 10 {
		t.Fatalf("ETag %q", tag)
	}
	if res, body := get(t, path, "If-None-Match", tag); res.StatusCode != http.StatusNotModified || body != "" {
		t.Errorf("with its tag: %d, %d bytes", res.StatusCode, len(body))
	}
	if res, _ := get(t, path, "If-None-Match", `"other"`); res.StatusCode != http.StatusOK {
		t.Errorf("with another tag: %d", res.StatusCode)
	}
	if other, _ := get(t, "/studio/"+site().release+"/api.js"); other.Header.Get("ETag") == tag {
		t.Error("two files have one tag")
	}
}

// TestRootLeadsToTheStudio: the address of the service alone leads to the page, wherever the service is
// mounted; other unknown paths do not.
func TestRootLeadsToTheStudio(t *testing.T) {
	res, _ := get(t, "/")
	if to := res.Header.Get("Location"); res.StatusCode != http.StatusTemporaryRedirect || to != "studio" {
		t.Errorf("%d to %q", res.StatusCode, to)
	}
	if res, _ := get(t, "/nothing"); res.StatusCode != http.StatusNotFound {
		t.Errorf("another path: %d", res.StatusCode)
	}
}

func TestSlashAtTheEnd(t *testing.T) {
	res, _ := get(t, "/studio/")
	if res.StatusCode != http.StatusPermanentRedirect || res.Header.Get("Location") != "../studio" {
		t.Errorf("GET /studio/: %d to %q", res.StatusCode, res.Header.Get("Location"))
	}
}

// What the policy forbids would only show as a broken page.
func TestPageHasNothingInline(t *testing.T) {
	_, page := get(t, "/studio")
	for what, pattern := range map[string]string{
		"a script without a source": `<script(?:\s+[^>]*)?>\s*[^<\s]`,
		"a style":                   `<style|\sstyle\s*=`,
		"a handler":                 `\son[a-z]+\s*=`,
		"an address elsewhere":      `(?:src|href)="(?:[a-z]+:|//)`,
		"an unfilled name":          `\{\{|ZgotmplZ`,
	} {
		if found := regexp.MustCompile(pattern).FindString(page); found != "" {
			t.Errorf("the page has %s: %q", what, found)
		}
	}
	for _, m := range regexp.MustCompile(`(?:src|href)="studio/([^"]+)"`).FindAllStringSubmatch(page, -1) {
		if res, _ := get(t, "/studio/"+m[1]); res.StatusCode != http.StatusOK {
			t.Errorf("the page asks for %s, which there is not", m[1])
		}
	}
}

// Text becomes markup only through one of these; addresses elsewhere are refused anyway.
var forbidden = regexp.MustCompile(`innerHTML|outerHTML|insertAdjacentHTML|document\.write|srcdoc|DOMParser|\beval\(|new Function|setTimeout\(['"]|\.style\b|https?://`)

func TestModules(t *testing.T) {
	imports := regexp.MustCompile(`(?m)^import .* from '\./([^']+)';$`)
	used := map[string]bool{"main.js": true, "early.js": true}
	for name, f := range site().files {
		if !strings.HasSuffix(name, ".js") {
			continue
		}
		body := string(f.body)
		for i, line := range strings.Split(body, "\n") {
			if found := forbidden.FindString(strings.ReplaceAll(line, "http://www.w3.org/2000/svg", "")); found != "" {
				t.Errorf("%s:%d has %s", name, i+1, found)
			}
		}
		if n := strings.Count(body, "\n"); n > 300 {
			t.Errorf("%s has %d lines", name, n)
		}
		matches := imports.FindAllStringSubmatch(body, -1)
		code := regexp.MustCompile(`(?m)^\s*(?://|/?\*).*$`).ReplaceAllString(body, "")
		if name == "website.js" {
			code = strings.Replace(code, "await import(script)", "", 1) // the widget, which the same service serves
		}
		if n := len(regexp.MustCompile(`\bimport\b[^.]`).FindAllString(code, -1)); n > len(matches) {
			t.Errorf("%s: %d imports, %d of them of a file beside it", name, n, len(matches))
		}
		for _, m := range matches {
			used[m[1]] = true
			if _, ok := site().files[m[1]]; !ok {
				t.Errorf("%s imports %s, which there is not", name, m[1])
			}
		}
	}
	for name := range site().files {
		if strings.HasSuffix(name, ".js") && !used[name] {
			t.Errorf("nothing imports %s", name)
		}
	}
}

// A state without a place of its own would be laid out by rule: right, but not well.
func TestEveryStateHasItsPlace(t *testing.T) {
	layouts := strings.Split(string(site().files["machine-layout.js"].body), "@type {Layout}")[1:]
	if len(layouts) != 2 {
		t.Fatalf("%d layouts, want a wide and a narrow one", len(layouts))
	}
	for _, row := range router.Machine() {
		for _, state := range []string{row.From, row.To} {
			for i, layout := range layouts {
				if !regexp.MustCompile(`\b` + state + `: \[\d+, \d+\]`).MatchString(layout) {
					t.Errorf("layout %d has no place for %s", i, state)
				}
			}
		}
	}
}

// Nothing is left of a way between states that the machine no longer has.
func TestEveryWayIsOfTheMachine(t *testing.T) {
	rows := map[string]bool{}
	for _, row := range router.Machine() {
		rows[row.From+">"+row.To] = true
	}
	ways := regexp.MustCompile(`'(\w+>\w+)': 'M`).FindAllStringSubmatch(string(site().files["machine-layout.js"].body), -1)
	if len(ways) == 0 {
		t.Fatal("no ways were found")
	}
	for _, m := range ways {
		if !rows[m[1]] {
			t.Errorf("the machine has no %s", m[1])
		}
	}
}
