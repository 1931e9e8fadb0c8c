package harness

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/signal"
)

// Report is what a run found.
type Report interface {
	// Print writes it for people.
	Print(out io.Writer)
	// Violations lists what must not be; an empty list is a success.
	Violations() []string
}

// Violations collects what must not be.
type Violations []string

// If adds what is wrong if it is.
func (v *Violations) If(wrong bool, what string) {
	if wrong {
		*v = append(*v, what)
	}
}

// Conclude prints a report to stdout, as JSON or for people, and its violations to stderr,
// each after a prefix. It returns the exit code: 1 if there are any.
func Conclude(r Report, asJSON bool, stdout, stderr io.Writer, prefix string) (code int) {
	if asJSON {
		_ = json.NewEncoder(stdout).Encode(r) // standard output
	} else {
		r.Print(stdout)
	}
	for _, v := range r.Violations() {
		fmt.Fprintln(stderr, prefix+v)
		code = 1
	}
	return code
}

// Main runs a command until its end or an interrupt, and exits with its code.
func Main(run func(ctx context.Context, args []string, stdout, stderr io.Writer) int) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}
