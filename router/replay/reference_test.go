package replay

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/slotway/slotway/config/reference"
	"github.com/slotway/slotway/config/source"
	"github.com/slotway/slotway/internal/test/referencetest"
)

// frames are replay files around the example of a key in a group; %s is the example, indented.
var frames = map[string]string{
	"":                     "conversation: c\nturns: [{user: hello}]\n%s",
	"tools":                "conversation: c\nturns: [{user: hello}]\ntools:\n  get_order:\n    -\n      %s",
	"turns":                "conversation: c\nstore: sqlite\nturns:\n  -\n    user: hello\n    %s",
	"turns.handoff":        "conversation: c\nturns:\n  - handoff:\n      %s",
	"turns.given":          "conversation: c\nturns:\n  - user: hello\n    given:\n      %s",
	"turns.expect":         "conversation: c\nturns:\n  - user: hello\n    expect:\n      %s",
	"turns.expect.unheard": "conversation: c\nturns:\n  - user: hello\n    expect:\n      unheard:\n        - %s",
}

// Every key that the parser reads is explained, and the parser takes every example.
func TestReference(t *testing.T) {
	texts := reference.MustTexts("router/replay/reference.yaml", referenceYAML)
	for _, problem := range referencetest.Lacking(texts, Reference(), "replay.") {
		t.Error(problem)
	}
	var known []string
	for group, keys := range knownKeys() {
		for _, key := range keys {
			known = append(known, strings.TrimPrefix(group+"."+key, "."))
		}
	}
	for _, key := range known {
		if !slices.Contains(texts.Keys(), key) {
			t.Errorf("%s is not explained", key)
		}
	}
	for _, key := range texts.Keys() {
		if !slices.Contains(known, key) {
			t.Errorf("%s is explained, but the parser does not read it", key)
		}
		text, _ := texts.Of(key)
		parses(t, key, text.Example)
	}
}

// parses plays the parser on the example of a key, in the place where the key stands.
func parses(t *testing.T, key, example string) {
	t.Helper()
	group, name := "", key
	if i := strings.LastIndexByte(key, '.'); i >= 0 {
		group, name = key[:i], key[i+1:]
	}
	root, problems := source.Parse(key, []byte(example))
	if len(problems) > 0 || !root.Has(name) {
		t.Errorf("%s: %q does not have the key", key, example)
		return
	}
	file := framed(group, root, example)
	if _, err := Parse(key, []byte(file)); err != nil {
		t.Errorf("%s: %v\n%s", key, err, file)
	}
}

// framed puts an example into a whole file. What the example has itself is not in the frame.
func framed(group string, root *source.Node, example string) string {
	frame := frames[group]
	for _, e := range root.Entries() {
		var kept []string
		for line := range strings.SplitSeq(frame, "\n") {
			key := strings.TrimLeft(line, " ")
			if !strings.HasPrefix(key, e.Key+": ") && !(e.Key == "handoff" && group == "turns" && strings.HasPrefix(key, "user: ")) {
				kept = append(kept, line)
			}
		}
		frame = strings.Join(kept, "\n")
	}
	if strings.HasPrefix(example, "{") { // the map itself stands where its keys would
		if group == "turns" {
			return strings.Replace(frame, "-\n    %s", "- "+example, 1)
		}
		return fmt.Sprintf(frame, example)
	}
	line := frame[strings.LastIndexByte(frame[:strings.Index(frame, "%s")], '\n')+1:]
	margin := strings.Repeat(" ", strings.Index(line, "%s"))
	return fmt.Sprintf(frame, strings.ReplaceAll(example, "\n", "\n"+margin))
}
