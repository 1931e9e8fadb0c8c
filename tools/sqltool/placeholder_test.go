package sqltool

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParse(t *testing.T) {
	tests := []struct {
		name, in, text string
		names          []string
		verb           string
		returning      bool
	}{
		{"one", "SELECT a FROM t WHERE b = :b", "SELECT a FROM t WHERE b = ?1", []string{"b"}, "SELECT", false},
		{"repeated", "select :a, :b, :a", "select ?1, ?2, ?1", []string{"a", "b"}, "SELECT", false},
		{"in quotes", `SELECT ':a', ":b", [:c], ` + "`:d`" + `, 'it''s :e', :f`, `SELECT ':a', ":b", [:c], ` + "`:d`" + `, 'it''s :e', ?1`, []string{"f"}, "SELECT", false},
		{"in comments", "-- :a\nSELECT /* :b */ :c -- :d", "-- :a\nSELECT /* :b */ ?1 -- :d", []string{"c"}, "SELECT", false},
		{"cast", "SELECT x::text, :y", "SELECT x::text, ?1", []string{"y"}, "SELECT", false},
		{"name stuck to digits", "SELECT :a1b_2+1", "SELECT ?1+1", []string{"a1b_2"}, "SELECT", false},
		{"returning", "UPDATE t SET a=:a RETURNING a;", "UPDATE t SET a=?1 RETURNING a", []string{"a"}, "UPDATE", true},
		{"returning as a text", "UPDATE t SET a='RETURNING'", "UPDATE t SET a='RETURNING'", nil, "UPDATE", false},
		{"comment after the end", "SELECT 1; -- done\n", "SELECT 1 -- done\n", nil, "SELECT", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := parse(tt.in)
			if err != nil {
				t.Fatal(err)
			}
			want := statement{text: tt.text, names: tt.names, verb: tt.verb, returning: tt.returning}
			if diff := cmp.Diff(want, got, cmp.AllowUnexported(statement{})); diff != "" {
				t.Errorf("parse(%q) (-want +got):\n%s", tt.in, diff)
			}
		})
	}
}

func TestParseRefuses(t *testing.T) {
	for in, want := range map[string]error{
		"":                        errNoStatement,
		"-- nothing":              errNoStatement,
		"SELECT 1; SELECT 2":      errSeveral,
		"SELECT 1; 'x'":           errSeveral,
		"SELECT 'a":               errUnterminated,
		"SELECT 1 /* a":           errUnterminated,
		"SELECT ?":                errPositional,
		"SELECT @a":               errPositional,
		"SELECT $a":               errPositional,
		"SELECT :1":               errPositional,
		"SELECT * FROM t LIMIT :": errPositional,
	} {
		if _, err := parse(in); !errors.Is(err, want) {
			t.Errorf("parse(%q) = %v, want %v", in, err, want)
		}
	}
}

// FuzzParse: what is accepted is one statement for SQLite too, and binding can neither
// leave a named parameter unbound nor change what is quoted.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"SELECT :a", "SELECT ':a' -- :b\n, :c", "SELECT \"x\"\"y\" ; ", "WITH q AS (SELECT :x::text) SELECT 1", "SELECT [a'b], '", "SELECT 1/*;*/;"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, query string) {
		got, err := parse(query)
		if err != nil {
			return
		}
		for i, name := range got.names {
			if name == "" || strings.ContainsAny(name, " :'\"?") {
				t.Fatalf("name %d is %q", i, name)
			}
		}
		// Undone, the text is the query again, but for the semicolon.
		again, err := parse(strings.ReplaceAll(got.text, "?", ":p"))
		if err == nil && !strings.ContainsAny(query, "'\"`[-/") && len(again.names) != len(got.names) {
			t.Fatalf("%q: %d names, then %d", query, len(got.names), len(again.names))
		}
		if len(got.names) == 0 && !strings.Contains(query, ";") && got.text != query {
			t.Fatalf("text %q of %q, which has no placeholder", got.text, query)
		}
	})
}
