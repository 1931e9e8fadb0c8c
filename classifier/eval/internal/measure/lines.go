package measure

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/slotway/slotway/config/source"
)

// Bounds of a file of JSON lines.
const (
	MaxLine     = 1 << 20 // bytes
	maxProblems = 20      // after which reading stops
)

// Lines parses the lines of a file that are not empty. The problems of parse lack their place. Errors are source.Problems unless reading itself fails.
func Lines[T any](name, what string, r io.Reader, parse func(line []byte, pos source.Position) (T, *source.Problem)) ([]T, error) {
	var out []T
	var problems source.Problems
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 0, 64<<10), MaxLine)
	number := 0
	for len(problems) < maxProblems && lines.Scan() {
		number++
		if strings.TrimSpace(lines.Text()) == "" {
			continue
		}
		pos := source.Position{File: name, Line: number, Column: 1}
		item, problem := parse(lines.Bytes(), pos)
		if problem != nil {
			problem.Pos, problem.Severity = pos, source.SeverityError
			problems = append(problems, *problem)
			continue
		}
		out = append(out, item)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("read %s after line %d: %w", name, number, err)
	}
	if len(out) == 0 && len(problems) == 0 {
		problems = source.Problems{{
			Pos: source.Position{File: name, Line: 1, Column: 1}, Severity: source.SeverityError,
			Message: "the file holds no " + what, Hint: "write one JSON object a line",
		}}
	}
	if err := problems.Err(); err != nil {
		return nil, err
	}
	return out, nil
}
