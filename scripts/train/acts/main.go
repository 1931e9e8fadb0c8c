package main

import (
	"embed"
	"flag"
	"fmt"
	"hash/fnv"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/slotway/slotway/classifier/acts"
	"github.com/slotway/slotway/classifier/acts/feature"
	"github.com/slotway/slotway/classifier/eval"
)

//go:embed phrases fillers.txt
var files embed.FS

func main() {
	out := flag.String("o", "classifier/acts/model.bin", "file to write")
	tune := flag.Bool("tune", false, "learn without a fifth of the phrases, measure on them, and write nothing")
	flag.Parse()
	do := func() error { return write(*out) }
	if *tune {
		do = measure
	}
	if err := do(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// write makes the model that ships.
func write(out string) error {
	lines, err := readPhrases()
	if err != nil {
		return err
	}
	data, note, err := build(lines, nil)
	if err != nil {
		return err
	}
	fmt.Println(note)
	if err := os.WriteFile(out, data, 0o644); err != nil {
		return fmt.Errorf("write the model: %w", err)
	}
	return nil
}

// measure says how good a model is on phrases that it has not seen: every fifth of those
// that are no templates.
func measure() error {
	lines, err := readPhrases()
	if err != nil {
		return err
	}
	var seen, held []acts.Line
	for _, l := range lines {
		h := fnv.New32a()
		h.Write([]byte(feature.Key(l.Text)))
		if strings.ContainsAny(l.Text, "({") || h.Sum32()%5 != 0 {
			seen = append(seen, l)
			continue
		}
		for a, p := range l.Acts {
			l.Maybe[a] = l.Maybe[a] || p > 0.25 && p < 0.75
		}
		held = append(held, l)
	}
	data, note, err := build(seen, held)
	if err != nil {
		return err
	}
	m, err := acts.Decode(data)
	if err != nil {
		return fmt.Errorf("read the model: %w", err)
	}
	f := eval.Acts(held, m.Of)
	for _, miss := range f.Missed {
		fmt.Printf("%d %q missing %v extra %v\n", miss.Line, miss.Text, miss.Missing, miss.Extra)
	}
	for _, a := range slices.Sorted(maps.Keys(f.ByAct)) {
		fmt.Printf("%s %.2f  ", a, f.ByAct[a].F1)
	}
	fmt.Printf("\n%s\n%d held out, macro F1 %.4f, all right %.4f, p50 %.1f µs\n", note, len(held), f.MacroF1, f.Exact, f.P50)
	return nil
}

// build makes the model file; it does not learn from the clauses of some.
func build(lines, some []acts.Line) (data []byte, note string, err error) {
	fillers, err := readFillers()
	if err != nil {
		return nil, "", err
	}
	test, err := eval.ActCases()
	if err != nil {
		return nil, "", err
	}
	words := vocabulary(lines, fillers)
	samples := without(expand(lines, fillers, words), slices.Concat(test, some))
	w := fit(samples, words)
	data = acts.Encode(w)
	return data, fmt.Sprintf("%d lines, %d samples, %d words, %d features, %d bytes", len(lines), len(samples), len(w.Words), len(w.Features), len(data)), nil
}

// readPhrases reads every file of phrases, in the order of their names.
func readPhrases() ([]acts.Line, error) {
	names, err := fs.Glob(files, "phrases/*.txt")
	if err != nil {
		return nil, fmt.Errorf("list the phrases: %w", err)
	}
	slices.Sort(names)
	var all []acts.Line
	for _, name := range names {
		lines, err := readLines(name)
		if err != nil {
			return nil, err
		}
		all = append(all, lines...)
	}
	return all, nil
}

func readLines(name string) ([]acts.Line, error) {
	f, err := files.Open(name)
	if err != nil {
		return nil, fmt.Errorf("read phrases: %w", err)
	}
	defer f.Close()
	lines, err := acts.ReadLines(name, f)
	if err != nil {
		return nil, fmt.Errorf("read phrases: %w", err)
	}
	return lines, nil
}
