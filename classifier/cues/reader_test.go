package cues_test

import (
	"bufio"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/cascade"
	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
)

var now = time.Date(2026, time.November, 18, 9, 0, 0, 0, time.UTC) // a Wednesday

// load trains the classifier of an agent in testdata.
func load(t testing.TB, name string) *cascade.Classifier {
	t.Helper()
	agent, err := config.Load(filepath.Join("testdata", name+".yaml"))
	if err != nil {
		t.Fatal(err)
	}
	c, err := cascade.New(agent, nil)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestMessages reads testdata/*.txt: messages of one agent with what is to be made of
// their values, `message => param value cue cue; param value`. Params with a stroke
// between share a value; "asked PARAM:" before a message opens a question, "known PARAM:"
// says that it has a value.
func TestMessages(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) < 5 {
		t.Fatal(files, err)
	}
	total := 0
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".txt")
		c := load(t, name)
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		lines := bufio.NewScanner(f)
		for n := 1; lines.Scan(); n++ {
			message, want, ok := strings.Cut(lines.Text(), " =>")
			if !ok {
				continue
			}
			total++
			in := classifier.Input{Now: now}
			message = situation(&in, message)
			in.Text = message
			r, err := c.Classify(context.Background(), in)
			if err != nil {
				t.Fatal(err)
			}
			if got := render(r.Params); got != strings.TrimSpace(want) {
				t.Errorf("%s:%d: %s\n got %s\nwant %s", file, n, message, got, strings.TrimSpace(want))
			}
		}
	}
	if total < 100 {
		t.Errorf("only %d messages", total)
	}
}

// situation takes "asked PARAM:" and "known PARAM:" off a line.
func situation(in *classifier.Input, line string) string {
	for {
		rest, asked := strings.CutPrefix(line, "asked ")
		if !asked {
			rest, _ = strings.CutPrefix(line, "known ")
		}
		name, message, ok := strings.Cut(rest, ": ")
		if rest == line || !ok {
			return line
		}
		if asked {
			in.Asked = &classifier.Asked{Param: name}
		} else {
			in.Filled = append(in.Filled, name)
		}
		line = message
	}
}

// render writes values one place after the other.
func render(values []message.Value) string {
	var out []string
	for i := 0; i < len(values); {
		v := values[i]
		if v.Source == "text" {
			i++
			continue
		}
		var names strings.Builder
		names.WriteString(v.Param)
		cues := v.Cues
		for i++; i < len(values) && values[i].Start == v.Start && values[i].End == v.End; i++ {
			if values[i].Source != "text" {
				names.WriteString("/" + values[i].Param)
				cues |= values[i].Cues
			}
		}
		out = append(out, strings.Join(append([]string{names.String(), v.Text}, cues.Names()...), " "))
	}
	return strings.Join(out, "; ")
}
