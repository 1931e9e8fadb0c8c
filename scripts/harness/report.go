package harness

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/signal"
)

// Report holds the findings of a run. It encodes as JSON.
type Report interface {
	// Print writes the findings for people to read.
	Print(out io.Writer)
	// Violations lists the findings that make the run fail.
	Violations() []string
}

// Violations collects the findings that make a run fail.
type Violations []string

// If adds a finding when wrong holds.
func (v *Violations) If(wrong bool, what string) {
	if wrong {
		*v = append(*v, what)
	}
}

// Conclude prints a report to stdout and its violations to stderr, each after a prefix. It
// returns the exit code: 1 if there are violations, else 0.
func Conclude(r Report, asJSON bool, stdout, stderr io.Writer, prefix string) (code int) {
	if asJSON {
		_ = json.NewEncoder(stdout).Encode(r)
	} else {
		r.Print(stdout)
	}
	for _, v := range r.Violations() {
		fmt.Fprintln(stderr, prefix+v)
		code = 1
	}
	return code
}

// Main runs a command with the arguments of this process and exits with its code. An
// interrupt cancels its context.
func Main(run func(ctx context.Context, args []string, stdout, stderr io.Writer) int) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}
