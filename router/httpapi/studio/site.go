package studio

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"html/template"
	"io/fs"
	"path"
	"sync"
)

//go:embed assets page.gohtml
var embedded embed.FS

// file is one file as it is sent.
type file struct {
	body []byte
	kind string // Content-Type
	tag  string // ETag: of the content
}

// content is everything that the adapter serves.
type content struct {
	page    file
	files   map[string]file // by name
	release string          // of the content of all files
}

// site never changes: it is built from the embedded files when somebody opens the page.
var site = sync.OnceValue(func() content { return read(embedded) })

// kinds are the content types of the files by extension. Some systems' own tables lack them.
var kinds = map[string]string{
	".js":  "text/javascript; charset=utf-8",
	".css": "text/css; charset=utf-8",
	".svg": "image/svg+xml",
}

// read builds the site. It panics on a mistake in the embedded files, which every test would show.
func read(from fs.FS) content {
	entries, err := fs.ReadDir(from, "assets")
	if err != nil {
		panic(err)
	}
	all := sha256.New()
	c := content{files: map[string]file{}}
	for _, e := range entries {
		body, err := fs.ReadFile(from, "assets/"+e.Name())
		if err != nil {
			panic(err)
		}
		kind, ok := kinds[path.Ext(e.Name())]
		if !ok {
			panic("studio: " + e.Name() + " has no content type")
		}
		sum := sha256.Sum256(body)
		all.Write(sum[:])
		all.Write([]byte(e.Name()))
		c.files[e.Name()] = file{body: body, kind: kind, tag: `"` + short(sum[:]) + `"`}
	}
	c.release = short(all.Sum(nil))
	var out bytes.Buffer
	if err := template.Must(template.ParseFS(from, "page.gohtml")).Execute(&out, struct{ Release string }{c.release}); err != nil {
		panic(err)
	}
	c.page = file{body: out.Bytes(), kind: "text/html; charset=utf-8"}
	return c
}

// short returns enough of a hash to tell releases apart, in the alphabet of URLs.
func short(sum []byte) string { return base64.RawURLEncoding.EncodeToString(sum[:12]) }
