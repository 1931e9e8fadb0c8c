package printable

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"
)

var shown = map[string]string{
	"plain, ünïcode, 漢字, 👩‍👩‍👧\n\ttab": "plain, ünïcode, 漢字, 👩‍👩‍👧\n\ttab",
	"\x1b]0;title\x07":         `\u001b]0;title\u0007`,
	"\x1b[2J\x7f\r\x00":        `\u001b[2J\u007f\u000d\u0000`,
	"\u009b31m\u0085":          `\u009b31m\u0085`,
	"\x9b31m":                  "\ufffd31m",
	"a\u202egpj.exe\u202c":     `a\u202egpj.exe\u202c`,
	"\u2066\u2067\u2068\u2069": `\u2066\u2067\u2068\u2069`,
	"\u200e\u200f\u061c":       `\u200e\u200f\u061c`,
	"one\u2028two\u2029":       `one\u2028two\u2029`,
	"\ufffd stays":             "\ufffd stays",
	"":                         "",
}

func TestText(t *testing.T) {
	for in, want := range shown {
		if got := Text(in); got != want {
			t.Errorf("Text(%q) = %q, want %q", in, got, want)
		}
	}
}

// However a text is cut into writes, the same comes out.
func TestWriter(t *testing.T) {
	for in, want := range shown {
		for size := 1; size <= len(in); size++ {
			var out bytes.Buffer
			w := NewWriter(&out)
			for rest := in; rest != ""; {
				n := min(size, len(rest))
				if wrote, err := w.Write([]byte(rest[:n])); wrote != n || err != nil {
					t.Fatalf("Write = %d, %v", wrote, err)
				}
				rest = rest[n:]
			}
			if out.String() != want {
				t.Errorf("%q by %d bytes is %q, want %q", in, size, out.String(), want)
			}
		}
	}
}

func TestAProgramReadsTheSame(t *testing.T) {
	for in := range shown {
		in = strings.ToValidUTF8(in, "\ufffd")
		data, err := json.Marshal(in)
		if err != nil {
			t.Fatal(err)
		}
		var got string
		if err := json.Unmarshal([]byte(Text(string(data))), &got); err != nil || got != in {
			t.Errorf("%q is read as %q, %v", in, got, err)
		}
	}
}

func TestScreen(t *testing.T) {
	var out bytes.Buffer
	w := NewScreen(&out)
	if _, err := w.Write([]byte("\x1b[2K\r> a\u202eb\u009b31m\x9bc ü")); err != nil {
		t.Fatal(err)
	}
	if want := "\x1b[2K\r> a\ufffdb\ufffd31m\ufffdc ü"; out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
	if w.Unwrap() != &out {
		t.Error("Unwrap is not the writer behind")
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("full") }

func TestAFailureIsTold(t *testing.T) {
	if n, err := NewWriter(broken{}).Write([]byte("a")); n != 0 || err == nil {
		t.Errorf("Write = %d, %v", n, err)
	}
}

func FuzzText(f *testing.F) {
	for in := range shown {
		f.Add(in)
	}
	f.Fuzz(func(t *testing.T, in string) {
		got := Text(in)
		if !utf8.ValidString(got) || strings.ContainsFunc(got, func(r rune) bool { return !harmless(r) }) {
			t.Errorf("Text(%q) = %q", in, got)
		}
		if Text(got) != got {
			t.Errorf("shown twice, %q differs", in)
		}
	})
}
