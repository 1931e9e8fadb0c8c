package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/pprof/profile"
)

// profileOf makes a CPU profile: stacks of functions, callers first, with the milliseconds in each. A
// function with + before its name is inlined into the one before.
func profileOf(t *testing.T, stacks map[string]int64) []byte {
	t.Helper()
	p := &profile.Profile{
		SampleType: []*profile.ValueType{{Type: "samples", Unit: "count"}, {Type: "cpu", Unit: "nanoseconds"}},
		PeriodType: &profile.ValueType{Type: "cpu", Unit: "nanoseconds"}, Period: 1,
	}
	functions := map[string]*profile.Function{}
	for stack, ms := range stacks {
		var locations []*profile.Location
		for name := range strings.FieldsSeq(stack) {
			name, inlined := strings.CutPrefix(name, "+")
			if functions[name] == nil {
				functions[name] = &profile.Function{ID: uint64(len(functions) + 1), Name: name}
				p.Function = append(p.Function, functions[name])
			}
			line := profile.Line{Function: functions[name]}
			if inlined {
				locations[0].Line = append([]profile.Line{line}, locations[0].Line...)
				continue
			}
			l := &profile.Location{ID: uint64(len(p.Location) + 1), Line: []profile.Line{line}}
			p.Location = append(p.Location, l)
			locations = append([]*profile.Location{l}, locations...)
		}
		p.Sample = append(p.Sample, &profile.Sample{Location: locations, Value: []int64{1, ms * 1e6}})
	}
	var out bytes.Buffer
	if err := p.Write(&out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// aTurn is a profile with what readProfile folds, and one frame below 0.3 %.
var aTurn = map[string]int64{
	"sync.(*WaitGroup).Go.func1 main.talk github.com/slotway/slotway/router.(*Router).Handle github.com/slotway/slotway/classifier/cascade.(*Classifier).Classify regexp.(*Regexp).find regexp.match": 300,
	"sync.(*WaitGroup).Go.func1 main.talk github.com/slotway/slotway/router.(*Router).Handle +github.com/slotway/slotway/planner.Load[...]":                                                           200,
	"sync.(*WaitGroup).Go.func1 github.com/slotway/slotway/memory/sqlite.(*writer).run modernc.org/sqlite/lib.Xstep modernc.org/sqlite/lib.exec syscall.Syscall":                                      400,
	"runtime.gcBgMarkWorker runtime.gcDrain internal/runtime/gc.scan":                                                                                                                                 99,
	"main.tiny": 1,
}

// outline writes a tree, a frame a line.
func outline(f *frame, indent string) string {
	var b strings.Builder
	for _, c := range f.callee {
		b.WriteString(indent + labels(c.name)[0] + "\n" + outline(c, indent+"  "))
	}
	return b.String()
}

func TestReadProfile(t *testing.T) {
	root, err := readProfile(bytes.NewReader(profileOf(t, aTurn)))
	if err != nil {
		t.Fatal(err)
	}
	by := map[*part]int64{}
	root.shares(by, nil)
	shares := map[string]int64{}
	for p, v := range by {
		shares[p.label] = v / 1e6
	}
	// The regular expressions belong to understanding, and the call of the system to SQLite.
	wantShares := map[string]int64{"understanding": 300, "planning": 200, "SQLite": 400, "Go's runtime": 99, "other Slotway code": 1}
	if diff := cmp.Diff(wantShares, shares); diff != "" {
		t.Errorf("shares (-want +got)\n%s", diff)
	}
	root.prune(root.value * 3 / 1000)
	want := `main.talk
  router.(*Router).Handle
    cascade.(*Classifier).Classify
      regexp.(*Regexp).find
    planner.Load
sqlite.(*writer).run
  lib.Xstep
    syscall.Syscall
runtime.gcBgMarkWorker
`
	if diff := cmp.Diff(want, outline(root, "")); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if root.value != 1000e6 || root.depth() != 4 {
		t.Errorf("%d ns, %d levels", root.value, root.depth())
	}
}

func TestLabels(t *testing.T) {
	for name, want := range map[string][]string{
		"github.com/slotway/slotway/router.(*Router).Handle":                      {"router.(*Router).Handle", "(*Router).Handle", "Handle"},
		"github.com/slotway/slotway.Open":                                         {"slotway.Open", "Open"},
		"slices.SortFunc[go.shape.[]github.com/slotway/slotway/config.Intent,go]": {"slices.SortFunc[go.shape.[]github.com/slotway/slotway/config.Intent,go]", "SortFunc[go.shape.[]github.com/slotway/slotway/config.Intent,go]"},
		"slices.SortFunc[...]":                                                    {"slices.SortFunc", "SortFunc"},
		"alone":                                                                   {"alone"},
	} {
		if diff := cmp.Diff(want, labels(name)); diff != "" {
			t.Errorf("labels(%q) (-want +got)\n%s", name, diff)
		}
	}
	for n, want := range map[int]string{2: "", 3: "Ha…", 6: "Handle", 16: "(*Router).Handle", 99: "router.(*Router).Handle"} {
		if got := fitting(labels("x/router.(*Router).Handle"), n); got != want {
			t.Errorf("in %d characters: %q, want %q", n, got, want)
		}
	}
}

func TestRunFlame(t *testing.T) {
	dir := t.TempDir()
	in, out := filepath.Join(dir, "turn.prof"), filepath.Join(dir, "turn.svg")
	if err := os.WriteFile(in, profileOf(t, aTurn), 0o600); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr strings.Builder
	if code := run(t.Context(), []string{"flame", "-title", "A & B", "-o", out, in}, &stdout, &stderr); code != 0 {
		t.Fatalf("code %d: %s", code, &stderr)
	}
	svg, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	checkXML(t, string(svg))
	for _, want := range []string{"A &amp; B", "<title>router.(*Router).Handle: 50.0 %</title>", `<rect class="ps"`, "understanding 30 %", ">libraries<"} {
		if !strings.Contains(string(svg), want) {
			t.Errorf("the picture lacks %q:\n%s", want, svg)
		}
	}
	if scripted := regexp.MustCompile(`(?i)<script|\son\w+=|href|%!`).Find(svg); scripted != nil {
		t.Errorf("the picture is not static, or a place is no number: %s", scripted)
	}
	if code := run(t.Context(), []string{"flame", in}, &stdout, &stderr); code != 0 || !strings.HasSuffix(stdout.String(), "</svg>\n") {
		t.Errorf("to standard output: code %d\n%s", code, &stdout)
	}
}

func TestProfileOfNothing(t *testing.T) {
	for name, data := range map[string][]byte{"no samples": profileOf(t, nil), "no profile": []byte("x")} {
		if root, err := readProfile(bytes.NewReader(data)); err == nil {
			t.Errorf("%s: read as %v", name, root)
		}
	}
}
