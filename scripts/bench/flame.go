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
	"strings"

	"github.com/google/pprof/profile"
)

// frame is a function as called by the frame above it.
type frame struct {
	name   string // with the path of its package
	value  int64  // nanoseconds in it and below
	self   int64  // nanoseconds in it alone
	callee []*frame
}

// called returns the frame of a function below f.
func (f *frame) called(name string) *frame {
	for _, c := range f.callee {
		if c.name == name {
			return c
		}
	}
	c := &frame{name: name}
	f.callee = append(f.callee, c)
	return c
}

// readProfile makes a tree of the stacks of a CPU profile. Its root is no function.
func readProfile(in io.Reader) (*frame, error) {
	p, err := profile.Parse(in)
	if err != nil {
		return nil, fmt.Errorf("read the profile: %w", err)
	}
	value := slices.IndexFunc(p.SampleType, func(t *profile.ValueType) bool { return t.Type == "cpu" && t.Unit == "nanoseconds" })
	if value < 0 {
		return nil, errors.New("this is no CPU profile")
	}
	root := &frame{}
	for _, s := range p.Sample {
		root.value += s.Value[value]
		at := root
		for _, name := range folded(stackOf(s)) {
			at = at.called(name)
			at.value += s.Value[value]
		}
		at.self += s.Value[value]
	}
	if root.value == 0 {
		return nil, errors.New("the profile has no samples")
	}
	return root, nil
}

// stackOf lists the functions of a sample, callers first.
func stackOf(s *profile.Sample) []string {
	var stack []string
	for _, l := range slices.Backward(s.Location) {
		for _, line := range slices.Backward(l.Line) { // several, if functions are inlined
			if line.Function != nil {
				stack = append(stack, line.Function.Name)
			}
		}
	}
	return stack
}

// folded leaves out what started a goroutine of ours, and what a package of others calls within itself: the reader wants to know that
// SQLite runs a statement, not how.
func folded(stack []string) []string {
	if first := slices.IndexFunc(stack, func(name string) bool { return partOf(name).ours }); first > 0 {
		stack = stack[first:]
	}
	last := ""
	return slices.DeleteFunc(stack, func(name string) bool {
		pkg := packageOf(name)
		inside := pkg == last && !partOf(name).ours
		last = pkg
		return inside
	})
}

const slotway = "github.com/slotway/slotway/"

// packageOf is the path of a function's package; the parts of Go's runtime count as one.
func packageOf(name string) string {
	slash := strings.LastIndexByte(name, '/') + 1
	pkg := name
	if dot := strings.IndexByte(name[slash:], '.'); dot >= 0 {
		pkg = name[:slash+dot]
	}
	if strings.HasPrefix(pkg, "internal/runtime/") || strings.HasPrefix(pkg, "runtime/") {
		return "runtime"
	}
	return pkg
}

// part is what a function belongs to. Each has a colour.
type part struct {
	class    string
	label    string
	ours     bool
	named    bool     // the time in it is its own, and not that of its caller
	prefixes []string // of names of functions
}

// parts are tried in this order.
var parts = []part{
	{"pr", "router and telemetry", true, true, []string{slotway + "router"}},
	{"pc", "understanding", true, true, []string{slotway + "classifier"}},
	{"pp", "planning", true, true, []string{slotway + "planner"}},
	{"pm", "memory", true, true, []string{slotway + "memory"}},
	{"pt", "tools", true, true, []string{slotway + "tools"}},
	{"po", "other Slotway code", true, true, []string{slotway, "main."}},
	{"ps", "SQLite", false, true, []string{"modernc.org/"}},
	{"pg", "Go's runtime", false, false, []string{"runtime.", "runtime/", "internal/runtime/"}},
	{"px", "libraries", false, false, []string{""}},
}

// partOf finds the part of a function.
func partOf(name string) *part {
	for i := range parts {
		for _, prefix := range parts[i].prefixes {
			if strings.HasPrefix(name, prefix) {
				return &parts[i]
			}
		}
	}
	return &parts[len(parts)-1]
}

// shares adds up what each part takes. What a library or Go's runtime does for a part is the part's;
// above is the part that called f, nil at the root.
func (f *frame) shares(by map[*part]int64, above *part) {
	if own := partOf(f.name); f.name != "" && (own.named || above == nil) {
		above = own
	}
	if f.self > 0 {
		by[above] += f.self
	}
	for _, c := range f.callee {
		c.shares(by, above)
	}
}

// prune drops frames that take less than least, and sorts the others, the longest first.
func (f *frame) prune(least int64) {
	f.callee = slices.DeleteFunc(f.callee, func(c *frame) bool { return c.value < least })
	slices.SortFunc(f.callee, func(a, b *frame) int { return cmp.Or(cmp.Compare(b.value, a.value), cmp.Compare(a.name, b.name)) })
	for _, c := range f.callee {
		c.prune(least)
	}
}

// depth counts the levels below f.
func (f *frame) depth() int {
	deepest := 0
	for _, c := range f.callee {
		deepest = max(deepest, 1+c.depth())
	}
	return deepest
}

// labels are the names of a function that the picture may show, the longest first: with its package
// and type, without the package, and without both. Paths and type arguments are left out.
func labels(name string) []string {
	args := strings.IndexByte(name, '[') // they hold paths, too
	if args < 0 {
		args = len(name)
	}
	name = strings.ReplaceAll(name[strings.LastIndexByte(name[:args], '/')+1:], "[...]", "")
	all := []string{name}
	if _, inPackage, ok := strings.Cut(name, "."); ok {
		all = append(all, inPackage)
		if _, method, ok := strings.Cut(inPackage, ")."); ok {
			all = append(all, method)
		}
	}
	return all
}

// runFlame draws a profile.
func runFlame(args []string, stdout, stderr io.Writer) error {
	fs := flag.NewFlagSet("flame", flag.ContinueOnError)
	out := fs.String("o", "", "file for the picture (default: standard output)")
	title := fs.String("title", "Where the CPU time of a turn goes", "heading of the picture")
	least := fs.Float64("least", 0.3, "percent of the time below which a frame is left out")
	file, err := parse(fs, args, stderr)
	if err != nil {
		return err
	}
	in, err := os.Open(file)
	if err != nil {
		return err
	}
	defer in.Close()
	root, err := readProfile(in)
	if err != nil {
		return err
	}
	var picture bytes.Buffer
	writeFlame(&picture, root, *title, *least)
	if *out == "" {
		_, err = stdout.Write(picture.Bytes())
		return err
	}
	return save(*out, picture.Bytes())
}
