package main

import (
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"
)

// toolFaults are the faults of the tool service.
var toolFaults = []string{
	"late",         // the effect and the answer come after the caller has timed out
	"lost_before",  // the connection breaks before the effect
	"lost_after",   // the connection breaks after the effect
	"half_answer",  // the answer breaks off after the effect
	"no_json",      // the answer after the effect is not JSON
	"error_before", // status 500 without the effect
	"error_after",  // status 500 after the effect
	"too_many",     // status 429 without the effect
	"dies",         // the service dies in the middle of the answer, after the effect
}

// lateTime is longer than the time limit of the tools in ledger.yaml.
const lateTime = 900 * time.Millisecond

// books is the record of the tool service: an append-only file with a line for each call, effect
// and fault.
type books struct {
	mu   sync.Mutex // guards what follows
	file *os.File
	keys map[string]bool // of effects
}

// faultWord is the prefix of faults in the file.
const faultWord = "fault:"

func openBooks(path string) (*books, error) {
	text, err := os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		return nil, err
	}
	b := &books{keys: map[string]bool{}}
	for line := range strings.Lines(string(text)) {
		if f := strings.Fields(line); len(f) == 4 && f[0] == "done" {
			b.keys[f[1]] = true
		}
	}
	b.file, err = os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	return b, err
}

// write adds a line and syncs it to the disk.
func (b *books) write(what, key, entry string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.add(what, key, entry)
}

func (b *books) add(what, key, entry string) {
	_, err := fmt.Fprintf(b.file, "%s %s %s %d\n", what, key, entry, time.Now().UnixNano()) // one write, so that a line is complete or missing
	if err == nil {
		err = b.file.Sync()
	}
	if err != nil {
		panic(err) // without its records the service proves nothing
	}
}

// act has the effect, once for each key if keeping is set.
func (b *books) act(key, entry string, keeping bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if keeping && b.keys[key] {
		return
	}
	b.add("done", key, entry)
	b.keys[key] = true
}

// serveTools runs the service behind the HTTP tools of ledger.yaml. /post acts at each call,
// /pledge once for each idempotency key.
func serveTools(addr, path string, faulty bool, stderr io.Writer) int {
	b, err := openBooks(path)
	if err != nil {
		fmt.Fprintln(stderr, err)
		return 1
	}
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		fmt.Fprintln(stderr, err)
		return 1
	}
	server := &http.Server{Handler: toolHandler(b, faulty), ReadHeaderTimeout: 10 * time.Second}
	fmt.Fprintln(stderr, server.Serve(listener))
	return 1
}

func toolHandler(b *books, faulty bool) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		key, entry := r.Header.Get("Idempotency-Key"), r.URL.Query().Get("entry")
		b.write("called", key, entry)
		fault := ""
		if n := rand.IntN(4 * len(toolFaults)); faulty && n < len(toolFaults) {
			fault = toolFaults[n]
			b.write(faultWord+fault, key, entry)
		}
		answerWrongly(w, fault, func() {
			dawdle()
			b.act(key, entry, r.URL.Path == "/pledge")
			dawdle()
		})
	})
}

// dawdle slows a tool down, so that kills of the caller hit calls.
func dawdle() { time.Sleep(time.Duration(rand.IntN(4000)) * time.Microsecond) }

// answerWrongly answers with a fault, or correctly if there is none.
func answerWrongly(w http.ResponseWriter, fault string, act func()) {
	switch fault {
	case "lost_before":
		panic(http.ErrAbortHandler)
	case "error_before":
		http.Error(w, "out of order", http.StatusInternalServerError)
		return
	case "too_many":
		w.Header().Set("Retry-After", "1")
		http.Error(w, "later", http.StatusTooManyRequests)
		return
	case "late":
		time.Sleep(lateTime)
	}
	act()
	switch fault {
	case "lost_after":
		panic(http.ErrAbortHandler)
	case "error_after":
		http.Error(w, "out of order", http.StatusInternalServerError)
		return
	case "half_answer", "dies":
		w.Header().Set("Content-Length", "12")
		_, _ = io.WriteString(w, `{"ok"`)
		_ = http.NewResponseController(w).Flush()
		if fault == "dies" {
			os.Exit(3)
		}
		panic(http.ErrAbortHandler)
	}
	w.Header().Set("Content-Type", "application/json")
	if fault == "no_json" {
		_, _ = io.WriteString(w, `{"ok": tr`)
		return
	}
	_, _ = io.WriteString(w, `{"ok": true}`)
}
