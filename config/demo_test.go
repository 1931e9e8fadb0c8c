package config

import (
	"database/sql"
	"slices"
	"strings"
	"testing"

	_ "modernc.org/sqlite" // the demo shop runs on it
)

// openShop fills an in-memory database with the demo shop.
func openShop(t *testing.T) (*Agent, *sql.DB) {
	t.Helper()
	a, err := Default()
	if err != nil {
		t.Fatal(err)
	}
	seed, err := a.ReadFile(a.Databases["shop"].Seed)
	if err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	if _, err := db.ExecContext(t.Context(), string(seed)); err != nil {
		t.Fatal(err)
	}
	return a, db
}

func shopArgs() []any {
	return []any{
		sql.Named("order_id", "O-12345"), sql.Named("email", "ANA@example.com"), sql.Named("zip", "12345"),
		sql.Named("address", "12 Oak Street, Denver 80014"), sql.Named("return_reason", "damaged"),
	}
}

// TestDemoQueries runs every tool of the default agent against its shop.
func TestDemoQueries(t *testing.T) {
	a, db := openShop(t)
	for name, tool := range a.Tools {
		var args []any
		for _, arg := range shopArgs() {
			if strings.Contains(tool.Query, ":"+arg.(sql.NamedArg).Name) {
				args = append(args, arg)
			}
		}
		if tool.Effect == EffectWrite {
			if _, err := db.ExecContext(t.Context(), tool.Query, args...); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		rows, err := db.QueryContext(t.Context(), tool.Query, args...)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if err := rows.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestDemoEvents shows that a write leaves one event, a repeated one none, and that
// events cannot be rewritten.
func TestDemoEvents(t *testing.T) {
	a, db := openShop(t)
	for _, want := range []int64{1, 0} {
		result, err := db.ExecContext(t.Context(), a.Tools["cancel_order"].Query, sql.Named("order_id", "O-12345"))
		if err != nil {
			t.Fatal(err)
		}
		if n, err := result.RowsAffected(); err != nil || n != want {
			t.Errorf("%d rows, %v, want %d", n, err, want)
		}
	}
	var events, orders int
	var statuses string
	row := db.QueryRowContext(t.Context(), `SELECT (SELECT count(*) FROM order_events), count(*), group_concat(DISTINCT status) FROM orders`)
	if err := row.Scan(&events, &orders, &statuses); err != nil {
		t.Fatal(err)
	}
	if events != 1 || orders < 41 || len(strings.Split(statuses, ",")) != 6 {
		t.Errorf("%d events, %d orders, statuses %s", events, orders, statuses)
	}
	for _, q := range []string{`DELETE FROM order_events`, `UPDATE order_events SET event = 'x'`} {
		if _, err := db.ExecContext(t.Context(), q); err == nil {
			t.Errorf("%s went through", q)
		}
	}
}

// TestDemoOrderIDs reads order numbers as people type them, and nothing else.
func TestDemoOrderIDs(t *testing.T) {
	a, err := Default()
	if err != nil {
		t.Fatal(err)
	}
	typ := a.Types["order_id"]
	find := func(text string) string {
		for _, re := range typ.Patterns {
			if m := re.FindStringSubmatch(text); m != nil {
				return m[1]
			}
		}
		return ""
	}
	for text, want := range map[string]string{
		"It's O-12345": "O-12345", "#O-12345": "O-12345", "o12345 please": "o12345", "order 12345": "12345",
		"my order number is 20112.": "20112", "order no. 20112": "20112", "#20112": "20112", "(O-20112)": "O-20112",
		"call 5551234": "", "in 2024 i moved": "", "NO-12345": "", "zip 12345": "",
	} {
		if got := find(text); got != want {
			t.Errorf("in %q found %q, want %q", text, got, want)
		}
	}
	for text, want := range map[string]bool{"12345": true, "#O-12345": true, "o12345": true, "12": false, "about 12345": false} {
		if got := typ.Bare.MatchString(text); got != want {
			t.Errorf("bare %q = %v", text, got)
		}
	}
	if !slices.Equal(typ.Normalize, []Normalizer{{Op: "digits"}, {Op: "prefix", Arg: "O-"}}) {
		t.Errorf("normalize %v", typ.Normalize)
	}
}
