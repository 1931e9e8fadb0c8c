package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime/pprof"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/slotway/slotway"
	"github.com/slotway/slotway/router/telemetry"
	"github.com/slotway/slotway/scripts/lab/measure"
	"github.com/slotway/slotway/tools"
	"github.com/slotway/slotway/tools/static"
)

// httpFlags configure `bench http`.
type httpFlags struct {
	connections int
	durability  string
	tools       string
	duration    time.Duration
	tls         bool
	cpuProfile  string
	set         settingsFlag
	warm        bool // the service warms up; its sessions are others
}

// httpFigures are the result of `bench http`.
type httpFigures struct {
	Connections int     `json:"connections"`
	Durability  string  `json:"durability"`
	Tools       string  `json:"tools"`
	TLS         bool    `json:"tls"`
	Turns       int     `json:"turns"`
	TurnsPerS   float64 `json:"turns_per_s"`
	P50         float64 `json:"p50_us"`
	P99         float64 `json:"p99_us"`
	CPU         float64 `json:"cpu_us_per_turn"` // of service and clients
	EchoPerS    float64 `json:"echo_per_s"`      // requests that the echo handler answered
	EchoCPU     float64 `json:"echo_cpu_us"`     // for each of them, of handler and clients
	Ratio       float64 `json:"ratio_to_echo"`
}

// measureHTTP measures the order lookup of `slotway bench turns` through POST /chat, then how many
// requests of the same size a handler answers that only sends each body back. Server and clients share
// the machine and the process.
func measureHTTP(ctx context.Context, b httpFlags) (f *httpFigures, err error) {
	dir, err := os.MkdirTemp("", "slotway-bench-")
	if err != nil {
		return nil, fmt.Errorf("make a folder for the bench: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	service, err := b.open(ctx, dir)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, service.Close()) }()
	handler := service.Handler()
	b.warm = true
	if _, err := b.load(ctx, handler, b.conversation, warmFor); err != nil {
		return nil, err
	}
	b.warm = false
	profiled, err := profile(b.cpuProfile)
	if err != nil {
		return nil, err
	}
	turns, err := b.load(ctx, handler, b.conversation, b.duration)
	if err := errors.Join(err, profiled()); err != nil {
		return nil, err
	}
	echo, err := b.load(ctx, http.HandlerFunc(echoBody), b.echo, b.duration)
	if err != nil {
		return nil, err
	}
	f = &httpFigures{Connections: b.connections, Durability: b.durability, Tools: b.tools, TLS: b.tls}
	f.Turns, f.TurnsPerS, f.CPU = len(turns.took), turns.rate, turns.cpu
	f.P50, f.P99 = turns.quantile(0.5), turns.quantile(0.99)
	f.EchoPerS, f.EchoCPU, f.Ratio = echo.rate, echo.cpu, turns.rate/echo.rate
	return f, nil
}

// warmFor is for how long the service runs before it is measured.
const warmFor = 200 * time.Millisecond

// open opens the default agent over an empty store in a folder.
func (b *httpFlags) open(ctx context.Context, dir string) (*slotway.Runtime, error) {
	set := map[string]string{"memory.storage": "sqlite", "memory.storage_path": filepath.Join(dir, "bench.db"), "memory.durability": b.durability}
	if b.durability == "none" {
		set = map[string]string{"memory.storage": "inmem", "memory.storage_path": filepath.Join(dir, "bench.db"), "memory.max_conversations": "100000"}
	}
	set["server.limits.rate"] = "0" // one client sends everything
	maps.Copy(set, b.set)
	o := &slotway.Options{Set: set, Sink: telemetry.NewLog(io.Discard, telemetry.LevelInfo)} // telemetry is a part of every turn
	if b.tools == "static" {
		order := map[string]any{"id": "O-12345", "item": "wool blanket", "status": "pending", "eta": "Friday"}
		o.Tools = map[string]tools.Tool{"order_exists": static.New(order), "find_orders": static.New([]any{order})}
	}
	return slotway.Open(ctx, "", o)
}

// profile records where the CPU time goes until stop is called, for `go tool pprof`. file "": nowhere.
func profile(file string) (stop func() error, err error) {
	if file == "" {
		return func() error { return nil }, nil
	}
	out, err := os.Create(file)
	if err != nil {
		return nil, fmt.Errorf("write the CPU profile: %w", err)
	}
	if err := pprof.StartCPUProfile(out); err != nil {
		return nil, errors.Join(fmt.Errorf("write the CPU profile: %w", err), out.Close())
	}
	return func() error {
		pprof.StopCPUProfile()
		return out.Close()
	}, nil
}

func echoBody(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the client has gone, and reports it
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(body)
}

// loaded holds the durations and the rate of one handler.
type loaded struct {
	took []time.Duration // sorted
	rate float64         // requests a second
	cpu  float64         // microseconds of CPU a request
}

// quantile returns a quantile of the durations in µs.
func (l *loaded) quantile(p float64) float64 {
	return float64(l.took[int(p*float64(len(l.took)-1))].Nanoseconds()) / 1e3
}

// exchange sends the n-th request of a connection and checks the answer.
type exchange func(post func(body string) ([]byte, error), connection, n int) error

// load serves a handler on a port of its own and sends it requests until the time is over.
func (b *httpFlags) load(ctx context.Context, handler http.Handler, send exchange, duration time.Duration) (*loaded, error) {
	url, client, stop, err := b.listen(ctx, handler)
	if err != nil {
		return nil, err
	}
	defer stop()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	post := func(body string) ([]byte, error) { return postJSON(ctx, client, url, body) }
	took := make([][]time.Duration, b.connections)
	cpu, begin := measure.CPU(), time.Now()
	var wg sync.WaitGroup
	for c := range b.connections {
		wg.Go(func() {
			for n := 0; ctx.Err() == nil && time.Since(begin) < duration; n++ {
				sent := time.Now()
				if err := send(post, c, n); err != nil {
					cancel(err)
				}
				took[c] = append(took[c], time.Since(sent))
			}
		})
	}
	wg.Wait()
	elapsed := time.Since(begin)
	cpu = measure.CPU() - cpu
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	all := slices.Concat(took...)
	slices.Sort(all)
	n := float64(len(all))
	return &loaded{took: all, rate: n / elapsed.Seconds(), cpu: float64(cpu.Microseconds()) / n}, nil
}

// listen serves a handler on this machine, and returns the URL of its chat and a client for it.
func (b *httpFlags) listen(ctx context.Context, handler http.Handler) (url string, client *http.Client, stop func(), err error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, nil, fmt.Errorf("listen: %w", err)
	}
	transport := &http.Transport{MaxIdleConnsPerHost: b.connections, DisableCompression: true}
	server := &http.Server{Handler: handler, ReadHeaderTimeout: time.Second}
	serve, scheme := server.Serve, "http"
	if b.tls {
		own, err := ownCertificate()
		if err != nil {
			return "", nil, nil, errors.Join(err, listener.Close())
		}
		trusted := x509.NewCertPool()
		trusted.AddCert(own.Leaf)
		server.TLSConfig = &tls.Config{Certificates: []tls.Certificate{own}, MinVersion: tls.VersionTLS13}
		transport.TLSClientConfig = &tls.Config{RootCAs: trusted, MinVersion: tls.VersionTLS13}
		transport.ForceAttemptHTTP2 = true
		serve, scheme = func(l net.Listener) error { return server.ServeTLS(l, "", "") }, "https"
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = serve(listener) // until stop closes it; a request that fails before then reports why
	}()
	stop = func() {
		transport.CloseIdleConnections()
		_ = server.Close()
		<-ended
	}
	return scheme + "://" + listener.Addr().String() + "/chat", &http.Client{Transport: transport}, stop, nil
}

func postJSON(ctx context.Context, client *http.Client, url, body string) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	res, err := client.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	if err == nil && res.StatusCode != http.StatusOK {
		err = fmt.Errorf("POST /chat: %s: %s", res.Status, answer)
	}
	return answer, err
}

// requestBody is the n-th request of a connection: the question in a conversation of its own, then the
// answer.
func (b *httpFlags) requestBody(connection, n int) string {
	text := question
	if n%2 == 1 {
		text = orderNumber
	}
	body, err := json.Marshal(map[string]string{"message": text, "conversation_id": fmt.Sprintf("c-%d-%d-%t", connection, n/2, b.warm)})
	if err != nil {
		panic(err) // two texts are always JSON
	}
	return string(body)
}

func (b *httpFlags) conversation(post func(string) ([]byte, error), connection, n int) error {
	answer, err := post(b.requestBody(connection, n))
	if err != nil {
		return err
	}
	var reply struct {
		Reply string
		Asked *string
	}
	if err := json.Unmarshal(answer, &reply); err != nil {
		return fmt.Errorf("POST /chat: %w", err)
	}
	if asked := reply.Asked != nil; asked != (n%2 == 0) {
		return fmt.Errorf("request %d of a connection was answered with %q", n+1, reply.Reply)
	}
	return nil
}

func (b *httpFlags) echo(post func(string) ([]byte, error), connection, n int) error {
	body := b.requestBody(connection, n)
	answer, err := post(body)
	if err == nil && !bytes.Equal(answer, []byte(body)) {
		err = errors.New("the echo handler changed a request")
	}
	return err
}
