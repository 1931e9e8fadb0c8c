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

// toolFaults are what the tools' service does wrong, of its own accord.
var toolFaults = []string{
	"late",         // it answers when nobody waits any more, and has the effect then
	"lost_before",  // the connection breaks, and nothing was done
	"lost_after",   // the connection breaks, and it was done
	"half_answer",  // the answer breaks off, and it was done
	"no_json",      // the answer cannot be read, and it was done
	"error_before", // status 500, and nothing was done
	"error_after",  // status 500, and it was done
	"too_many",     // status 429, and nothing was done
	"dies",         // the service dies in the midst of its answer, and it was done
}

// lateTime is longer than the agent waits for the tools of ledger.yaml.
const lateTime = 900 * time.Millisecond

// books are what the tools' service keeps: a file that only grows, a line for each call, each
// effect and each fault.
type books struct {
	mu   sync.Mutex // guards what follows
	file *os.File
	keys map[string]bool // of effects
}

// faultWord begins the word for a fault.
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

// write adds a line, and has it on the disk when it returns.
func (b *books) write(what, key, entry string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.add(what, key, entry)
}

func (b *books) add(what, key, entry string) {
	_, err := fmt.Fprintf(b.file, "%s %s %s %d\n", what, key, entry, time.Now().UnixNano()) // one write: it is there whole or not at all
	if err == nil {
		err = b.file.Sync()
	}
	if err != nil {
		panic(err) // without its books the service is worth nothing
	}
}

// act has the effect; where keys are kept, once for each.
func (b *books) act(key, entry string, keeping bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if keeping && b.keys[key] {
		return
	}
	b.add("done", key, entry)
	b.keys[key] = true
}

// serveTools is the process behind the HTTP tools of ledger.yaml: /post acts at each call,
// /pledge once for each key.
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

// dawdle has a tool take its time, so that it may well be in the midst of a call that its caller
// is killed.
func dawdle() { time.Sleep(time.Duration(rand.IntN(4000)) * time.Microsecond) }

// answerWrongly answers with a fault, or rightly without one.
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
