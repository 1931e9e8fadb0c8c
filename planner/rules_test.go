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
	rows := 0
	for line := range strings.SplitSeq(string(data), "\n") {
		cells := strings.Split(line, "|")
		if len(cells) != 6 || !regexp.MustCompile(`^ \d+ $`).MatchString(cells[1]) {
			continue
		}
		rows++
		for _, m := range quoted.FindAllStringSubmatch(cells[3], -1) {
			checkFunctions(t, line, m[1])
		}
		for _, m := range quoted.FindAllStringSubmatch(cells[4], -1) {
			checkConversations(t, m[1])
		}
	}
	if rows != 24 {
		t.Errorf("%d rules are listed, want 24", rows)
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
	found, err := filepath.Glob(filepath.Join("..", "router", "testdata", name+".yaml"))
	if err != nil || len(found) == 0 {
		t.Errorf("no conversation %s", name)
	}
}
