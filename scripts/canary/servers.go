package main

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
)

// servers plays the servers that slotway calls: tools, models and the span collector.
type servers struct {
	out   *ledger
	given atomic.Int64 // tool calls that held a planted value, as they should
	asked atomic.Int64 // model requests
	spans atomic.Int64 // span requests
	calls atomic.Int64 // tool calls so far, to choose the next outcome
}

func (s *servers) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var body io.Reader = r.Body
	if r.Header.Get("Content-Encoding") == "gzip" {
		unzipped, err := gzip.NewReader(r.Body)
		if err != nil {
			http.Error(w, "not gzip", http.StatusBadRequest)
			return
		}
		body = unzipped
	}
	data, err := io.ReadAll(body)
	if err != nil {
		return // the client has gone
	}
	switch {
	case r.URL.Path == "/v1/traces":
		s.spans.Add(1)
		s.out.search("spans", data)
	case strings.HasPrefix(r.URL.Path, "/v1/"):
		s.asked.Add(1)
		s.out.search("model servers", data)
		s.model(w, r.URL.Path, data)
	default:
		seen := r.URL.String() + string(data)
		if len(s.out.set.Find([]byte(seen))) > 0 {
			s.given.Add(1)
		}
		s.tool(w, seen)
	}
}

// tool answers a call in one of many ways, each of which holds the values.
func (s *servers) tool(w http.ResponseWriter, seen string) {
	text, _ := json.Marshal(seen)
	h := w.Header()
	h.Set("X-Seen", strings.Map(func(r rune) rune { return max(' ', min(r, '~')) }, seen))
	h.Set("Set-Cookie", "case="+number)
	switch s.calls.Add(1) % 8 {
	case 0:
		http.Error(w, seen+secret, http.StatusInternalServerError)
	case 1:
		w.WriteHeader(http.StatusNotFound)
		fmt.Fprintf(w, `{"error": {"code": %s, "message": %s}, %q: 1}`, text, text, secret)
	case 2:
		fmt.Fprintf(w, `{"text": %s`, text) // cut off
	case 3:
		h.Set("Location", "http://"+word+".invalid/"+number)
		w.WriteHeader(http.StatusFound)
	case 4:
		h.Set("Content-Type", "text/"+word)
		fmt.Fprint(w, seen)
	case 5:
		h.Set("Content-Length", "100000")
		fmt.Fprint(w, seen)
	default:
		h.Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"text": %s, %s: 1}`, text, text)
	}
}

// model answers like a chat model or an embedder.
func (s *servers) model(w http.ResponseWriter, path string, data []byte) {
	w.Header().Set("Content-Type", "application/json")
	if path == "/v1/embeddings" {
		var req struct{ Input []string }
		_ = json.Unmarshal(data, &req) // slotway refuses an empty answer
		var rows []string
		for i := range req.Input {
			rows = append(rows, fmt.Sprintf(`{"index":%d,"embedding":[%d,1,2]}`, i, i))
		}
		fmt.Fprintf(w, `{"data":[%s]}`, strings.Join(rows, ","))
		return
	}
	fmt.Fprint(w, `{"choices":[{"message":{"role":"assistant","content":"{\"intent\":\"none\",\"params\":[]} I advise <name:1> to rest."}}]}`)
}
