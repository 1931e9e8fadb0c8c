package faulttest

import (
	"cmp"
	"compress/gzip"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/slotway/slotway/tools"
)

// Fault is one way in which a server fails.
type Fault struct {
	Name string
	// Arrives says that the server receives the request, so that the request may have had its
	// effect.
	Arrives bool
	// Silent says that only the client's own timeout ends the fault; give it [Short].
	Silent bool
	// TLS says that the URL starts with https.
	TLS bool

	serve func(w http.ResponseWriter, r *http.Request, at env)
	raw   func(net.Listener) // instead of serve
}

// env is the environment of a fault.
type env struct {
	bait string          // URL of a server that must get no request
	done <-chan struct{} // closed at the end of the test
}

// Limit returns the timeout to give to a client.
func (f Fault) Limit() time.Duration {
	if f.Silent {
		return Short
	}
	return Long
}

const (
	refuses  = "refuses connections"
	gigabyte = 1 << 30
	jsonType = "application/json"
)

// Faults returns all faults.
func Faults() []Fault {
	all := []Fault{
		{Name: refuses, raw: func(l net.Listener) { l.Close() }},
		{Name: "TLS garbage", TLS: true, raw: garbage},
		{Name: "hangs", Arrives: true, Silent: true, serve: hang},
		{Name: "drips", Arrives: true, Silent: true, serve: drip},
		{Name: "500", Arrives: true, serve: status(500, "")},
		{Name: "503", Arrives: true, serve: status(503, "")},
		{Name: "429 for seconds", Arrives: true, serve: status(429, "120")},
		{Name: "429 until a date", Arrives: true, serve: until},
		{Name: "no answer", Arrives: true, serve: func(http.ResponseWriter, *http.Request, env) { panic(http.ErrAbortHandler) }},
		{Name: "half a body", Arrives: true, serve: half},
		{Name: "endless body", Arrives: true, serve: endless},
		{Name: "gzip bomb", Arrives: true, serve: bomb},
		{Name: "invalid JSON", Arrives: true, serve: answer(jsonType, `{"`+canary)},
		{Name: "deep JSON", Arrives: true, serve: answer(jsonType, strings.Repeat(`{"a":[`, 5000)+`"`+canary+`"`+strings.Repeat(`]}`, 5000))},
		{Name: "other JSON", Arrives: true, serve: answer(jsonType, `["`+canary+`"]`)},
		{Name: "HTML", Arrives: true, serve: answer("text/html", "<html>"+canary+"</html>")},
		{Name: "huge header", Arrives: true, serve: header},
	}
	for _, code := range []int{302, 303, 307} {
		name := strconv.Itoa(code)
		all = append(
			all,
			Fault{Name: name + " to another server", Arrives: true, serve: redirect(code, "")},
			Fault{Name: name + " to a private address", Arrives: true, serve: redirect(code, "http://10.20.30.40/")},
			Fault{Name: name + " to the metadata service", Arrives: true, serve: redirect(code, "http://169.254.169.254/")},
		)
	}
	return all
}

func garbage(l net.Listener) {
	for {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		// The length of a record's header, but no record.
		_, _ = io.WriteString(conn, strings.Repeat(canary, 10))
		conn.Close()
	}
}

func hang(_ http.ResponseWriter, r *http.Request, at env) {
	_, _ = io.Copy(io.Discard, r.Body) // the server sees that the client hangs up only after reading
	select {
	case <-r.Context().Done():
	case <-at.done:
	}
}

// drip sends a document that never ends, byte by byte.
func drip(w http.ResponseWriter, r *http.Request, at env) {
	_, _ = io.Copy(io.Discard, r.Body)
	w.Header().Set("Content-Type", jsonType)
	tick := time.NewTicker(Short / 30)
	defer tick.Stop()
	for {
		if _, err := io.WriteString(w, " "); err != nil || http.NewResponseController(w).Flush() != nil {
			return
		}
		select {
		case <-tick.C:
		case <-r.Context().Done():
			return
		case <-at.done:
			return
		}
	}
}

func status(code int, retryAfter string) func(http.ResponseWriter, *http.Request, env) {
	return func(w http.ResponseWriter, _ *http.Request, _ env) {
		if retryAfter != "" {
			w.Header().Set("Retry-After", retryAfter)
		}
		http.Error(w, canary, code)
	}
}

func until(w http.ResponseWriter, r *http.Request, at env) {
	status(429, time.Now().Add(2*time.Minute).UTC().Format(http.TimeFormat))(w, r, at)
}

func answer(contentType, body string) func(http.ResponseWriter, *http.Request, env) {
	return func(w http.ResponseWriter, _ *http.Request, _ env) {
		w.Header().Set("Content-Type", contentType)
		_, _ = io.WriteString(w, body)
	}
}

func half(w http.ResponseWriter, _ *http.Request, _ env) {
	w.Header().Set("Content-Type", jsonType)
	w.Header().Set("Content-Length", "1000")
	_, _ = io.WriteString(w, `{"a":"`+canary)
	_ = http.NewResponseController(w).Flush()
	panic(http.ErrAbortHandler)
}

// endless sends a gigabyte, in chunks and as one text.
func endless(w http.ResponseWriter, _ *http.Request, _ env) {
	w.Header().Set("Content-Type", jsonType)
	fill(w, `"`+canary)
}

// bomb sends a gigabyte compressed to one megabyte.
func bomb(w http.ResponseWriter, _ *http.Request, _ env) {
	w.Header().Set("Content-Type", jsonType)
	w.Header().Set("Content-Encoding", "gzip")
	z, err := gzip.NewWriterLevel(w, gzip.BestSpeed)
	if err == nil {
		fill(z, `"`+canary)
		_ = z.Close()
	}
}

func fill(w io.Writer, begin string) {
	piece := strings.Repeat("x", 64<<10)
	_, err := io.WriteString(w, begin)
	for n := 0; n < gigabyte && err == nil; n += len(piece) {
		_, err = io.WriteString(w, piece)
	}
}

// header sends a megabyte of header before a valid answer.
func header(w http.ResponseWriter, _ *http.Request, _ env) {
	w.Header().Set("Content-Type", jsonType)
	w.Header().Set("X-Much", strings.Repeat(canary, gigabyte>>10/len(canary)))
	_, _ = io.WriteString(w, `{}`)
}

func redirect(code int, to string) func(http.ResponseWriter, *http.Request, env) {
	return func(w http.ResponseWriter, _ *http.Request, at env) {
		w.Header().Set("Location", cmp.Or(to, at.bait+"/")+canary)
		w.WriteHeader(code)
	}
}

// Codes returns the codes that a client of JSON over HTTP makes of the faults. Redirects are not
// among them: clients differ there.
func Codes() map[string]tools.Code {
	return map[string]tools.Code{
		refuses: tools.Unavailable, "TLS garbage": tools.Unavailable, "no answer": tools.Unavailable,
		"hangs": tools.Timeout, "drips": tools.Timeout,
		"500": tools.Unavailable, "503": tools.Unavailable,
		"429 for seconds": tools.RateLimited, "429 until a date": tools.RateLimited,
		"half a body": tools.Unavailable, "huge header": tools.Unavailable,
		"endless body": tools.BadResult, "gzip bomb": tools.BadResult,
		"invalid JSON": tools.BadResult, "deep JSON": tools.BadResult, "other JSON": tools.BadResult, "HTML": tools.BadResult,
	}
}
