package rasanlu

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/config/source"
)

func TestParse(t *testing.T) {
	for line, want := range map[string]struct {
		text  string
		marks []Mark
	}{
		"no marks":                                              {"no marks", nil},
		"from [Köln](city) on":                                  {"from Köln on", []Mark{{Entity: "city", Value: "Köln", Start: 5, End: 9}}},
		"[big one](size:large)":                                 {"big one", []Mark{{Entity: "size", Value: "large", Start: 0, End: 7}}},
		"[5 $](amount-of-money)":                                {"5 $", []Mark{{Entity: "amount-of-money", Value: "5 $", Start: 0, End: 3}}},
		`to [Rome]{"entity": "city", "role": "to"}`:             {"to Rome", []Mark{{Entity: "city", Role: "to", Value: "Rome", Start: 3, End: 7}}},
		`[two]{"entity": "n", "value": 2, "group": "1"} x`:      {"two x", []Mark{{Entity: "n", Group: "1", Value: "2", Start: 0, End: 3}}},
		`[a b][{"entity": "c"}, {"entity": "d"}] e [f](g)`:      {"a b e f", []Mark{{Entity: "c", Value: "a b", Start: 0, End: 3}, {Entity: "g", Value: "f", Start: 6, End: 7}}},
		"see [the page](https://example.com) and [plain] words": {"see [the page](https://example.com) and [plain] words", nil},
	} {
		text, marks, err := Parse(line)
		if err != nil || text != want.text {
			t.Errorf("Parse(%q) = %q, %v, want %q", line, text, err, want.text)
		}
		if diff := cmp.Diff(want.marks, marks); diff != "" {
			t.Errorf("Parse(%q) (-want +got):\n%s", line, diff)
		}
	}
	for _, bad := range []string{`[x]{"value": "y"}`, `[x]{no}`, "close [x](the y"} {
		if _, _, err := Parse(bad); err == nil {
			t.Errorf("Parse(%q) is no error", bad)
		}
	}
}

func TestLines(t *testing.T) {
	root, problems := source.Parse("nlu.yml", []byte("block: |\n  - one\n\n  # no\n  -  two \nlist:\n- three\n- text: |\n    - four\n"))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	var got []string
	for _, key := range []string{"block", "list", "none"} {
		for _, l := range Lines(root.Get(key)) {
			got = append(got, l.Text)
		}
	}
	if want := "one two three four"; strings.Join(got, " ") != want {
		t.Errorf("lines %q, want %q", got, want)
	}
	if line := Lines(root.Get("block"))[1].Pos.Line; line != 5 {
		t.Errorf("the second line is line %d, want 5", line)
	}
}

// FuzzParse holds that marks lie in the text and follow each other.
func FuzzParse(f *testing.F) {
	for _, line := range []string{"[a](b) [c](d:e)", `[a]{"entity": "b"}`, `[a][{"entity": "b"}]`, "[a](b", "[[a](b)](c)"} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		text, marks, err := Parse(line)
		if err != nil {
			return
		}
		end := 0
		for _, m := range marks {
			if m.Start < end || m.End <= m.Start || m.End > utf8.RuneCountInString(text) {
				t.Fatalf("Parse(%q): mark %+v in %q", line, m, text)
			}
			end = m.End
		}
	})
}
