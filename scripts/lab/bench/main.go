// Command bench measures the program as a whole, beside `slotway bench turns`:
//
//	go run -C scripts/lab ./bench http  [-tls] [-connections N] [-duration D]
//	go run -C scripts/lab ./bench start -program FILE [-runs N]
//
// Each prints one JSON object.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"time"
)

// The conversation that is measured: that of `slotway bench turns`.
const (
	question    = "I want to check my order"
	orderNumber = "It's O-12345"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// errUsage is a wrong command line.
var errUsage = errors.New("usage: bench http|start [flags]")

// run is main without the process. It returns the exit code.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	figures, err := perform(ctx, args, stderr)
	if err == nil {
		out := json.NewEncoder(stdout)
		out.SetIndent("", "  ")
		err = out.Encode(figures)
	}
	switch {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case errors.Is(err, errUsage):
		fmt.Fprintln(stderr, "bench: "+err.Error())
		return 2
	case err != nil:
		fmt.Fprintln(stderr, "bench: "+err.Error())
		return 1
	}
	return 0
}

// perform reads the command line and measures.
func perform(ctx context.Context, args []string, stderr io.Writer) (any, error) {
	if len(args) == 0 {
		return nil, errUsage
	}
	fs := flag.NewFlagSet("bench "+args[0], flag.ContinueOnError)
	fs.SetOutput(stderr)
	h, s := httpFlags{set: settingsFlag{}}, startFlags{set: settingsFlag{}}
	switch args[0] {
	case "http":
		fs.IntVar(&h.connections, "connections", 64, "connections, each with one request at a time")
		fs.StringVar(&h.durability, "durability", "durable", "durable, relaxed, or none: kept in memory only")
		fs.StringVar(&h.tools, "tools", "sql", "sql: the demo shop's database; static: fixed results, which leaves the runtime alone")
		fs.DurationVar(&h.duration, "duration", 5*time.Second, "how long to measure each handler")
		fs.BoolVar(&h.tls, "tls", false, "over TLS 1.3 with HTTP/2")
		fs.StringVar(&h.cpuProfile, "cpuprofile", "", "write a CPU profile of the measured turns to this file, for 'go tool pprof'")
		fs.Var(h.set, "set", "a setting, NAME=VALUE; may be repeated")
	case "start":
		fs.StringVar(&s.program, "program", "", "the program's file, as go build makes it")
		fs.IntVar(&s.runs, "runs", 20, "starts of each kind")
		fs.Var(s.set, "set", "a setting, NAME=VALUE; may be repeated")
	default:
		return nil, fmt.Errorf("%w; there is no %q", errUsage, args[0])
	}
	if err := fs.Parse(args[1:]); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return nil, err
		}
		return nil, fmt.Errorf("%w: %w", errUsage, err)
	}
	if args[0] == "start" {
		if s.program == "" || s.runs < 1 {
			return nil, fmt.Errorf("%w; start needs -program, and -runs above zero", errUsage)
		}
		return measureStart(ctx, s)
	}
	if h.connections < 1 || h.duration <= 0 {
		return nil, fmt.Errorf("%w; -connections and -duration are above zero", errUsage)
	}
	return measureHTTP(ctx, h)
}

// settingsFlag takes settings as NAME=VALUE.
type settingsFlag map[string]string

// String implements flag.Value.
func (s settingsFlag) String() string { return fmt.Sprint(map[string]string(s)) }

// Set implements flag.Value.
func (s settingsFlag) Set(text string) error {
	name, value, found := strings.Cut(text, "=")
	if !found {
		return fmt.Errorf("%q has no =; write NAME=VALUE", text)
	}
	s[name] = value
	return nil
}
