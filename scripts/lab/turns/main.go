// Command turns measures how well a reader understands single turns:
//
//	go run -C scripts/lab ./turns FILE...
//
// It prints one JSON object. Package turnset says what the files hold.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"

	"github.com/slotway/slotway/scripts/lab/turnset"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// run is main without the process. It returns the exit code.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("turns", flag.ContinueOnError)
	flags.SetOutput(stderr)
	wrong := flags.String("wrong", "", "write each turn that was understood otherwise into this file, one JSON object a line")
	agent := flags.String("agent", "", "this agent alone")
	kept := flags.Bool("kept", false, "only the trades that the reader has not learned from")
	encoder := flags.String("encoder", "auto", "classifier.encoder of the agents: off leaves the rules alone")
	values := flags.Bool("values", false, "read the words of the labelled values alone, and print how many are right by type")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	if flags.NArg() == 0 {
		fmt.Fprintln(stderr, "turns: usage: turns [-wrong FILE] [-agent NAME] [-kept] [-encoder off] FILE...; no file was given")
		return 2
	}
	var report any
	var err error
	if *values {
		report, err = measureValues(flags.Args(), *wrong)
	} else {
		of := func(turn *turnset.Turn) bool {
			return (*agent == "" || turn.Agent == *agent) && (!*kept || turnset.Kept(turn.Agent))
		}
		report, err = measure(ctx, flags.Args(), of, *encoder, *wrong)
	}
	if err == nil {
		out := json.NewEncoder(stdout)
		out.SetIndent("", "  ")
		err = out.Encode(report)
	}
	if err != nil {
		fmt.Fprintln(stderr, "turns: "+err.Error())
		return 1
	}
	return 0
}

// lines returns an encoder of one object a line into a new file, nil without a path.
func lines(path string) (*json.Encoder, func() error, error) {
	if path == "" {
		return nil, func() error { return nil }, nil
	}
	f, err := os.Create(path)
	if err != nil {
		return nil, nil, err
	}
	out := json.NewEncoder(f)
	out.SetEscapeHTML(false)
	return out, f.Close, nil
}

// measure reads those turns of the files that of has, with agents that have this setting of the encoder.
func measure(ctx context.Context, paths []string, of func(*turnset.Turn) bool, encoder, wrong string) (*report, error) {
	s := newScore()
	out, end, err := lines(wrong)
	if err != nil {
		return nil, err
	}
	defer end()
	s.wrong = out
	for _, path := range paths {
		file, err := turnset.Read(path)
		if err != nil {
			return nil, err
		}
		readers := turnset.NewRuntimes(file, encoder)
		for _, turn := range file.Turns {
			if !of(turn) {
				continue
			}
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			reader, err := readers.For(turn)
			if err != nil {
				return nil, fmt.Errorf("%s:%d: %w", path, turn.Line, err)
			}
			reading, err := reader.Read(ctx, turn.State, turn.Message)
			if err != nil {
				return nil, fmt.Errorf("%s:%d: %w", path, turn.Line, err)
			}
			if err := s.add(path, turn, reading); err != nil {
				return nil, err
			}
		}
	}
	r := s.report()
	return &r, nil
}

// valueReport says how values of one type were read in their words alone.
type valueReport struct {
	Values int     `json:"values"`
	Right  int     `json:"right"`
	Other  int     `json:"other"` // read as another value, which is worse than not at all
	Share  float64 `json:"share"`
}

// measureValues reads the words of the labelled values of the files.
func measureValues(paths []string, wrong string) (map[string]*valueReport, error) {
	out, end, err := lines(wrong)
	if err != nil {
		return nil, err
	}
	defer end()
	types := map[string]*valueReport{}
	for _, path := range paths {
		file, err := turnset.Read(path)
		if err != nil {
			return nil, err
		}
		said, err := file.Values()
		if err != nil {
			return nil, err
		}
		for _, v := range said {
			for _, of := range []*valueReport{at(types, v.Type), at(types, "all")} {
				of.Values++
				of.Right += count(v.Right)
				of.Other += count(!v.Right && v.Got != nil)
				of.Share = share(of.Right, of.Values)
			}
			if out == nil || v.Right {
				continue
			}
			if err := out.Encode(v); err != nil {
				return nil, err
			}
		}
	}
	return types, nil
}
