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
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/slotway/slotway"
	"github.com/slotway/slotway/router/telemetry"
)

// benchHTTP configures `bench http`.
type benchHTTP struct {
	benchFlags
	tls bool
}

func newBenchHTTP(f *flags) *cobra.Command {
	var b benchHTTP
	cmd := &cobra.Command{
		Use: "http",
		Example: `  slotway bench http
  slotway bench http --tls --json`,
		Short: "Measure POST /chat beside a handler that only echoes",
		Long: `Measure the order lookup of "slotway bench turns" through POST /chat, and in the same run how many
requests of the same size a handler answers that only sends each body back. Server and clients share
the machine and the process.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := b.check(); err != nil {
				return err
			}
			result, err := b.measure(cmd, f)
			if err != nil {
				return err
			}
			return output(cmd, b.json, result, printBenchHTTP)
		},
	}
	fl := cmd.Flags()
	fl.IntVar(&b.sessions, "connections", 64, "connections, each with one request at a time")
	fl.StringVar(&b.durability, "durability", "durable", "durable, relaxed, or none: kept in memory only")
	fl.DurationVar(&b.duration, "duration", 5*time.Second, "how long to measure each handler")
	fl.StringVar(&b.tools, "tools", "sql", "sql: the demo shop's database; static: fixed results, which leaves the runtime alone")
	fl.BoolVar(&b.tls, "tls", false, "over TLS 1.3 with HTTP/2")
	fl.StringVar(&b.cpuProfile, "cpuprofile", "", "write a CPU profile of the measured turns to this file, for 'go tool pprof'")
	fl.BoolVar(&b.json, "json", false, "one JSON object")
	return cmd
}

// benchHTTPResult is the result of `bench http`.
type benchHTTPResult struct {
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

func printBenchHTTP(out io.Writer, r *benchHTTPResult) error {
	return printRows(out, [][2]string{
		{"turns per second", fmt.Sprintf("%.0f (%d turns, %d connections, %s, tools %s)", r.TurnsPerS, r.Turns, r.Connections, r.Durability, r.Tools)},
		{"of an echo handler", fmt.Sprintf("%.2f of %.0f requests per second", r.Ratio, r.EchoPerS)},
		{"a turn takes", fmt.Sprintf("%.0f µs (p50), %.0f µs (p99)", r.P50, r.P99)},
		{"a turn costs", fmt.Sprintf("%.0f µs of CPU with its client; an echo %.0f µs", r.CPU, r.EchoCPU)},
	})
}

// measure measures the service, then the echo handler.
func (b *benchHTTP) measure(cmd *cobra.Command, f *flags) (r *benchHTTPResult, err error) {
	dir, err := os.MkdirTemp(f.data, "slotway-bench-")
	if err != nil {
		return nil, fmt.Errorf("make a folder for the bench: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	ctx := cmd.Context()
	set := *f
	set.set = append(slices.Clone(f.set), "server.limits.rate=0") // one client sends everything
	a, err := b.appWith(ctx, &set, filepath.Join(dir, "turns"), slotway.Options{Sink: telemetry.NewLog(io.Discard, telemetry.LevelInfo)})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, a.Close()) }()
	if err := b.warmUp(ctx, a); err != nil {
		return nil, err
	}
	r = &benchHTTPResult{Connections: b.sessions, Durability: b.durability, Tools: b.tools, TLS: b.tls}
	profiled, err := profile(b.cpuProfile)
	if err != nil {
		return nil, err
	}
	turns, err := b.load(cmd, "turns", a.Handler(), b.conversation)
	if err := errors.Join(err, profiled()); err != nil {
		return nil, err
	}
	echo, err := b.load(cmd, "echo", http.HandlerFunc(echoBody), b.echo)
	if err != nil {
		return nil, err
	}
	r.Turns, r.TurnsPerS, r.CPU = len(turns.took), turns.rate, turns.cpu
	r.P50, r.P99 = quantile(turns.took, 0.5), quantile(turns.took, 0.99)
	r.EchoPerS, r.EchoCPU, r.Ratio = echo.rate, echo.cpu, turns.rate/echo.rate
	return r, nil
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

// exchange sends the n-th request of a connection and checks the answer.
type exchange func(post func(body string) ([]byte, error), connection, n int) error

// load serves a handler on a port of its own and sends it requests until the time is over.
func (b *benchHTTP) load(cmd *cobra.Command, what string, handler http.Handler, send exchange) (*loaded, error) {
	url, client, stop, err := b.listen(cmd.Context(), handler)
	if err != nil {
		return nil, err
	}
	defer stop()
	ctx, cancel := context.WithCancelCause(cmd.Context())
	defer cancel(nil)
	post := func(body string) ([]byte, error) { return postJSON(ctx, client, url, body) }
	took := make([][]time.Duration, b.sessions)
	cpu, begin := cpuTime(), time.Now()
	bar := timeBar(cmd, what, b.duration)
	var wg sync.WaitGroup
	for c := range b.sessions {
		wg.Go(func() {
			for n := 0; ctx.Err() == nil && time.Since(begin) < b.duration; n++ {
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
	cpu = cpuTime() - cpu
	bar()
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	all := slices.Concat(took...)
	slices.Sort(all)
	n := float64(len(all))
	return &loaded{took: all, rate: n / elapsed.Seconds(), cpu: float64(cpu.Microseconds()) / n}, nil
}

// listen serves a handler on this machine, and returns the URL of its chat and a client for it.
func (b *benchHTTP) listen(ctx context.Context, handler http.Handler) (url string, client *http.Client, stop func(), err error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, nil, fmt.Errorf("listen: %w", err)
	}
	transport := &http.Transport{MaxIdleConnsPerHost: b.sessions, DisableCompression: true}
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
func requestBody(connection, n int) string {
	text := benchQuestion
	if n%2 == 1 {
		text = benchAnswer
	}
	body, err := json.Marshal(map[string]string{"message": text, "conversation_id": "c-" + strconv.Itoa(connection) + "-" + strconv.Itoa(n/2)})
	if err != nil {
		panic(err) // two texts are always JSON
	}
	return string(body)
}

func (b *benchHTTP) conversation(post func(string) ([]byte, error), connection, n int) error {
	answer, err := post(requestBody(connection, n))
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

func (b *benchHTTP) echo(post func(string) ([]byte, error), connection, n int) error {
	body := requestBody(connection, n)
	answer, err := post(body)
	if err == nil && !bytes.Equal(answer, []byte(body)) {
		err = errors.New("the echo handler changed a request")
	}
	return err
}
