package main

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// linesOf are two runs of Slotway and one of all others but those named; a runtime's place in the
// list is its speed.
func linesOf(without ...string) string {
	var b strings.Builder
	for i, sessions := range []int{64, 1, 64, 1} {
		for _, how := range []string{`"durable","tools":"sql"`, `"none","tools":"static"`} {
			fmt.Fprintf(&b, `{"sessions":%d,"durability":%s,"turns":9,"turns_per_s":%d,"p50_us":480.4,"p99_us":20000,"cpu_us_per_turn":211,"raw_commits_per_s":20000}`+"\n",
				sessions, how, 8000+i*100)
		}
	}
	for i, r := range runtimes {
		if r.ours || slices.Contains(without, r.id) {
			continue
		}
		for _, scenario := range []string{"c1", "c64", "hist"} {
			fmt.Fprintf(&b, `{"peer":%q,"persist":"file","scenario":%q,"turns":9,"turns_per_s":%d,"p50_us":5.5,"p99_us":1400000}`+"\n", r.id, scenario, 100*(i+1))
		}
	}
	return b.String()
}

// rowsFrom reads lines without versions.
func rowsFrom(t *testing.T, lines string) []row {
	t.Helper()
	all, err := readResults(strings.NewReader(lines))
	if err != nil {
		t.Fatal(err)
	}
	rows, err := rowsOf(all, "")
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func TestTable(t *testing.T) {
	lines := linesOf("eino", "nlpjs", "adk-go-sqliteFULL") + `{"peer":"eino","failed":"it cannot be built: no such | file"}
{"peer":"adk-go-sqliteFULL","scenario":"c64","turns":9,"turns_per_s":54.4,"p50_us":3700,"p99_us":533000,"cpu_us_per_turn":3000,"failed_conversations":3,"first_error":"database is locked"}
{"peer":"adk-go-sqliteFULL","scenario":"c1","turns":9,"turns_per_s":179}
`
	rows := rowsFrom(t, lines)
	var out strings.Builder
	writeTable(&out, rows)
	for _, want := range []string{
		"| **Slotway** | SQLite (WAL, synchronous FULL), before the reply; tools ask SQLite | classifier, slots, dialogue rules | 8,100 (8,000 to 8,200) | 480 µs / 20 ms | 211 µs | 8,200 (8,100 to 8,300) |",
		"| 54; 3 conversations failed: database is locked | 3.7 ms / 533 ms | 3.0 ms | 179 |",
		"| eino | in memory | one pattern | not measured: it cannot be built: no such / file |  |  |  |",
		"| nlp.js | nothing | classifier, slots | not measured: it was not run |  |  |  |",
		"5.5 µs / 1.4 s",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the table lacks %q:\n%s", want, &out)
		}
	}
	// What is on disk comes first, by speed, and what failed last in its group.
	var order []string
	for _, r := range rows {
		order = append(order, r.id)
	}
	want := []string{
		"slotway-durable-sql", "langgraph-sqliteFULL", "langgraph-sqlite", "proto-sqlite-OFF", "proto-sqlite-FULL", "adk-go-sqliteFULL",
		"slotway-none-static", "botbuilder", "xstate-snapshot", "adk-go-memory", "langgraph-memory", "looplab-fsm", "proto-memory", "eino", "nlpjs",
	}
	if diff := cmp.Diff(want, order); diff != "" {
		t.Errorf("order (-want +got)\n%s", diff)
	}
}

func TestRatios(t *testing.T) {
	var out strings.Builder
	writeRatios(&out, rowsFrom(t, linesOf("langgraph-sqliteFULL")))
	want := `With 64 conversations at once (with 1), the turns of Slotway on disk are 12 (12) times those of LangGraph.js, 8.1 (8.2) times those of Google ADK for Go and 27 (27) times those of a bare loop.
Slotway ran before and after the others, with 8,000 and 8,200 turns a second on disk; bare commits of the same rows came to 20,000 and 20,000 a second.
`
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	out.Reset()
	writeRatios(&out, rowsFrom(t, `{"peer":"eino","failed":"x"}`))
	if out.Len() > 0 {
		t.Errorf("without a figure of ours: %q", &out)
	}
}

// TestChart: the picture is XML, has each bar, stays inside its frame and stands for failures.
func TestChart(t *testing.T) {
	for name, lines := range map[string]string{
		"all": linesOf(), "some": linesOf("eino", "langgraph-memory"), "none": "", "broken": `{"peer":"eino","failed":"<&>"}`,
	} {
		t.Run(name, func(t *testing.T) {
			rows := rowsFrom(t, lines)
			var out strings.Builder
			writeChart(&out, rows)
			checkXML(t, out.String())
			for _, r := range rows {
				if !strings.Contains(out.String(), ">"+r.label()+"<") {
					t.Errorf("no bar for %s", r.label())
				}
			}
			failed := 0
			for _, r := range rows {
				if r.failed != "" {
					failed++
				}
			}
			if n := strings.Count(out.String(), ">not measured<"); n != failed {
				t.Errorf("%d bars stand for failures, want %d", n, failed)
			}
			if s := scaleOf(rows); s.x(1e12) < plotLeft || s.from >= s.to {
				t.Errorf("scale %+v", s)
			}
			if bad := regexp.MustCompile(`NaN|Inf|%!`).FindString(out.String()); bad != "" {
				t.Errorf("a place is no number: %s in\n%s", bad, &out)
			}
		})
	}
}

// checkXML reads a document to its end.
func checkXML(t *testing.T, doc string) {
	t.Helper()
	for dec := xml.NewDecoder(strings.NewReader(doc)); ; {
		_, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatalf("%v in:\n%s", err, doc)
		}
	}
}

// TestRunTable: the files are written, the place in the document is filled, and a failure shows in
// the exit code.
func TestRunTable(t *testing.T) {
	dir := t.TempDir()
	lines, md, svg, doc := filepath.Join(dir, "lines"), filepath.Join(dir, "md"), filepath.Join(dir, "svg"), filepath.Join(dir, "doc.md")
	write := func(file, text string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	read := func(file string) string {
		t.Helper()
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	write(lines, linesOf())
	write(doc, "# Before\n\n"+beginMark+"\n\nold\n\n"+endMark+"\n\nafter\n")
	var out, errs strings.Builder
	if code := run(t.Context(), []string{"table", "-md", md, "-svg", svg, "-into", doc, lines}, &out, &errs); code != 0 {
		t.Fatalf("code %d: %s", code, &errs)
	}
	table := read(md)
	if want := "# Before\n\n" + beginMark + "\n\n" + table + "\n" + endMark + "\n\nafter\n"; read(doc) != want || table != out.String() {
		t.Errorf("document:\n%s\nprinted:\n%s", read(doc), &out)
	}
	checkXML(t, read(svg))

	write(lines, linesOf("eino"))
	if code := run(t.Context(), []string{"table", lines}, &out, &errs); code != 1 || !strings.Contains(errs.String(), "eino: it was not run") {
		t.Errorf("with a missing runtime: code %d, %s", code, &errs)
	}
	write(doc, "no marks")
	for _, args := range [][]string{{"table", "-into", doc, lines}, {"table", lines + "x"}, {"table", "-peers", dir, lines}} {
		if code := run(t.Context(), args, &out, &errs); code != 2 {
			t.Errorf("bench %v: code %d, want 2", args, code)
		}
	}
}

func TestFailedLine(t *testing.T) {
	var out, errs strings.Builder
	if code := run(t.Context(), []string{"failed", "-peer", "eino", "two\nlines | <b>"}, &out, &errs); code != 0 {
		t.Fatalf("code %d: %s", code, &errs)
	}
	if want := `{"peer":"eino","failed":"two lines / b"}` + "\n"; out.String() != want {
		t.Errorf("%q, want %q", &out, want)
	}
}

func TestVersionOf(t *testing.T) {
	dir := t.TempDir()
	for file, text := range map[string]string{
		"go-eino/go.mod":           "module peer\nrequire (\n\tgithub.com/cloudwego/eino v0.7.36\n)\n",
		"nlpjs/package-lock.json":  `{"packages":{"node_modules/node-nlp":{"version":"4.27.0"}}}`,
		"xstate/package-lock.json": `{`,
		"go-adk/go.mod":            "module peer\n",
	} {
		if err := errors.Join(os.MkdirAll(filepath.Join(dir, filepath.Dir(file)), 0o700), os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	want := map[string]string{"eino": "0.7.36", "nlpjs": "4.27.0", "xstate-snapshot": "error", "adk-go-memory": "error", "proto-memory": "", "botbuilder": "error"}
	for _, r := range runtimes {
		expected, asked := want[r.id]
		if !asked {
			continue
		}
		got, err := r.versionOf(dir)
		if err != nil {
			got = "error"
		}
		if got != expected {
			t.Errorf("%s: %q (%v), want %q", r.id, got, err, expected)
		}
	}
}

func TestUnits(t *testing.T) {
	for f, want := range map[float64]string{0.4: "0.40 µs", 1.06: "1.1 µs", 999: "999 µs", 1000: "1.0 ms", 20_300: "20 ms", 999_600: "1.0 s"} {
		if got := micros(f); got != want {
			t.Errorf("micros(%v) is %q, want %q", f, got, want)
		}
	}
	for f, want := range map[float64]string{0: "0", 999: "999", 1000: "1,000", 1_234_567.4: "1,234,567"} {
		if got := thousands(f); got != want {
			t.Errorf("thousands(%v) is %q, want %q", f, got, want)
		}
	}
}
