package tools_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/tools"
)

// toolFunc is the test's tool.
type toolFunc func(context.Context, tools.Call) (any, error)

func (f toolFunc) Call(ctx context.Context, c tools.Call) (any, error) { return f(ctx, c) }

func readSpec() *tools.Spec {
	return &tools.Spec{Name: "t", Effect: config.EffectRead, Timeout: time.Second, Retries: 2}
}

func writeSpec(idempotent bool) *tools.Spec {
	return &tools.Spec{Name: "t", Effect: config.EffectWrite, Timeout: time.Second, Retries: 2, Idempotent: idempotent}
}

func newRegistry(t *testing.T, spec *tools.Spec, f toolFunc) *tools.Registry {
	t.Helper()
	r := tools.New(nil)
	if err := r.Register(spec, f); err != nil {
		t.Fatal(err)
	}
	return r
}

// asError fails the test unless err is an *Error of the code.
func asError(t *testing.T, err error, code tools.Code) *tools.Error {
	t.Helper()
	var e *tools.Error
	if !errors.As(err, &e) || e.Code != code {
		t.Fatalf("error %v, want an *Error %s", err, code)
	}
	return e
}

func TestRegisterRefuses(t *testing.T) {
	ok := toolFunc(func(context.Context, tools.Call) (any, error) { return nil, nil })
	tests := []struct {
		name string
		spec *tools.Spec
		tool tools.Tool
		want string
	}{
		{"nil spec", nil, ok, "without a name"},
		{"no name", &tools.Spec{}, ok, "without a name"},
		{"no tool", &tools.Spec{Name: "x"}, nil, "nothing to call"},
		{"taken", readSpec(), ok, "taken"},
		{"bad schema", &tools.Spec{Name: "x", Input: map[string]any{"type": "objet"}}, ok, "input"},
		{"schema from a file", &tools.Spec{Name: "x", Input: map[string]any{"$ref": "file:///etc/passwd"}}, ok, "input"},
	}
	r := newRegistry(t, readSpec(), ok)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := r.Register(tt.spec, tt.tool)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("Register = %v, want an error with %q", err, tt.want)
			}
		})
	}
}

func TestInputSchema(t *testing.T) {
	spec := readSpec()
	spec.Input = map[string]any{
		"type":     "object",
		"required": []any{"order_id"},
		"properties": map[string]any{
			"order_id": map[string]any{"type": "string", "pattern": "^O-[0-9]+$"},
			"count":    map[string]any{"type": "integer", "maximum": float64(9)},
			"note":     map[string]any{"type": []any{"string", "null"}, "minLength": float64(3)},
			"tags":     map[string]any{"type": "array", "items": map[string]any{"type": "string"}},
		},
		"additionalProperties": false,
	}
	var got map[string]any
	r := newRegistry(t, spec, func(_ context.Context, c tools.Call) (any, error) { got = c.Args; return nil, nil })
	tests := []struct {
		name string
		args map[string]any
		want string // detail; "": accepted
	}{
		{"fits", map[string]any{"order_id": "O-1", "count": float64(3)}, ""},
		{"nil optional is absent", map[string]any{"order_id": "O-1", "count": nil, "note": nil}, ""},
		{"nil required", map[string]any{"order_id": nil}, "argument order_id is missing"},
		{"nothing", nil, "argument order_id is missing"},
		{"pattern", map[string]any{"order_id": "CANARY"}, "argument order_id does not satisfy pattern"},
		{"type", map[string]any{"order_id": float64(1)}, "argument order_id does not satisfy type"},
		{"two", map[string]any{"order_id": "O-1", "count": float64(10), "note": "CA"}, "argument count does not satisfy maximum; argument note does not satisfy minLength"},
		{"unknown", map[string]any{"order_id": "O-1", "x": "CANARY"}, "argument x is not known"},
		{"nested", map[string]any{"order_id": "O-1", "tags": []any{map[string]any{"CANARY": true}}}, "argument tags does not satisfy type"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			res, err := r.Call(t.Context(), tools.Call{Tool: "t", Args: tt.args})
			if tt.want == "" {
				if err != nil {
					t.Fatal(err)
				}
				if len(got) != len(tt.args) {
					t.Errorf("tool got %v, want all of %v", got, tt.args)
				}
				return
			}
			e := asError(t, err, tools.InvalidInput)
			if e.Detail != tt.want {
				t.Errorf("detail %q, want %q", e.Detail, tt.want)
			}
			if e.Uncertain || e.Retryable || res.Attempts != 0 {
				t.Errorf("uncertain %v, retryable %v, attempts %d; want none of it", e.Uncertain, e.Retryable, res.Attempts)
			}
		})
	}
}

func TestRetries(t *testing.T) {
	fail := func(code tools.Code, retryable, uncertain bool) func(int) error {
		return func(int) error {
			return &tools.Error{Code: code, Retryable: retryable, Uncertain: uncertain}
		}
	}
	tests := []struct {
		name      string
		spec      *tools.Spec
		key       string
		err       func(attempt int) error
		attempts  int
		code      tools.Code
		uncertain bool
	}{
		{"read, transient", readSpec(), "", fail(tools.Unavailable, true, true), 3, tools.Unavailable, false},
		{"read, permanent", readSpec(), "", fail(tools.NotFound, false, false), 1, tools.NotFound, false},
		{"read heals", readSpec(), "", func(n int) error {
			if n < 3 {
				return &tools.Error{Code: tools.Unavailable, Retryable: true}
			}
			return nil
		}, 3, "", false},
		{"write", writeSpec(false), "k", fail(tools.Unavailable, true, true), 1, tools.Unavailable, true},
		{"idempotent write", writeSpec(true), "k", fail(tools.Timeout, true, true), 3, tools.Timeout, true},
		{"idempotent write without key", writeSpec(true), "", fail(tools.Timeout, true, true), 1, tools.Timeout, true},
		{"uncertain stays, whatever came later", writeSpec(true), "k", func(n int) error {
			if n == 1 {
				return &tools.Error{Code: tools.Timeout, Retryable: true, Uncertain: true}
			}
			return &tools.Error{Code: tools.Unavailable, Detail: "refused", Retryable: true}
		}, 3, tools.Unavailable, true},
		{"refused write", writeSpec(false), "k", fail(tools.Unavailable, false, false), 1, tools.Unavailable, false},
		{"unclassified write", writeSpec(false), "k", func(int) error { return errors.New("CANARY") }, 1, tools.Failed, true},
		{"undeclared effect is a write", &tools.Spec{Name: "t", Retries: 2}, "", fail(tools.Unavailable, true, true), 1, tools.Unavailable, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := 0
				r := newRegistry(t, tt.spec, func(_ context.Context, c tools.Call) (any, error) {
					if n++; c.IdempotencyKey != tt.key {
						t.Errorf("key %q, want %q", c.IdempotencyKey, tt.key)
					}
					return "ok", tt.err(n)
				})
				res, err := r.Call(t.Context(), tools.Call{Tool: "t", IdempotencyKey: tt.key})
				if res.Attempts != tt.attempts || n != tt.attempts {
					t.Errorf("%d attempts reported, %d made, want %d", res.Attempts, n, tt.attempts)
				}
				if tt.code == "" {
					if err != nil || res.Value != "ok" {
						t.Errorf("got %v, %v", res.Value, err)
					}
					return
				}
				if e := asError(t, err, tt.code); e.Uncertain != tt.uncertain {
					t.Errorf("uncertain %v, want %v", e.Uncertain, tt.uncertain)
				}
			})
		})
	}
}

func TestPausesAndRetryAfter(t *testing.T) {
	type span struct{ from, to time.Duration }
	const ms = time.Millisecond
	backoff := []span{{50 * ms, 100 * ms}, {100 * ms, 200 * ms}, {150 * ms, 300 * ms}, {150 * ms, 300 * ms}}
	exactly := span{3 * time.Second, 3 * time.Second}
	tests := []struct {
		name  string
		after time.Duration
		want  []span
	}{
		{"backoff", 0, backoff},
		{"shorter than the backoff", 20 * ms, backoff},
		{"honoured", 3 * time.Second, []span{exactly, exactly, exactly, exactly}},
		{"too long to wait for", time.Hour, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var at []time.Time
				r := tools.New(&tools.Options{MaxBackoff: 300 * ms})
				spec := readSpec()
				spec.Retries = 4
				err := r.Register(spec, toolFunc(func(context.Context, tools.Call) (any, error) {
					at = append(at, time.Now())
					return nil, &tools.Error{Code: tools.RateLimited, Retryable: true, RetryAfter: tt.after}
				}))
				if err != nil {
					t.Fatal(err)
				}
				res, err := r.Call(t.Context(), tools.Call{Tool: "t"})
				asError(t, err, tools.RateLimited)
				if len(at) != len(tt.want)+1 || res.Attempts != len(at) {
					t.Fatalf("%d attempts made, %d reported, want %d", len(at), res.Attempts, len(tt.want)+1)
				}
				for i, want := range tt.want {
					if d := at[i+1].Sub(at[i]); d < want.from || d > want.to {
						t.Errorf("pause %d took %v, want %v to %v", i+1, d, want.from, want.to)
					}
				}
			})
		})
	}
}

// Whoever stops waiting between two attempts gets the error of the last one, at once.
func TestCancelEndsThePause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRegistry(t, writeSpec(true), func(context.Context, tools.Call) (any, error) {
			return nil, &tools.Error{Code: tools.RateLimited, Retryable: true, RetryAfter: 5 * time.Second, Uncertain: true}
		})
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		start := time.Now()
		res, err := r.Call(ctx, tools.Call{Tool: "t", IdempotencyKey: "k"})
		if e := asError(t, err, tools.RateLimited); !e.Uncertain || res.Attempts != 1 {
			t.Errorf("uncertain %v, %d attempts; want true and 1", e.Uncertain, res.Attempts)
		}
		if d := time.Since(start); d != time.Second {
			t.Errorf("took %v, want 1s", d)
		}
	})
}

// A result that came in time for the tool but late for the caller is still the result.
func TestSuccessAfterCancel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRegistry(t, writeSpec(true), func(ctx context.Context, _ tools.Call) (any, error) { <-ctx.Done(); return "done", nil })
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Millisecond, cancel)
		if res, err := r.Call(ctx, tools.Call{Tool: "t", IdempotencyKey: "k"}); err != nil || res.Value != "done" || res.Attempts != 1 {
			t.Errorf("got %+v, %v; want what the tool gave", res, err)
		}
	})
}

func TestNoPauseBeyondTheCallersDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRegistry(t, readSpec(), func(context.Context, tools.Call) (any, error) {
			return nil, &tools.Error{Code: tools.RateLimited, Retryable: true, RetryAfter: 5 * time.Second}
		})
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		defer cancel()
		start := time.Now()
		_, err := r.Call(ctx, tools.Call{Tool: "t"})
		asError(t, err, tools.RateLimited)
		if d := time.Since(start); d != 0 {
			t.Errorf("waited %v for nothing", d)
		}
	})
}

func TestNoValueInAnyError(t *testing.T) {
	const canary = "CANARY-7731"
	tests := map[string]toolFunc{
		"plain error": func(_ context.Context, c tools.Call) (any, error) { return nil, fmt.Errorf("no %v", c.Args) },
		"panic":       func(_ context.Context, c tools.Call) (any, error) { panic(c.Args["x"]) },
		"careless": func(_ context.Context, c tools.Call) (any, error) {
			return nil, &tools.Error{Code: tools.NotFound, Detail: c.Args["x"].(string)}
		},
		"wrapped": func(_ context.Context, c tools.Call) (any, error) {
			return nil, fmt.Errorf("%v: %w", c.Args["x"], &tools.Error{Code: tools.Denied})
		},
		"no JSON": func(_ context.Context, c tools.Call) (any, error) { return map[string]any{canary: make(chan int)}, nil },
		"cause": func(_ context.Context, c tools.Call) (any, error) {
			return nil, &tools.Error{Code: tools.Failed, Err: errors.New(canary)}
		},
		"number detail": func(_ context.Context, c tools.Call) (any, error) {
			return nil, &tools.Error{Detail: fmt.Sprint(c.Args["n"])}
		},
	}
	for name, f := range tests {
		t.Run(name, func(t *testing.T) {
			r := newRegistry(t, readSpec(), f)
			_, err := r.Call(t.Context(), tools.Call{Tool: "t", Args: map[string]any{"x": canary, "n": 7731.0, "deep": []any{canary}}})
			if err == nil {
				t.Fatal("no error")
			}
			for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q"} {
				if s := fmt.Sprintf(verb, err); strings.Contains(s, "7731") {
					t.Errorf("%s prints %s", verb, s)
				}
			}
		})
	}
}

func TestPanicAndBadResultOfAWrite(t *testing.T) {
	for name, tt := range map[string]struct {
		code tools.Code
		tool toolFunc
	}{
		"panic":      {tools.Failed, func(context.Context, tools.Call) (any, error) { panic("x") }},
		"bad result": {tools.BadResult, func(context.Context, tools.Call) (any, error) { return func() {}, nil }},
		"huge":       {tools.BadResult, func(context.Context, tools.Call) (any, error) { return strings.Repeat("x", tools.MaxResult), nil }},
	} {
		r := newRegistry(t, writeSpec(true), tt.tool)
		res, err := r.Call(t.Context(), tools.Call{Tool: "t", IdempotencyKey: "k"})
		if e := asError(t, err, tt.code); !e.Uncertain || res.Attempts != 1 {
			t.Errorf("%s: uncertain %v, %d attempts; want true and 1", name, e.Uncertain, res.Attempts)
		}
	}
}

func TestArgsAreTheToolsOwn(t *testing.T) {
	r := newRegistry(t, readSpec(), func(_ context.Context, c tools.Call) (any, error) {
		c.Args["list"].([]any)[0] = "changed"
		return nil, nil
	})
	args := map[string]any{"list": []any{"a"}}
	if _, err := r.Call(t.Context(), tools.Call{Tool: "t", Args: args}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]any{"list": []any{"a"}}, args); diff != "" {
		t.Errorf("caller's args (-want +got):\n%s", diff)
	}
}

func TestOverrideAndScript(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRegistry(t, readSpec(), func(context.Context, tools.Call) (any, error) { return "real", nil })
		stub, err := r.Override("t", tools.Script([]tools.Outcome{
			{Result: map[string]any{"n": 1}}, {Err: tools.Timeout}, {Result: "late", Delay: time.Hour},
		}))
		if err != nil {
			t.Fatal(err)
		}
		call := func() (any, error) {
			res, err := stub.Call(t.Context(), tools.Call{Tool: "t"})
			return res.Value, err
		}
		if v, err := call(); err != nil || !cmp.Equal(v, map[string]any{"n": 1.0}) {
			t.Errorf("first = %v, %v", v, err)
		}
		_, err = call()
		asError(t, err, tools.Timeout)
		_, err = call()
		asError(t, err, tools.Timeout)
		_, err = call()
		if e := asError(t, err, tools.Failed); e.Detail != "script exhausted" {
			t.Errorf("detail %q", e.Detail)
		}
		if res, _ := r.Call(t.Context(), tools.Call{Tool: "t"}); res.Value != "real" {
			t.Errorf("the registry itself gave %v", res.Value)
		}
		if stub.Spec("t") != r.Spec("t") || stub.Spec("none") != nil {
			t.Error("declarations must stay")
		}
		if _, err := r.Override("none", nil); err == nil {
			t.Error("overriding nothing must fail")
		}
		if diff := cmp.Diff([]string{"t"}, stub.Names()); diff != "" {
			t.Error(diff)
		}
	})
}

func TestUnknownTool(t *testing.T) {
	_, err := tools.New(nil).Call(t.Context(), tools.Call{Tool: "none"})
	asError(t, err, tools.Unavailable)
}
