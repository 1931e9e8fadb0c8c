package source

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/slotway/slotway/config/naming"
)

// Ignore is a comment that switches warnings off: "# slotway: ignore CODE, CODE" at the end of a line
// counts for that line, and on a line of its own for the next one. Under a key with a block below it,
// it counts for the first line of the block too, where a value starts.
type Ignore struct {
	Pos   Position // of the comment
	Codes []string
	lines []int
}

// Ignores are the comments of a file that switch warnings off.
type Ignores []Ignore

var ignoreComment = regexp.MustCompile(`(^|\s)#\s*slotway:\s*ignore\s+([A-Za-z0-9_, -]+?)\s*$`)

// ReadIgnores finds the comments of a file.
func ReadIgnores(name string, data []byte) Ignores {
	if !strings.Contains(string(data), "slotway:") {
		return nil
	}
	lines := strings.Split(string(data), "\n")
	var out Ignores
	for i, line := range lines {
		m := ignoreComment.FindStringSubmatchIndex(strings.TrimRight(line, "\r"))
		if m == nil {
			continue
		}
		codes := strings.FieldsFunc(line[m[4]:m[5]], func(r rune) bool { return r == ',' || r == ' ' })
		out = append(out, Ignore{Pos: Position{name, i + 1, m[3] + 1}, Codes: codes, lines: ignoredLines(lines, i, line[:m[0]])})
	}
	return out
}

// ignoredLines returns the lines, from 1, that a comment on line i counts for; before is the text
// before the comment.
func ignoredLines(lines []string, i int, before string) []int {
	if strings.TrimSpace(before) == "" {
		if i = nextLine(lines, i); i < 0 {
			return nil
		}
		before, _, _ = strings.Cut(lines[i], " #")
	}
	counts := []int{i + 1}
	if strings.HasSuffix(strings.TrimSpace(before), ":") {
		if next := nextLine(lines, i); next >= 0 {
			counts = append(counts, next+1)
		}
	}
	return counts
}

// nextLine returns the first line after i that is neither blank nor a comment; -1 if there is none.
func nextLine(lines []string, i int) int {
	for i++; i < len(lines); i++ {
		if text := strings.TrimSpace(lines[i]); text != "" && !strings.HasPrefix(text, "#") {
			return i
		}
	}
	return -1
}

// Mark marks the problems that the comments switch off. Errors stay.
func (is Ignores) Mark(ps Problems) Problems {
	for i, p := range ps {
		ps[i].Ignored = p.Ignored || slices.ContainsFunc(is, func(ig Ignore) bool { return ig.covers(p) && slices.Contains(ig.Codes, p.Code) })
	}
	return ps
}

func (ig *Ignore) covers(p Problem) bool {
	return (p.Severity == SeverityWarning || p.Severity == SeverityNote) && p.Pos.File == ig.Pos.File && slices.Contains(ig.lines, p.Pos.Line)
}

// Unused returns a warning for each code that switches off none of the problems; unjudged lists codes
// that were not looked for.
func (is Ignores) Unused(ps Problems, unjudged ...string) Problems {
	var out Problems
	warn := func(ig Ignore, message, hint string) {
		out = append(out, Problem{Code: UnusedIgnore, Pos: ig.Pos, Message: message, Hint: hint, Severity: SeverityWarning})
	}
	for _, ig := range is {
		for _, code := range ig.Codes {
			known, ok := CodeOf(code)
			switch {
			case !ok:
				warn(ig, fmt.Sprintf("unknown code %q", code), naming.Suggest(code, CodeNames()))
			case known.Severity == SeverityError:
				warn(ig, fmt.Sprintf("%q is an error, which no comment switches off", code), "mend it and remove the comment")
			case slices.Contains(unjudged, code):
			case !slices.ContainsFunc(ps, func(p Problem) bool { return p.Code == code && ig.covers(p) }):
				warn(ig, fmt.Sprintf("there is no %q to ignore here", code), "remove the comment, or put it at the line of the warning")
			}
		}
	}
	return out
}
