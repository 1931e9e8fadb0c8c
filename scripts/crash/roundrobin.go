package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"
)

// replicaHeader names the replica that answered, from 1 on.
const replicaHeader = "X-Crash-Replica"

// maxBody is above the size of any message, in bytes.
const maxBody = 1 << 20

// roundRobin is a plain HTTP proxy. Each request goes to the next replica, over a new connection,
// and waits for that replica as long as the client does. If the proxy cannot connect, it asks the
// replica after that one; once it has sent something, it asks no other.
type roundRobin struct {
	replicas []*backend
	next     atomic.Uint64
	seen     func(answer) // called with every answer before the client gets it
}

// backend is a replica behind the proxy.
type backend struct {
	addr      string
	transport *http.Transport
	underway  atomic.Int64 // pending requests
}

// answer is an answer of a replica.
type answer struct {
	replica int // index
	method  string
	status  int
	after   string // header Retry-After
	code    string // code of the problem
	took    time.Duration
}

func newRoundRobin(addrs []string, seen func(answer)) *roundRobin {
	rr := &roundRobin{seen: seen}
	for _, addr := range addrs {
		// net/http repeats a request by itself if the server closed an idle connection. A
		// connection for one request is never idle.
		rr.replicas = append(rr.replicas, &backend{addr: addr, transport: &http.Transport{DisableKeepAlives: true, DisableCompression: true}})
	}
	return rr
}

// ServeHTTP implements http.Handler.
func (rr *roundRobin) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	first := rr.next.Add(1)
	for i := range rr.replicas {
		n := int((first + uint64(i)) % uint64(len(rr.replicas)))
		if rr.try(w, r, body, n) {
			return
		}
	}
	w.Header().Set("Retry-After", "1")
	http.Error(w, "the proxy reaches no replica", http.StatusServiceUnavailable)
}

// try sends a request to one replica and reports whether it could connect. If no answer comes, it
// breaks the connection to the client.
func (rr *roundRobin) try(w http.ResponseWriter, r *http.Request, body []byte, n int) bool {
	b := rr.replicas[n]
	out := r.Clone(r.Context())
	out.RequestURI, out.URL.Scheme, out.URL.Host = "", "http", b.addr
	out.Body, out.ContentLength, out.GetBody = io.NopCloser(bytes.NewReader(body)), int64(len(body)), nil
	if len(body) == 0 {
		out.Body = http.NoBody
	}
	begin := time.Now()
	b.underway.Add(1)
	defer b.underway.Add(-1)
	res, err := b.transport.RoundTrip(out)
	if err != nil {
		if op := (*net.OpError)(nil); errors.As(err, &op) && op.Op == "dial" && r.Context().Err() == nil {
			return false
		}
		panic(http.ErrAbortHandler)
	}
	defer res.Body.Close()
	said := io.Reader(res.Body)
	seen := answer{n, r.Method, res.StatusCode, res.Header.Get("Retry-After"), "", time.Since(begin)}
	if res.StatusCode >= http.StatusBadRequest {
		text, err := io.ReadAll(io.LimitReader(res.Body, maxBody))
		if err != nil {
			panic(http.ErrAbortHandler)
		}
		seen.code, said = problemCode(text), bytes.NewReader(text)
	}
	rr.seen(seen)
	maps.Copy(w.Header(), res.Header)
	w.Header().Set(replicaHeader, strconv.Itoa(n+1))
	w.WriteHeader(res.StatusCode)
	if err := forward(w, said); err != nil {
		panic(http.ErrAbortHandler)
	}
	return true
}

// problemCode reads the code of a refusal, in slotway's form or OpenAI's.
func problemCode(text []byte) string {
	var p struct {
		Code  string
		Error struct{ Code string }
	}
	if json.Unmarshal(text, &p) != nil {
		return ""
	}
	return cmp.Or(p.Code, p.Error.Code)
}

// forward copies an answer as it arrives: it may be a stream.
func forward(w http.ResponseWriter, from io.Reader) error {
	buf, flush := make([]byte, 16<<10), http.NewResponseController(w)
	for {
		n, err := from.Read(buf)
		if n > 0 {
			if _, err := w.Write(buf[:n]); err != nil {
				return err
			}
			if err := flush.Flush(); err != nil {
				return err
			}
		}
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
	}
}

// busiest returns the replica with the most pending requests.
func (rr *roundRobin) busiest() int {
	best := 0
	for i, b := range rr.replicas {
		if b.underway.Load() > rr.replicas[best].underway.Load() {
			best = i
		}
	}
	return best
}
