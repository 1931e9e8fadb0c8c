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

// replicaHeader tells a client which replica has answered, from 1 on.
const replicaHeader = "X-Crash-Replica"

// maxBody is more than any message of the clients has.
const maxBody = 1 << 20

// roundRobin is a plain HTTP proxy: each request goes to the next replica, over a connection
// of its own, and waits for that replica as long as its client does. Where no connection can
// be made the one after it is asked; once something has been sent nobody else is.
type roundRobin struct {
	replicas []*backend
	next     atomic.Uint64
	seen     func(answer) // every answer of a replica, before the client gets it
}

// backend is one replica as the proxy sees it.
type backend struct {
	addr      string
	transport *http.Transport
	underway  atomic.Int64 // requests that it has not answered
}

// answer is what a replica said.
type answer struct {
	replica int // from 0 on
	method  string
	status  int
	after   string // its header Retry-After
	code    string // of its problem
	took    time.Duration
}

func newRoundRobin(addrs []string, seen func(answer)) *roundRobin {
	rr := &roundRobin{seen: seen}
	for _, addr := range addrs {
		// A connection that is used once is never one that has been closed by the replica
		// meanwhile, so that net/http does not send anything again by itself.
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

// try asks one replica, and says whether that was it: what was sent is not sent to another,
// so that a request whose answer does not come ends in a broken connection.
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

// problemCode reads what a refusal is called, in either form that it has.
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

// forward passes on what comes as it comes: it may be a stream.
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

// busiest is the replica with the most requests that it has not answered.
func (rr *roundRobin) busiest() int {
	best := 0
	for i, b := range rr.replicas {
		if b.underway.Load() > rr.replicas[best].underway.Load() {
			best = i
		}
	}
	return best
}
