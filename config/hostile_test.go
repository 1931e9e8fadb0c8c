package config

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
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

// TestArgProperty keeps every literal without a dollar sign as it is, and shares nothing with it.
func TestArgProperty(t *testing.T) {
	leaf := rapid.OneOf(
		rapid.Custom(func(t *rapid.T) any { return rapid.StringMatching(`[^$]{0,5}`).Draw(t, "s") }),
		rapid.Custom(func(t *rapid.T) any { return rapid.Float64().Draw(t, "f") }),
		rapid.Just[any](nil), rapid.Just[any](true),
	)
	rapid.Check(t, func(t *rapid.T) {
		value := map[string]any{"list": []any{}, "leaf": leaf.Draw(t, "leaf")}
		for range rapid.IntRange(0, 4).Draw(t, "n") {
			value["list"] = append(value["list"].([]any), leaf.Draw(t, "item"))
		}
		arg, err := ParseArg(value)
		if err != nil || len(arg.Names()) != 0 {
			t.Fatalf("%v, names %v", err, arg.Names())
		}
		got, ok := arg.Resolve(nil).(map[string]any)
		if !ok || !cmp.Equal(any(value), any(got)) {
			t.Fatalf("got %v, want %v", got, value)
		}
		got["leaf"] = "changed"
		if second := arg.Resolve(nil).(map[string]any); !cmp.Equal(second["leaf"], value["leaf"]) {
			t.Fatal("two results share a map")
		}
	})
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(deskAgent))
	f.Add(DefaultSource())
	f.Add([]byte("intents:\n  - id: a\n    params: {one_of: [[{name: b}]], optional: [b, 3]}\n    plan:\n      - {when: x, then: [{call: y, on_error: {z: {forget: [q]}}}]}\n"))
	f.Add([]byte("intents: 3\ntools: {a: {kind: sql}, b: []}\nparams: {a: {reprompt: [1, x], default: {}}}\nsystem: {human: 3, x: {}}\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		a, problems := parseAgent("f", data, "")
		for _, p := range problems {
			if p.Pos.Line < 1 || p.Hint == "" {
				t.Errorf("a problem without place or remedy: %+v", p)
			}
		}
		if problems.Err() == nil && (a == nil || len(a.Intents) == 0) {
			t.Error("no agent and no problem")
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

func FuzzExpr(f *testing.F) {
	for _, seed := range []string{"a == 1", "any(a, .b > 1)", "a matches 'x'", "not a ? b : c", "a[0].b in [1]", "-a ** 2 > 0"} {
		f.Add(seed)
	}
	env := map[string]any{"a": []any{1.0, "x", map[string]any{"b": 2.0}}, "b": nil, "c": "text"}
	f.Fuzz(func(t *testing.T, source string) {
		if e, err := ParseExpr(source, nil); err == nil {
			_, _ = e.True(env)
			_, _ = e.True(nil)
		}
	})
}
