package source

import (
	"slices"
	"testing"
)

// TestIgnores: a comment counts for its line, for the next one if it stands alone, and for the start
// of the block under a key; an error stays, and a comment that switches nothing off is a warning.
func TestIgnores(t *testing.T) {
	file := []byte(`a: 1 # slotway: ignore free-text
b: # slotway: ignore unused, no-title
  c: 2
# slotway: ignore maybe-empty

# another remark
d:
  e: 3
f: 4 # slotway: ignore secret
g: "# slotway: not a comment"
h: 5 # slotway: ignore invalid
i: 6 # slotway: ignore usused
`)
	at := func(line int, code string, severity Severity) Problem {
		return Problem{Code: code, Pos: Position{"a.yaml", line, 1}, Severity: severity}
	}
	problems := Problems{
		at(1, FreeText, SeverityWarning), at(1, Unused, SeverityWarning), at(2, FreeText, SeverityWarning),
		at(2, Unused, SeverityWarning), at(3, NoTitle, SeverityNote), at(7, MaybeEmpty, SeverityWarning), at(8, MaybeEmpty, SeverityWarning),
		at(11, Invalid, SeverityError),
	}
	ignores := ReadIgnores("a.yaml", file)
	var shown []int
	for _, p := range ignores.Mark(problems).Shown() {
		shown = append(shown, p.Pos.Line)
	}
	if want := []int{1, 2, 11}; !slices.Equal(shown, want) {
		t.Errorf("shown are the problems of the lines %v, want %v", shown, want)
	}
	var unused []int
	for _, p := range ignores.Unused(problems) {
		if p.Code != UnusedIgnore || p.Hint == "" {
			t.Errorf("%+v", p)
		}
		unused = append(unused, p.Pos.Line)
	}
	if want := []int{9, 11, 12}; !slices.Equal(unused, want) {
		t.Errorf("unused are the comments of the lines %v, want %v", unused, want)
	}
	if left := ignores.Unused(problems, Secret); len(left) != 2 {
		t.Errorf("a code that was not looked for counts as unused: %v", left)
	}
}

// TestCodes: every code is explained once.
func TestCodes(t *testing.T) {
	names := CodeNames()
	for i, c := range Codes {
		if c.Meaning == "" || c.Remedy == "" || slices.Index(names, c.Code) != i || !ignoreComment.MatchString("# slotway: ignore "+c.Code) {
			t.Errorf("%+v", c)
		}
	}
}
