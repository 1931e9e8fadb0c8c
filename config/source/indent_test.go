package source

import (
	"strings"
	"testing"
)

// A line that is indented otherwise than the lines around it is named, or the line behind it or the next one of its
// block, from which it differs, where the file is no YAML any more or a text takes the line in.
func TestWrongIndentNamesTheLine(t *testing.T) {
	const text = `agent:
  id: library
  language: en
types:
  number:
    patterns:
      - 'L-\d{4}'
      - 'M-\d{4}'
    example: L-1001
intents:
  - id: loan_due
    title: say when it is due
    examples:
      - when is my book due
      - is my book overdue
      - check my loan
    plan:
      - call: get_loan
        with:
          member: $member
        save: loan
      - respond: due
  - id: fees
    plan:
      - respond: fees
responses:
  due: "It is due on
    Friday."
  fees: It is free.
`
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	told := 0
	for i, line := range lines {
		for _, shift := range []int{-2, -1, 1, 2} {
			moved := strings.Repeat(" ", max(0, shift)) + line
			if shift < 0 {
				if moved = strings.TrimPrefix(line, strings.Repeat(" ", -shift)); moved == line {
					continue
				}
			}
			wrong := append([]string{}, lines...)
			wrong[i] = moved
			_, problems := Parse("agent.yaml", []byte(strings.Join(wrong, "\n")))
			if len(problems) == 0 {
				continue // it is YAML still, of another meaning
			}
			told++
			if at := problems[0].Pos.Line; at != i+1 && at != i+2 && at != sibling(lines, i)+1 {
				t.Errorf("line %d, %d columns further: %s", i+1, shift, problems[0])
			}
		}
	}
	if told < 60 {
		t.Errorf("%d of the shifts are told", told)
	}
}

// sibling returns the next line that is indented as a line is.
func sibling(lines []string, of int) int {
	indent := func(i int) int { return len(lines[i]) - len(strings.TrimLeft(lines[i], " ")) }
	for i := of + 1; i < len(lines); i++ {
		if indent(i) == indent(of) {
			return i
		}
	}
	return -1
}
