package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/slotway/slotway/scripts/harness"
)

func main() { harness.Main(run) }

// errWorse reports that the command did its work and found something wrong, which it has printed.
var errWorse = errors.New("worse")

const usage = `usage: bench failed -peer NAME REASON
       bench table [-peers DIR] [-md FILE] [-svg FILE] [-into FILE] RESULTS.jsonl
       bench gate [-time PERCENT] [-allocs PERCENT] COMPARISON.csv
       bench flame [-o FILE] [-title TEXT] PROFILE
`

// run is main with its inputs as arguments. It returns the exit code: 1 if a runtime failed or a
// benchmark got worse, 2 for wrong arguments and whatever else keeps it from its work.
func run(_ context.Context, args []string, stdout, stderr io.Writer) int {
	commands := map[string]func([]string, io.Writer, io.Writer) error{
		"failed": runFailed, "table": runTable, "gate": runGate, "flame": runFlame,
	}
	if len(args) == 0 || commands[args[0]] == nil {
		fmt.Fprint(stderr, usage)
		return 2
	}
	err := commands[args[0]](args[1:], stdout, stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return 2
	case errors.Is(err, errWorse):
		return 1
	case err != nil:
		fmt.Fprintf(stderr, "bench %s: %v\n", args[0], err)
		return 2
	}
	return 0
}

// parse reads the flags of a command that has exactly one argument, and returns that.
func parse(fs *flag.FlagSet, args []string, stderr io.Writer) (string, error) {
	fs.SetOutput(stderr)
	if err := fs.Parse(args); err != nil {
		return "", flag.ErrHelp // the flag package has printed what is wrong
	}
	if fs.NArg() != 1 {
		fmt.Fprint(stderr, usage)
		return "", flag.ErrHelp
	}
	return fs.Arg(0), nil
}

// runFailed prints the line of a runtime without figures, for the table to show the reason.
func runFailed(args []string, stdout, stderr io.Writer) error {
	fs := flag.NewFlagSet("failed", flag.ContinueOnError)
	peer := fs.String("peer", "", "name of the runtime")
	reason, err := parse(fs, args, stderr)
	if err != nil {
		return err
	}
	return json.NewEncoder(stdout).Encode(result{Peer: *peer, Failed: oneLine(reason)})
}

// runGate prints what got worse.
func runGate(args []string, stdout, stderr io.Writer) error {
	fs := flag.NewFlagSet("gate", flag.ContinueOnError)
	var most limits
	fs.Float64Var(&most.time, "time", 10, "how many percent sec/op may rise")
	fs.Float64Var(&most.allocs, "allocs", 2, "how many percent allocs/op may rise")
	file, err := parse(fs, args, stderr)
	if err != nil {
		return err
	}
	in, err := os.Open(file)
	if err != nil {
		return err
	}
	defer in.Close()
	rows, err := readComparison(in)
	if err != nil {
		return err
	}
	if worse := most.worse(rows); len(worse) > 0 {
		for _, w := range worse {
			fmt.Fprintln(stdout, "worse:", w)
		}
		return errWorse
	}
	fmt.Fprintf(stdout, "no benchmark got significantly worse by more than %v %% of time or %v %% of allocations\n", most.time, most.allocs)
	return nil
}
