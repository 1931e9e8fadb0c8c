package cues_test

import (
	"bufio"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/slotway/slotway/classifier"
)

// messages are those of testdata/*.txt, by agent.
func messages(t *testing.T) map[string][]string {
	t.Helper()
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]string{}
	for _, file := range files {
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		for lines := bufio.NewScanner(f); lines.Scan(); {
			if message, _, ok := strings.Cut(lines.Text(), " =>"); ok && !strings.Contains(message, "asked ") && !strings.Contains(message, "known ") {
				name := strings.TrimSuffix(filepath.Base(file), ".txt")
				out[name] = append(out[name], message)
			}
		}
	}
	return out
}

// TestCourtesyChangesNothing says every message with courtesy around it: what its values
// are for must not depend on it.
func TestCourtesyChangesNothing(t *testing.T) {
	for name, list := range messages(t) {
		c := load(t, name)
		say := func(text string) string {
			r, err := c.Classify(context.Background(), classifier.Input{Text: text, Now: now})
			if err != nil {
				t.Fatal(err)
			}
			return strings.ToLower(render(r.Params))
		}
		for _, message := range list {
			want := say(message)
			for _, frame := range []string{"hi, %", "hello! %", "ok %", "please %", "% thanks", "%, thank you", "  %  "} {
				text := strings.ReplaceAll(frame, "%", message)
				if got := say(text); got != want {
					t.Errorf("%s: %q\n got %s\nwant %s", name, text, got, want)
				}
			}
		}
	}
}

// TestValuesAreInTheirPlaces cuts messages anywhere and puts letters of more than a byte
// into them: a span must hold its text.
func TestValuesAreInTheirPlaces(t *testing.T) {
	for name, list := range messages(t) {
		c := load(t, name)
		for k, message := range list {
			for cut := k % 3; cut <= len(message); cut += 3 {
				text := message[:cut] + "é’ß " + message[cut:] + "…"
				r, err := c.Classify(context.Background(), classifier.Input{Text: text, Now: now})
				if err != nil {
					t.Fatal(err)
				}
				runes := []rune(text)
				for _, v := range r.Params {
					if v.Start < 0 || v.Start >= v.End || v.End > utf8.RuneCountInString(text) || string(runes[v.Start:v.End]) != v.Text {
						t.Fatalf("%q: %+v", text, v)
					}
				}
			}
		}
	}
}
