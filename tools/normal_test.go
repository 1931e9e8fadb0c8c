package tools_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/slotway/slotway/tools"
	"pgregory.net/rapid"
)

func TestNormal(t *testing.T) {
	type row struct {
		ID int64  `json:"id"`
		By string `json:"by,omitempty"`
	}
	tests := []struct {
		name     string
		in, want any
	}{
		{"nil", nil, nil},
		{"int", 7, 7.0},
		{"largest exact", int64(1 << 53), float64(1 << 53)},
		{"too large", int64(1<<53 + 1), "9007199254740993"},
		{"too small", int64(-1<<53 - 1), "-9007199254740993"},
		{"unsigned", uint64(math.MaxUint64), "18446744073709551615"},
		{"json integer", json.Number("12345678901234567890"), "12345678901234567890"},
		{"json float", json.Number("1.5e3"), 1500.0},
		{"bytes", []byte("abc"), "abc"},
		{"invalid UTF-8", "a\xffb", "a\uFFFDb"},
		{"time", time.Date(2024, 2, 29, 12, 0, 0, 0, time.UTC), "2024-02-29T12:00:00Z"},
		{"struct", row{ID: 1<<53 + 1}, map[string]any{"id": "9007199254740993"}},
		{"typed list", []string{"a"}, []any{"a"}},
		{"nested", map[string]any{"l": []any{1, []byte("x"), nil}}, map[string]any{"l": []any{1.0, "x", nil}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := tools.Normal(tt.in)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("Normal (-want +got):\n%s", diff)
			}
		})
	}
}

func TestNormalRefuses(t *testing.T) {
	loop := map[string]any{}
	loop["again"] = loop
	deep := any("x")
	for range 100 {
		deep = []any{deep}
	}
	for name, v := range map[string]any{
		"loop": loop, "deep": deep, "NaN": math.NaN(), "infinite": math.Inf(1), "function": func() {},
		"big text": strings.Repeat("x", tools.MaxResult), "big list": make([]any, tools.MaxResult),
	} {
		if got, err := tools.Normal(v); err == nil {
			t.Errorf("%s: accepted as %T", name, got)
		}
	}
}

func TestDecodeJSON(t *testing.T) {
	for _, bad := range []string{"", "{", `{"a":1}]`, `1 2`, `{"a":CANARY}`, `nul`} {
		v, err := tools.DecodeJSON([]byte(bad))
		if err == nil {
			t.Errorf("DecodeJSON(%q) = %v, want an error", bad, v)
		} else if strings.ContainsAny(err.Error(), `"'`) {
			t.Errorf("the error quotes its input: %v", err)
		}
	}
}

// FuzzDecodeJSON: what is accepted is normal, and stays what it is when normalised, or
// stored as JSON and loaded again by encoding/json.
func FuzzDecodeJSON(f *testing.F) {
	for _, s := range []string{`{"a":[1,2.5,"x",null,true]}`, `9007199254740993`, `1E20`, `-0`, `1e400`, `"\ud800"`, `{"":{}}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := tools.DecodeJSON(data)
		if err != nil {
			return
		}
		again, err := tools.Normal(v)
		if err != nil {
			t.Fatalf("a normal value is refused: %v", err)
		}
		if diff := cmp.Diff(v, again); diff != "" {
			t.Fatalf("not a fixed point:\n%s", diff)
		}
		text, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		var read any
		if err := json.Unmarshal(text, &read); err != nil || !cmp.Equal(read, v) {
			t.Fatalf("stored and loaded: %v %s", err, cmp.Diff(v, read))
		}
	})
}

func TestIntegersKeepTheirDigits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		i := rapid.Int64().Draw(t, "i")
		v, err := tools.Normal(i)
		if err != nil {
			t.Fatal(err)
		}
		switch v := v.(type) {
		case float64:
			if int64(v) != i {
				t.Fatalf("%d became %v", i, v)
			}
		case string:
			if want := json.Number(v).String(); want != v {
				t.Fatalf("%d became %q", i, v)
			}
			if n, err := json.Number(v).Int64(); err != nil || n != i {
				t.Fatalf("%d became %q", i, v)
			}
		default:
			t.Fatalf("%d became %T", i, v)
		}
	})
}
