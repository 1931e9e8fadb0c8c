package record

import (
	"math"
	"testing"
)

// The writer agrees with encoding/json byte for byte: checksums are over these texts,
// and files of earlier releases hold its.
func TestWrittenAsEncodingJSONDoes(t *testing.T) {
	values := []any{
		nil, true, false, "", "plain", "a \"b\" \\ c", "line\nend\x00", "<&>", "\u00e4\u2028\u2029\x7f", "\xff", 0.0, math.Copysign(0, -1),
		1.0, -17.0, 1.5, 1e20, 1e21, 1e-7, 9007199254740991.0, 9007199254740993.0, 123456789.125, 7, int64(-7),
		[]any{},
		[]any(nil),
		[]any{1.0, "x", nil, []any{map[string]any{}}},
		map[string]any(nil),
		map[string]any{"b": 1.0, "a": "<", "\u00e9": nil, "": true, "c\n": []any{"q"}},
		[]string{"s"},
	}
	for _, v := range values {
		want, err := JSON(map[string]any{"v": v, "w": v})
		if err != nil {
			t.Fatal(err)
		}
		if got, err := Params(map[string]any{"v": v, "w": v}); err != nil || got != want {
			t.Errorf("%#v: %s, want %s, %v", v, got, want, err)
		}
	}
	for _, m := range []map[string]string{{}, {"a": "b"}, {"a\"": "<\n"}, {"a": "1", "b": "2"}} {
		want, _ := JSON(m)
		if got, err := texts(m); err != nil || got != want {
			t.Errorf("%v: %s, want %s, %v", m, got, want, err)
		}
	}
	if got, err := Params(nil); got != "null" || err != nil {
		t.Errorf("no params: %s, %v", got, err)
	}
}
