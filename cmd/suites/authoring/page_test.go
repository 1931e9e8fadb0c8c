package authoring

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// block is a fenced block of a page.
type block struct {
	line  int    // of its first line of text
	kind  string // the first word behind the fence, such as console
	title string // the rest, such as a file's name
	text  string
}

// blocks returns the fenced blocks of a page, in order.
func blocks(t *testing.T, page string) []block {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	var found []block
	var open *block
	for i, line := range strings.Split(string(text), "\n") {
		switch fence := strings.HasPrefix(line, "```"); {
		case fence && open == nil:
			kind, title, _ := strings.Cut(strings.TrimPrefix(line, "```"), " ")
			open = &block{line: i + 2, kind: kind, title: title}
		case fence:
			found, open = append(found, *open), nil
		case open != nil:
			open.text += line + "\n"
		}
	}
	if open != nil {
		t.Fatalf("%s:%d: the block has no end", page, open.line)
	}
	return found
}

// applyDiff changes a text as a diff without line numbers says: its lines with "-" and " " must stand
// in the text exactly once, in this order, and those with "+" and " " take their place.
func applyDiff(text, diff string) (string, error) {
	var before, after strings.Builder
	for line := range strings.Lines(diff) {
		sign, rest := " ", "\n"
		if line != "\n" {
			sign, rest = line[:1], line[1:]
		}
		switch sign {
		case "-":
			before.WriteString(rest)
		case "+":
			after.WriteString(rest)
		case " ":
			before.WriteString(rest)
			after.WriteString(rest)
		default:
			return "", fmt.Errorf("the line %q begins with none of '+', '-' and a space", line)
		}
	}
	if n := strings.Count("\n"+text, "\n"+before.String()); n != 1 {
		return "", fmt.Errorf("these lines stand %d times in the file:\n%s", n, before.String())
	}
	return strings.Replace("\n"+text, "\n"+before.String(), "\n"+after.String(), 1)[1:], nil
}

// gap stands for what differs from run to run: a part of a line or, alone on a line, any lines.
const gap = "[...]"

// likeOutput reports whether a program's output is as a page shows it.
func likeOutput(shown, output string) bool {
	var pattern strings.Builder
	for line := range strings.Lines(shown) {
		if line == gap+"\n" {
			pattern.WriteString(`(?s:.*)`)
			continue
		}
		for i, part := range strings.Split(line, gap) {
			if i > 0 {
				pattern.WriteString(`.*`)
			}
			pattern.WriteString(regexp.QuoteMeta(part))
		}
	}
	return regexp.MustCompile(`\A` + pattern.String() + `\z`).MatchString(output)
}

func TestApplyDiff(t *testing.T) {
	got, err := applyDiff("a\n  b\nc\n", "   b\n+  b2\n-c\n")
	if want := "a\n  b\n  b2\n"; err != nil || got != want {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
	for _, diff := range []string{" x\n", "+y\n", "b\n"} {
		if got, err := applyDiff("a\na\n", diff); err == nil {
			t.Errorf("%q: %q", diff, got)
		}
	}
}

func TestLikeOutput(t *testing.T) {
	for _, tc := range []struct {
		shown, output string
		want          bool
	}{
		{"a [...].\n", "a b c.\n", true},
		{"a [...].\n", "a b\nc.\n", false},
		{"a\n[...]\nz\n", "a\nb\nc\nz\n", true},
		{"a\n", "a\nb\n", false},
		{"", "", true},
	} {
		if got := likeOutput(tc.shown, tc.output); got != tc.want {
			t.Errorf("likeOutput(%q, %q) = %t", tc.shown, tc.output, got)
		}
	}
}

// writeFile writes a file of a page, and its folder.
func writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
