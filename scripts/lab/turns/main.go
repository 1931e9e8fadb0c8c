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
	if err := flags.Parse(args); err != nil {
		return 2
	}
	if flags.NArg() == 0 {
		fmt.Fprintln(stderr, "turns: usage: turns [-wrong FILE] [-agent NAME] FILE...; no file was given")
		return 2
	}
	s, err := measure(ctx, flags.Args(), *agent, *wrong)
	if err == nil {
		out := json.NewEncoder(stdout)
		out.SetIndent("", "  ")
		err = out.Encode(s.report())
	}
	if err != nil {
		fmt.Fprintln(stderr, "turns: "+err.Error())
		return 1
	}
	return 0
}

// measure reads all turns of the files; agent "" is all agents.
func measure(ctx context.Context, paths []string, agent, wrong string) (*score, error) {
	s := newScore()
	if wrong != "" {
		f, err := os.Create(wrong)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		s.wrong = json.NewEncoder(f)
		s.wrong.SetEscapeHTML(false)
	}
	for _, path := range paths {
		file, err := turnset.Read(path)
		if err != nil {
			return nil, err
		}
		readers := turnset.NewRuntimes(file)
		for _, turn := range file.Turns {
			if agent != "" && turn.Agent != agent {
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
	return s, nil
}
