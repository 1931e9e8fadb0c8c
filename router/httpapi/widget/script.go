package widget

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"sync"
	"time"
)

//go:embed assets
var embedded embed.FS

// parts are the files of the script, in their order.
var parts = []string{"words.js", "dom.js", "visit.js", "talk.js", "panel.js", "mount.js"}

// script is the script as it is served.
type script struct {
	body []byte
	tag  string // ETag: of the content
}

// whole returns the script. It never changes, and is built for the first request.
var whole = sync.OnceValue(func() script {
	var out bytes.Buffer
	out.WriteString("// Slotway's web chat. https://github.com/slotway/slotway\n(() => {\n'use strict';\nconst css = ")
	style, err := json.Marshal(string(asset("style.css")))
	if err != nil {
		panic(err) // a string always has a JSON form
	}
	out.Write(style)
	out.WriteString(";\n")
	for _, name := range parts {
		out.Write(asset(name))
	}
	out.WriteString("})();\n")
	sum := sha256.Sum256(out.Bytes())
	return script{body: out.Bytes(), tag: `"` + base64.RawURLEncoding.EncodeToString(sum[:12]) + `"`}
})

// asset reads an embedded file. It panics if there is none, which every test would show.
func asset(name string) []byte {
	body, err := embedded.ReadFile("assets/" + name)
	if err != nil {
		panic(err)
	}
	return body
}

// serveScript serves the script. A page of any origin may load it, with an integrity attribute too. Its
// name never changes, so browsers ask again after five minutes.
func serveScript(w http.ResponseWriter, r *http.Request) {
	h, s := w.Header(), whole()
	h.Set("Content-Type", "text/javascript; charset=utf-8")
	h.Set("Cache-Control", "public, max-age=300")
	h.Set("ETag", s.tag)
	h.Set("Access-Control-Allow-Origin", "*")
	h.Set("Cross-Origin-Resource-Policy", "cross-origin")
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(s.body))
}
