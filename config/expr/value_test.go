package expr

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func testEnv() map[string]any {
	return map[string]any{
		"n": 3.0, "half": 2.5, "yes": true, "name": "Ann", "empty": "",
		"order":  map[string]any{"id": "O-1", "status": "pending", "total": 20.0, "tags": []any{"a", "b"}},
		"orders": []any{map[string]any{"id": "O-1", "open": true}, map[string]any{"id": "O-2"}},
		"list":   []any{"x", "y", "z"},
		"today":  "2026-11-24", "now": "2026-11-24T14:30:00",
		"day": "2026-11-28", "moment": "2026-12-02T23:30:00+09:00",
	}
}

func TestArg(t *testing.T) {
	arg := mustArg(map[string]any{"id": "$order.id", "n": 1.0, "all": []any{"$list.1", "$$5", "$4.99", "$nobody"}})
	if diff := cmp.Diff([]string{"list", "nobody", "order"}, arg.Names()); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
	want := map[string]any{"id": "O-1", "n": 1.0, "all": []any{"y", "$5", "$4.99", nil}}
	if diff := cmp.Diff(want, arg.Resolve(testEnv())); diff != "" {
		t.Errorf("resolved (-want +got):\n%s", diff)
	}
	if got := mustArg("$orders.0.id"); !cmp.Equal(got.Ref, []string{"orders", "0", "id"}) {
		t.Errorf("reference = %v", got.Ref)
	}
	for _, bad := range []string{"$a b", "$a[0]", "$a."} {
		if _, err := ParseArg(bad); err == nil {
			t.Errorf("ParseArg(%q) is no error", bad)
		}
	}
}

func TestExprTrue(t *testing.T) {
	for source, want := range map[string]bool{
		`order.status == "pending"`:                      true,
		`order.status != "pending"`:                      false,
		`nobody == nil`:                                  true,
		`nobody.status == "x"`:                           false,
		`nobody > 3 or nobody < 3 or nobody >= nil`:      false,
		`len(orders) > 1`:                                true,
		`len(nobody) > 0`:                                false,
		`not nobody`:                                     true,
		`nobody and yes`:                                 false,
		`nobody`:                                         false,
		`n + nobody > 1`:                                 false,
		`n * 2 == 6 and -n < 0`:                          true,
		`any(orders, .id == "O-2")`:                      true,
		`any(orders, .open)`:                             true,
		`all(nobody, .x)`:                                true,
		`count(orders, .open) == 1`:                      true,
		`sum(map(orders, 2)) == 4`:                       true,
		`n in [1, 2, 3]`:                                 true,
		`name in nobody`:                                 false,
		`name not in ["Bob"]`:                            true,
		`"id" in order`:                                  true,
		`name startsWith "A" and name endsWith "n"`:      true,
		`nobody contains "a"`:                            false,
		`name matches "^A.n$"`:                           true,
		`nobody matches ".*"`:                            false,
		`order.tags contains "b"`:                        true,
		`order.tags[0] == "a" and order.tags[-1] == "b"`: true,
		`lower(name) == "ann"`:                           true,
		`(nobody ?? 5) == 5`:                             true,
		`yes ? n > 2 : false`:                            true,
		`nobody ? true : false`:                          false,
		`number("12") > 11`:                              true,
		`order?.status == "pending"`:                     true,
		`weekday(day) == "saturday"`:                     true,
		`weekday(moment) in ["saturday", "sunday"]`:      false,
		`weekday(nobody) == "monday" or weekday(n) == nil and weekday(name) != nil`: false,
		`days_between(day, moment) == 4`:                                            true,
		`days_between(moment, day) == -4`:                                           true,
		`days_between(day, nobody) > 0`:                                             false,
		`days_between(day, name) == nil`:                                            true,
		`day < moment and moment > day`:                                             true,
	} {
		e, err := Parse(source, nil, "")
		if err != nil {
			t.Errorf("ParseExpr(%q): %v", source, err)
			continue
		}
		if got, err := e.True(testEnv()); err != nil || got != want {
			t.Errorf("%q = %v, %v, want %v", source, got, err, want)
		}
		if _, err := e.True(nil); err != nil {
			t.Errorf("%q over nothing: %v", source, err)
		}
	}
}

func TestExprNames(t *testing.T) {
	e, err := Parse(`any(orders, .id == order.id) and len(list) > n`, []string{"orders", "order", "list", "n"}, "")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"list", "n", "order", "orders"}, e.Names()); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
}

func TestExprErrors(t *testing.T) {
	for source, want := range map[string]string{
		``:                             "empty",
		`a ==`:                         "unexpected token",
		`ordr.id == 1`:                 `did you mean "order"?`,
		`lenn(order) > 1`:              `did you mean "len"?`,
		`order in 1..1000000`:          "ranges",
		`let x = 1; x > 0`:             "let",
		`order.id matches "("`:         "RE2",
		`order.id matches order`:       "in quotes",
		`now() > 1`:                    "now is a name",
		`weekday(order) == "Saturday"`: `did you mean "saturday"`,
		`weekday(order) in [6, 7]`:     "not a number",
		`days_between(order) > 1`:      "it takes 2",
		`__bool(order)`:                "unknown function",
		`order.trim()`:                 "method calls",
		`$env.order`:                   "unknown name",
		`any(order, any(#, any(#, any(#, true))))`: "nested",
		strings.Repeat("a", 3000):                  "at most",
		strings.Repeat("1+", 300) + "1":            "nodes",
	} {
		if _, err := Parse(source, []string{"order"}, ""); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("ParseExpr(%.40q) = %v, want %q", source, err, want)
		}
	}
}

func TestExprNeverQuotesValues(t *testing.T) {
	for _, source := range []string{`name < 3`, `name and yes`, `any(name, true)`, `name - 1 > 0`, `n contains "x"`, `name`} {
		e, err := Parse(source, nil, "")
		if err != nil {
			t.Fatalf("%q: %v", source, err)
		}
		_, err = e.True(testEnv())
		if err == nil || strings.Contains(err.Error(), "Ann") {
			t.Errorf("%q: error %v", source, err)
		}
	}
}

func TestNilExprIsSafe(t *testing.T) {
	var e *Expr
	if ok, err := e.True(nil); !ok || err != nil || e.Names() != nil {
		t.Errorf("nil Expr = %v, %v", ok, err)
	}
}

// mustArg is ParseArg for arguments known at compile time; it panics on a bad one.
func mustArg(value any) Arg {
	a, err := ParseArg(value)
	if err != nil {
		panic(err)
	}
	return a
}
