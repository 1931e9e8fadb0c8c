package main

import (
	"bytes"
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
)

// row is a runtime with its figures.
type row struct {
	runtime
	version   string
	many, one figures
	failed    string // why it has no figures; "": it has
}

// rowsOf makes the rows: first what is kept on disk, each part by speed, and failures last.
func rowsOf(all *results, peers string) ([]row, error) {
	var rows []row
	for _, r := range runtimes {
		row := row{runtime: r, many: all.of[r.id][many], one: all.of[r.id][one], failed: all.reason(r.id)}
		if row.failed == "" { // its folder may not even be there
			var err error
			if row.version, err = r.versionOf(peers); err != nil {
				return nil, err
			}
		}
		rows = append(rows, row)
	}
	slices.SortStableFunc(rows, func(a, b row) int {
		return cmp.Or(-compareBool(a.onDisk, b.onDisk), compareBool(a.failed != "", b.failed != ""), cmp.Compare(b.many.median(perS), a.many.median(perS)))
	})
	return rows, nil
}

// compareBool orders false before true.
func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// writeTable writes the comparison as Markdown.
func writeTable(out io.Writer, rows []row) {
	fmt.Fprintln(out, "| | kept | reads a message by | turns a second, 64 conversations at once | p50 / p99 | CPU a turn | turns a second, 1 conversation |")
	fmt.Fprintln(out, "| --- | --- | --- | --- | --- | --- | --- |")
	for _, r := range rows {
		name := r.named(r.version)
		if r.ours {
			name = "**" + name + "**"
		}
		cells := []string{name, r.kept, r.reads}
		if r.failed != "" {
			cells = append(cells, "not measured: "+r.failed, "", "", "")
		} else {
			cells = append(cells, rate(r.many), micros(r.many.median(p50))+" / "+micros(r.many.median(p99)), micros(r.many.median(cpu)), rate(r.one))
		}
		fmt.Fprintf(out, "| %s |\n", strings.Join(cells, " | "))
	}
}

// writeRatios writes what the table says about Slotway, in sentences.
func writeRatios(out io.Writer, rows []row) {
	find := func(id string) row { return rows[slices.IndexFunc(rows, func(r row) bool { return r.id == id })] }
	us := find("slotway-durable-sql")
	if us.failed != "" {
		return
	}
	var parts []string
	for _, id := range []string{"langgraph-sqlite", "langgraph-sqliteFULL", "adk-go-sqliteFULL", "proto-sqlite-FULL"} {
		if r := find(id); r.failed == "" {
			parts = append(parts, fmt.Sprintf("%s (%s) times those of %s", factor(us.many, r.many), factor(us.one, r.one), r.label()))
		}
	}
	if len(parts) > 0 {
		fmt.Fprintf(out, "With 64 conversations at once (with 1), the turns of Slotway on disk are %s.\n", join(parts))
	}
	fmt.Fprintf(out, "Slotway ran before and after the others, with %s turns a second on disk; bare commits of the same rows came to %s a second.\n",
		spread(us.many, perS), spread(us.many, raw))
}

// factor is the ratio of two medians.
func factor(a, b figures) string {
	return strconv.FormatFloat(a.median(perS)/b.median(perS), 'f', digits(a.median(perS)/b.median(perS)), 64)
}

// digits are as many as make two or more figures that count.
func digits(f float64) int {
	switch {
	case f >= 10:
		return 0
	case f >= 1:
		return 1
	}
	return 2
}

// rate is the median of turns a second, with the range if there are several runs, and with the
// conversations that failed.
func rate(f figures) string {
	s := thousands(f.median(perS))
	if v := f.values(perS); len(v) > 1 {
		s += " (" + thousands(v[0]) + " to " + thousands(v[len(v)-1]) + ")"
	}
	if n := f.lost(); n > 0 {
		s += fmt.Sprintf("; %s conversations failed: %s", thousands(float64(n)), oneLine(f[slices.IndexFunc(f, func(r result) bool { return r.Lost > 0 })].Error))
	}
	return s
}

// spread lists every value in the order of the run.
func spread(f figures, of func(result) float64) string {
	var parts []string
	for _, r := range f {
		parts = append(parts, thousands(of(r)))
	}
	return join(parts)
}

// join lists things as a sentence does.
func join(parts []string) string {
	if len(parts) < 2 {
		return strings.Join(parts, "")
	}
	return strings.Join(parts[:len(parts)-1], ", ") + " and " + parts[len(parts)-1]
}

// thousands writes a whole number with commas.
func thousands(f float64) string {
	s := strconv.FormatFloat(f, 'f', 0, 64)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// micros writes microseconds in the unit that suits them.
func micros(f float64) string {
	switch {
	case f >= 999_500:
		return strconv.FormatFloat(f/1e6, 'f', 1, 64) + " s"
	case f >= 1000:
		return strconv.FormatFloat(f/1000, 'f', digits(f/1000), 64) + " ms"
	}
	return strconv.FormatFloat(f, 'f', digits(f), 64) + " µs"
}

// runTable writes the table and the chart. It fails if a runtime has no figures.
func runTable(args []string, stdout, stderr io.Writer) error {
	fs := flag.NewFlagSet("table", flag.ContinueOnError)
	peers := fs.String("peers", "", "folder of the harnesses, for the versions")
	md := fs.String("md", "", "file for the table and the ratios; they are printed anyway")
	svg := fs.String("svg", "", "file for the chart")
	into := fs.String("into", "", "document in which the table and the ratios replace what stands between its two marks")
	file, err := parse(fs, args, stderr)
	if err != nil {
		return err
	}
	in, err := os.Open(file)
	if err != nil {
		return err
	}
	defer in.Close()
	all, err := readResults(in)
	if err != nil {
		return err
	}
	rows, err := rowsOf(all, *peers)
	if err != nil {
		return err
	}
	var text, chart bytes.Buffer
	writeTable(&text, rows)
	fmt.Fprintln(&text)
	writeRatios(&text, rows)
	writeChart(&chart, rows)
	_, err = stdout.Write(text.Bytes())
	if err := errors.Join(err, save(*md, text.Bytes()), save(*svg, chart.Bytes()), replace(*into, text.String())); err != nil {
		return err
	}
	for _, r := range rows {
		if r.failed != "" {
			fmt.Fprintf(stderr, "bench table: %s: %s\n", r.id, r.failed)
			err = errWorse
		}
	}
	return err
}

// save writes a file; name "": none.
func save(name string, data []byte) error {
	if name == "" {
		return nil
	}
	return os.WriteFile(name, data, 0o644)
}

// The marks around what -into replaces.
const (
	beginMark = "<!-- Made by scripts/bench/peers.sh. -->"
	endMark   = "<!-- End of what scripts/bench/peers.sh made. -->"
)

// replace puts text between the marks of a document; name "": nowhere.
func replace(name, text string) error {
	if name == "" {
		return nil
	}
	doc, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	before, rest, begins := strings.Cut(string(doc), beginMark)
	_, after, ends := strings.Cut(rest, endMark)
	if !begins || !ends {
		return fmt.Errorf("%s has no place for the table: it lacks %q or %q", name, beginMark, endMark)
	}
	return save(name, []byte(before+beginMark+"\n\n"+text+"\n"+endMark+after))
}
