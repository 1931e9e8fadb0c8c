package archive

import (
	"os"
	"strings"
	"testing"
)

// judged is a talk of a file, and whether its first question is open.
type judged struct {
	lines []string
	open  bool
}

func judgedTalks(t *testing.T, path string) []judged {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var out []judged
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		parts := strings.Split(line, " | ")
		out = append(out, judged{parts[1:], parts[0] == "open"})
	}
	return out
}

// What the scoring makes of judged talks: it was mended for those of the first and the last file.
func TestJudgedQuestions(t *testing.T) {
	for _, set := range []struct {
		path  string
		least int // right ones
	}{{"testdata/questions.txt", 19}, {"testdata/questions_heldout.txt", 39}, {"testdata/questions_more.txt", 46}} {
		right, talks := 0, judgedTalks(t, set.path)
		for _, talk := range talks {
			open := openQuestions(sentencesOf(spoken(talk.lines...)), len(talk.lines), nil)
			said := sentencesOf(spoken(talk.lines[0]))
			if is := len(open) > 0 && open[0] == said[0].text; is == talk.open {
				right++
			} else {
				t.Logf("%s: open is %v: %q", set.path, is, talk.lines)
			}
		}
		t.Logf("%s: %d of %d", set.path, right, len(talks))
		if right < set.least {
			t.Errorf("%s: %d right, want %d", set.path, right, set.least)
		}
	}
}
