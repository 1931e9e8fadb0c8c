package expr

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

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

func FuzzExpr(f *testing.F) {
	for _, seed := range []string{"a == 1", "any(a, .b > 1)", "a matches 'x'", "not a ? b : c", "a[0].b in [1]", "-a ** 2 > 0"} {
		f.Add(seed)
	}
	env := map[string]any{"a": []any{1.0, "x", map[string]any{"b": 2.0}}, "b": nil, "c": "text"}
	f.Fuzz(func(t *testing.T, source string) {
		if e, err := Parse(source, nil, ""); err == nil {
			_, _ = e.True(env)
			_, _ = e.True(nil)
		}
	})
}
