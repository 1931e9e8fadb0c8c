package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

func main() {
	hold := flag.Int("hold", 0, "which fifth of the trades is held out, 0 to 4")
	share := flag.Float64("share", 1, "learn from this share of the other trades")
	flag.Parse()
	if err := run(*hold, *share); err != nil {
		fmt.Fprintln(os.Stderr, "reader: "+err.Error())
		os.Exit(1)
	}
}

func run(hold int, share float64) error {
	paths, err := filepath.Glob("train/reader/turns/*.jsonl")
	if err != nil {
		return fmt.Errorf("find the turns: %w", err)
	}
	if len(paths) == 0 {
		return fmt.Errorf("no turns in train/reader/turns: run it by go run -C scripts/lab ./train/reader")
	}
	slices.Sort(paths)
	c, err := readTurns(paths)
	if err != nil {
		return err
	}
	c.hold(hold, share)
	features := c.number()
	fmt.Printf("%d samples, %d features\n", len(c.all), features)
	c.report(c.fit(features))
	return nil
}
