package main

import (
	"bytes"
	"cmp"
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
	"github.com/slotway/slotway/config/language"
	"github.com/slotway/slotway/scripts/lab/actcases"
)

//go:embed phrases phrases.* fillers.txt
var files embed.FS

func main() {
	tag := flag.String("lang", language.English, "language: its phrases are in phrases.LANG")
	out := flag.String("o", "", "file to write (default: the model of the language in classifier/acts)")
	tune := flag.Bool("tune", false, "learn without a fifth of the phrases, measure on them, and write nothing")
	flag.Parse()
	l := speaking(*tag)
	do := func() error { return l.write(cmp.Or(*out, "../../classifier/acts/"+l.model())) }
	if *tune {
		do = l.measure
	}
	if err := do(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// write makes the model that ships.
func (l *lang) write(out string) error {
	lines, err := l.readPhrases()
	if err != nil {
		return err
	}
	data, note, err := l.build(lines, nil)
	if err != nil {
		return err
	}
	fmt.Println(note)
	if err := os.WriteFile(out, data, 0o644); err != nil {
		return fmt.Errorf("write the model: %w", err)
	}
	return nil
}

// measure measures a model on phrases that it has not seen: every fifth of those without
// placeholders.
func (l *lang) measure() error {
	lines, err := l.readPhrases()
	if err != nil {
		return err
	}
	var seen, held []acts.Line
	for _, p := range lines {
		h := fnv.New32a()
		h.Write([]byte(feature.Key(l.fold(p.Text))))
		if strings.ContainsAny(p.Text, "({") || h.Sum32()%5 != 0 {
			seen = append(seen, p)
			continue
		}
		for a, sure := range p.Acts {
			p.Maybe[a] = p.Maybe[a] || sure > 0.25 && sure < 0.75
		}
		held = append(held, p)
	}
	data, note, err := l.build(seen, held)
	if err != nil {
		return err
	}
	m, err := acts.Decode(l.tag, data)
	if err != nil {
		return fmt.Errorf("read the model: %w", err)
	}
	f := actcases.Measure(held, m.Of)
	for _, miss := range f.Missed {
		fmt.Printf("%d %q missing %v extra %v\n", miss.Line, miss.Text, miss.Missing, miss.Extra)
	}
	for _, a := range slices.Sorted(maps.Keys(f.ByAct)) {
		fmt.Printf("%s %.2f  ", a, f.ByAct[a].F1)
	}
	fmt.Printf("\n%s\n%d held out, macro F1 %.4f, all right %.4f, p50 %.1f µs\n", note, len(held), f.MacroF1, f.Exact, f.P50)
	return nil
}

// build makes the model file. It does not learn from the clauses in some.
func (l *lang) build(lines, some []acts.Line) (data []byte, note string, err error) {
	fillers, err := l.readFillers()
	if err != nil {
		return nil, "", err
	}
	certain, err := l.certain()
	if err != nil {
		return nil, "", err
	}
	lines = slices.Concat(lines, certain)
	var test []acts.Line
	if l.tag == language.English {
		if test, err = actcases.Lines(); err != nil {
			return nil, "", err
		}
	}
	words := l.vocabulary(lines, fillers)
	samples := l.without(l.expand(lines, fillers, words), slices.Concat(test, some))
	w := l.fit(samples, words)
	data = acts.Encode(w)
	return data, fmt.Sprintf("%d lines, %d samples, %d words, %d features, %d bytes", len(lines), len(samples), len(w.Words), len(w.Features), len(data)), nil
}

// readPhrases reads every file of phrases, in the order of their names.
func (l *lang) readPhrases() ([]acts.Line, error) {
	names, err := fs.Glob(files, l.folder()+"/*.txt")
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

// certain returns the phrases of the language's table, one each: people say more around them, as in
// "keine ahnung sorry". English has them among its phrases.
func (l *lang) certain() ([]acts.Line, error) {
	if l.tag == language.English {
		return nil, nil
	}
	data, _ := language.Read(l.tag, "phrases.txt")
	lines, err := acts.ReadLines(l.tag+"/phrases.txt", bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("read the table of phrases: %w", err)
	}
	var all []acts.Line
	for _, line := range lines {
		for phrase := range strings.SplitSeq(line.Text, ", ") {
			one := line
			one.Text = phrase
			all = append(all, one)
		}
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
