package phrase

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestTextProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		literal := rapid.StringMatching(`[a-z {}\[\]\\]{0,12}`)
		before, after := literal.Draw(t, "before"), literal.Draw(t, "after")
		value := rapid.StringN(1, -1, -1).Draw(t, "value")
		escape := strings.NewReplacer("{", "{{", "}", "}}", "[", `\[`, "]", `\]`).Replace
		text, err := ParseText(escape(before) + "{a.0.b}" + escape(after))
		if err != nil {
			t.Fatal(err)
		}
		env := map[string]any{"a": []any{map[string]any{"b": value}}}
		if got := text.Render(env); got != before+value+after {
			t.Fatalf("got %q", got)
		}
	})
}

// TestGapProperty leaves no doubled space and no space before a mark, whatever is empty.
func TestGapProperty(t *testing.T) {
	piece := rapid.SampledFrom([]string{"Order", "of", "{a}", "{b}", "({a})", `"{b}"`, "[with {a}]", "[{b}[ and {a}]]", "for the {b}", "x"})
	mark := rapid.SampledFrom([]string{"", "", "", ",", ":", ".", "?"})
	rapid.Check(t, func(t *rapid.T) {
		var source strings.Builder
		for i := range rapid.IntRange(1, 8).Draw(t, "pieces") {
			if i > 0 {
				source.WriteByte(' ')
			}
			source.WriteString(piece.Draw(t, "piece") + mark.Draw(t, "mark"))
		}
		value := rapid.SampledFrom([]any{nil, "", []any{}, "v"})
		got := MustText(source.String()).Render(map[string]any{"a": value.Draw(t, "a"), "b": value.Draw(t, "b")})
		for _, bad := range []string{"  ", " .", " ,", " ?", " :", "()", `""`, ",.", ",?", ":?", ":."} {
			if strings.Contains(got, bad) {
				t.Fatalf("%q renders %q", source.String(), got)
			}
		}
		if got != strings.TrimSpace(got) {
			t.Fatalf("%q renders %q", source.String(), got)
		}
	})
}

func FuzzText(f *testing.F) {
	for _, seed := range []string{"", "{a}", "{{a}}", "{a.0.b} {", "}{"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, source string) {
		text, err := ParseText(source)
		if err != nil {
			return
		}
		env := map[string]any{}
		for _, name := range text.Names() {
			env[name] = "x"
		}
		_ = text.Render(env)
	})
}
