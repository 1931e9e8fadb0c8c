package planner

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// RULES.md is read as documentation: what it names must be there.
func TestTheListOfRulesNamesWhatExists(t *testing.T) {
	data, err := os.ReadFile("RULES.md")
	if err != nil {
		t.Fatal(err)
	}
	quoted := regexp.MustCompile("`([^`]+)`")
	rows, said := 0, 0
	for line := range strings.SplitSeq(string(data), "\n") {
		cells := strings.Split(line, "|")
		switch {
		case len(cells) != 6:
			continue
		case regexp.MustCompile(`^ \d+ $`).MatchString(cells[1]):
			rows++
		case regexp.MustCompile(`^ C\d+ $`).MatchString(cells[1]):
			said++
		default:
			continue
		}
		for _, m := range quoted.FindAllStringSubmatch(cells[3], -1) {
			checkFunctions(t, line, m[1])
		}
		for _, m := range quoted.FindAllStringSubmatch(cells[4], -1) {
			checkConversations(t, m[1])
		}
	}
	if rows != 30 || said != 27 { // the 24th of what people say is a lint of check
		t.Errorf("%d and %d rules are listed, want 30 and 27", rows, said)
	}
}

// checkFunctions takes "file.go name, name".
func checkFunctions(t *testing.T, line, what string) {
	file, names, _ := strings.Cut(what, " ")
	source, err := os.ReadFile(file)
	if err != nil {
		t.Errorf("%v, named in %q", err, line)
		return
	}
	for name := range strings.SplitSeq(names, ", ") {
		declared := regexp.MustCompile(`(?m)^(func (\([^)]*\) )?|var )` + regexp.QuoteMeta(name) + `\b`)
		if name != "" && !declared.Match(source) {
			t.Errorf("%s has no %s", file, name)
		}
	}
}

// checkConversations takes a name or a pattern below router/testdata; d/ is dialogue/.
func checkConversations(t *testing.T, name string) {
	if rest, ok := strings.CutPrefix(name, "d/"); ok {
		name = "dialogue/" + rest
	}
	if rest, ok := strings.CutPrefix(name, "c/"); ok {
		name = "conversation/" + rest
	}
	found, err := filepath.Glob(filepath.Join("..", "router", "testdata", name+".yaml"))
	if err != nil || len(found) == 0 {
		t.Errorf("no conversation %s", name)
	}
}
