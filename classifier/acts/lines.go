package acts

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/slotway/slotway/classifier/message"
)

// Line is a phrase with its acts, as the tables, the training data and the test data have it.
type Line struct {
	Text  string
	Acts  message.Acts          // how sure each act is
	Maybe [message.NumActs]bool // may be there or not
	At    int                   // line number
}

// ReadLines reads phrases, one a line. "## yes no" names the acts of the lines that
// follow, "text | yes thanks=.6" gives a line acts of its own, and one that begins with +
// is added to those of the heading. An act with a question mark may be there or not. Lines
// that begin with # are remarks.
func ReadLines(name string, r io.Reader) ([]Line, error) {
	var out []Line
	var heading Line
	in := bufio.NewScanner(r)
	for at := 1; in.Scan(); at++ {
		text := strings.TrimSpace(in.Text())
		title, isTitle := strings.CutPrefix(text, "## ")
		if text == "" || strings.HasPrefix(text, "#") && !isTitle {
			continue
		}
		line := heading
		line.At = at
		text, own, has := strings.Cut(text, " | ")
		if isTitle {
			line, own, has = Line{}, title, true
			if title == "none" {
				own = ""
			}
		}
		if has {
			if err := line.read(own); err != nil {
				return nil, fmt.Errorf("%s:%d: %w", name, at, err)
			}
		}
		if isTitle {
			heading = line
			continue
		}
		line.Text = strings.TrimSuffix(text, " |")
		out = append(out, line)
	}
	return out, in.Err()
}

// read reads the acts of a line. They replace those of the heading unless one of them begins with
// +.
func (l *Line) read(list string) error {
	if !strings.HasPrefix(strings.TrimSpace(list), "+") {
		l.Acts, l.Maybe = message.Acts{}, [message.NumActs]bool{}
	}
	for word := range strings.FieldsSeq(list) {
		word, maybe := strings.CutSuffix(strings.TrimPrefix(word, "+"), "?")
		name, value, has := strings.Cut(word, "=")
		act, ok := message.ParseAct(name)
		if !ok {
			return fmt.Errorf("no act is called %q", name)
		}
		sure := 1.0
		if has {
			var err error
			if sure, err = strconv.ParseFloat(value, 32); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
		if maybe {
			l.Maybe[act] = true
			continue
		}
		l.Acts[act], l.Maybe[act] = float32(sure), false
	}
	return nil
}
