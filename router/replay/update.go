package replay

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/config/pattern"
	"github.com/slotway/slotway/config/source"
	"github.com/slotway/slotway/router/telemetry"
)

// edit is a new value in a replay file.
type edit struct {
	node  *source.Node
	value any
	keys  []string // the order of a map's keys
}

// errByHand reports a file whose form cannot be changed safely.
var errByHand = errors.New("cannot be updated safely; change it by hand")

// rewrite writes the new values into the file and leaves everything else as it is, comments
// included. It reads the result again, and does not change the file if the result does not say
// exactly what it should.
func rewrite(file string, src []byte, edits []edit) ([]byte, error) {
	slices.SortFunc(edits, func(a, b edit) int { return comparePlaces(b.node.Pos(), a.node.Pos()) })
	text := string(src)
	for _, e := range edits {
		start, end, ok := extent(text, e.node.Pos())
		if !ok {
			return nil, fmt.Errorf("%s: %s %w", e.node.Pos(), e.node.Path(), errByHand)
		}
		text = joinKey(text[:start]) + flow(e.value, e.keys) + text[end:]
	}
	if err := verify(file, src, []byte(text), edits); err != nil {
		return nil, err
	}
	return []byte(text), nil
}

// joinKey ends before at the key of the value: a block began on a line of its own, its replacement
// does not.
func joinKey(before string) string {
	if key := strings.TrimRight(before, " \r\n"); strings.HasSuffix(key, ":") {
		return key + " "
	}
	return before
}

func comparePlaces(a, b source.Position) int {
	return slices.Compare([]int{a.Line, a.Column}, []int{b.Line, b.Column})
}

// verify compares the changed file with the old one and its edits.
func verify(file string, before, after []byte, edits []edit) error {
	old, _ := source.ParseAll(file, before)
	changed, problems := source.ParseAll(file, after)
	if problems.Err() != nil || len(old) != len(changed) {
		return fmt.Errorf("%s %w", file, errByHand)
	}
	replaced := map[source.Position]any{}
	for _, e := range edits {
		replaced[e.node.Pos()] = e.value
	}
	for i := range old {
		if !cmp.Equal(edited(old[i], replaced), changed[i].Value()) {
			return fmt.Errorf("%s %w", changed[i].Pos(), errByHand)
		}
	}
	return nil
}

// edited returns the value of a node with the edits applied.
func edited(n *source.Node, replaced map[source.Position]any) any {
	if v, ok := replaced[n.Pos()]; ok && underExpect(n) {
		return v
	}
	switch n.Kind() {
	case source.KindList:
		list := make([]any, len(n.Items()))
		for i, item := range n.Items() {
			list[i] = edited(item, replaced)
		}
		return list
	case source.KindMap:
		fields := make(map[string]any, len(n.Entries()))
		for _, e := range n.Entries() {
			fields[e.Key] = edited(e.Value, replaced)
		}
		return fields
	}
	return n.Value()
}

// underExpect reports whether a node is the value of a key of expect. The position alone does not
// tell: a map in block style begins where the key of its first value does.
func underExpect(n *source.Node) bool { return expectPath.MatchString(n.Path()) }

var expectPath = pattern.Must(`^turns\[\d+\]\.expect\.[^.\[]+$`)

// golden compares the telemetry of the conversation with its golden file: all lines if the file
// ends in .jsonl, else the outline (telemetry.Outline).
func (p *play) golden() error {
	path := p.c.TelemetryPath()
	if path == "" {
		return nil
	}
	got, err := telemetry.Normalise(p.lines.Bytes())
	if err != nil {
		return fmt.Errorf("normalise telemetry: %w", err)
	}
	if filepath.Ext(path) == ".jsonl" {
		got = confidences.ReplaceAll(got, []byte("$1"))
	} else if got, err = telemetry.Outline(got); err != nil {
		return err
	}
	want, err := readFile(path)
	missing := errors.Is(err, fs.ErrNotExist)
	if err != nil && !missing {
		return fmt.Errorf("read golden telemetry: %w", err)
	}
	diff := cmp.Diff(split(want), split(got))
	switch {
	case diff == "" && !missing:
	case p.opts.Update:
		p.result.Updated = true
		return writeGolden(path, got)
	case missing:
		p.fail(p.c.Line, 0, fmt.Sprintf("there is no golden telemetry %s; run with --update to write it", path))
	default:
		p.fail(p.c.Line, 0, fmt.Sprintf("telemetry %s (-want +got):\n%s", path, diff))
	}
	return nil
}

// confidences finds confidences, which are compared to two decimals. More digits differ between
// processors, and with every new example of another intent.
var confidences = pattern.Must(`("confidence":\d\.\d\d)\d+`)

func split(lines []byte) []string {
	return strings.Split(strings.TrimRight(string(lines), "\n"), "\n")
}

func writeGolden(path string, lines []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("write golden telemetry: %w", err)
	}
	if err := os.WriteFile(path, lines, 0o644); err != nil {
		return fmt.Errorf("write golden telemetry: %w", err)
	}
	return nil
}
