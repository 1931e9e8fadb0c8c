package main

import (
	"embed"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"github.com/slotway/slotway/classifier/acts"
)

//go:embed phrases fillers.txt
var files embed.FS

func main() {
	out := flag.String("o", "classifier/acts/model.bin", "file to write")
	flag.Parse()
	if err := run(*out); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(out string) error {
	data, note, err := build()
	if err != nil {
		return err
	}
	fmt.Println(note)
	if err := os.WriteFile(out, data, 0o644); err != nil {
		return fmt.Errorf("write the model: %w", err)
	}
	return nil
}

// build makes the model file.
func build() (data []byte, note string, err error) {
	lines, err := readPhrases()
	if err != nil {
		return nil, "", err
	}
	fillers, err := readFillers()
	if err != nil {
		return nil, "", err
	}
	words := vocabulary(lines)
	samples := expand(lines, fillers, words)
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
		f, err := files.Open(name)
		if err != nil {
			return nil, fmt.Errorf("read phrases: %w", err)
		}
		lines, err := acts.ReadLines(name, f)
		f.Close()
		if err != nil {
			return nil, fmt.Errorf("read phrases: %w", err)
		}
		all = append(all, lines...)
	}
	return all, nil
}
