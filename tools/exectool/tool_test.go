//go:build unix

package exectool_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/tools"
	"github.com/slotway/slotway/tools/exectool"
)

const canary = "CANARY-77"

// TestMain lets the test binary be the program that is run.
func TestMain(m *testing.M) {
	if mode := os.Getenv("EXECTOOL_MODE"); mode != "" {
		os.Exit(program(mode))
	}
	os.Exit(m.Run())
}

func program(mode string) int {
	switch mode {
	case "echo":
		in, _ := io.ReadAll(os.Stdin)
		env := os.Environ()
		sort.Strings(env)
		json.NewEncoder(os.Stdout).Encode(map[string]any{"argv": os.Args[1:], "stdin": string(in), "env": env})
	case "text":
		fmt.Println("shipped today")
	case "nothing":
	case "huge":
		for range 40 {
			if _, err := os.Stdout.WriteString(strings.Repeat("x", 64<<10)); err != nil {
				return 1
			}
		}
	case "signal":
		syscall.Kill(os.Getpid(), syscall.SIGKILL)
	case "hang": // with a child that holds the output open
		child := exec.Command("sleep", "1000")
		child.Stdout = os.Stdout
		if child.Start() != nil {
			return 1
		}
		os.WriteFile(os.Getenv("PIDFILE"), fmt.Append(nil, child.Process.Pid), 0)
		syscall.Kill(os.Getpid(), syscall.SIGSTOP)
	case "exit":
		fmt.Fprintln(os.Stderr, canary)
		fmt.Println(canary)
		var status int
		fmt.Sscan(os.Args[1], &status)
		return status
	}
	return 0
}

func newTool(t *testing.T, effect config.Effect, mode string, args ...string) *exectool.Tool {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	spec := &tools.Spec{
		Name: "t", Effect: effect, Command: append([]string{self}, args...),
		Env: map[string]string{"EXECTOOL_MODE": mode, "TOKEN": "${TOKEN}", "PIDFILE": "${PIDFILE}"},
	}
	env := map[string]string{"TOKEN": "s3", "PATH": os.Getenv("PATH"), "PIDFILE": filepath.Join(t.TempDir(), "pid")}
	tool, err := exectool.New(spec, func(n string) (string, bool) { v, ok := env[n]; return v, ok })
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("PIDFILE", env["PIDFILE"])
	return tool
}

func TestInput(t *testing.T) {
	t.Setenv("SLOTWAY_SECRET", "must not be inherited")
	tool := newTool(t, config.EffectWrite, "echo", "--id={id}", "{id}", "$(id) ; {n} {gone}|", "{n}")
	got, err := tool.Call(t.Context(), tools.Call{
		Tool: "t", IdempotencyKey: "k-1",
		Args: map[string]any{"id": "a b'; rm -rf $HOME", "n": -3.0, "list": []any{true}},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]any{
		"argv":  []any{"--id=a b'; rm -rf $HOME", "a b'; rm -rf $HOME", "$(id) ; -3 |", "-3"},
		"stdin": `{"id":"a b'; rm -rf $HOME","list":[true],"n":-3}`,
		"env": []any{
			"EXECTOOL_MODE=echo", "LANG=C.UTF-8", "PATH=" + os.Getenv("PATH"), "PIDFILE=" + os.Getenv("PIDFILE"),
			"SLOTWAY_IDEMPOTENCY_KEY=k-1", "TOKEN=s3",
		},
	}
	if diff := cmp.Diff(any(want), got); diff != "" {
		t.Errorf("the program saw (-want +got):\n%s", diff)
	}
}

func TestOutcome(t *testing.T) {
	tests := []struct {
		mode      string
		arg       string
		want      any
		code      tools.Code
		uncertain bool
	}{
		{"text", "", "shipped today", "", false},
		{"nothing", "", nil, "", false},
		{"huge", "", nil, tools.BadResult, true},
		{"signal", "", nil, tools.Failed, true},
		{"exit", "1", nil, tools.Failed, true},
		{"exit", "22", nil, tools.InvalidInput, false},
		{"exit", "44", nil, tools.NotFound, false},
	}
	for _, tt := range tests {
		t.Run(tt.mode+tt.arg, func(t *testing.T) {
			got, err := newTool(t, config.EffectWrite, tt.mode, tt.arg).Call(t.Context(), tools.Call{Tool: "t", Args: map[string]any{"x": canary}})
			if tools.CodeOf(err) != tt.code {
				t.Fatalf("error %v, want %q", err, tt.code)
			}
			if err == nil {
				if diff := cmp.Diff(tt.want, got); diff != "" {
					t.Error(diff)
				}
				return
			}
			var e *tools.Error
			if errors.As(err, &e); e.Uncertain != tt.uncertain || strings.Contains(e.Error(), canary) {
				t.Errorf("uncertain %v, want %v: %v", e.Uncertain, tt.uncertain, e)
			}
		})
	}
}

// Braces that are no placeholder, and arguments that are objects or texts with quotes, arrive whole.
func TestBraces(t *testing.T) {
	tool := newTool(t, config.EffectRead, "echo", `{"id": {id|json}, "more": {"o": {o}}}`, ".[] | {id: .x}", "{{id}}", "{o.lines.1}", "{o}", "{l}", "{b}")
	args := map[string]any{"id": `a"}{b`, "o": map[string]any{"n": "<1>", "lines": []any{"x", "y"}}, "l": []any{1.0, "z"}, "b": true}
	got, err := tool.Call(t.Context(), tools.Call{Tool: "t", Args: args})
	if err != nil {
		t.Fatal(err)
	}
	object := `{"lines":["x","y"],"n":"<1>"}`
	want := []any{`{"id": "a\"}{b", "more": {"o": ` + object + `}}`, ".[] | {id: .x}", "{id}", "y", object, `[1,"z"]`, "true"}
	if diff := cmp.Diff(any(want), got.(map[string]any)["argv"]); diff != "" {
		t.Errorf("the program saw (-want +got):\n%s", diff)
	}
}

// A path that leads nowhere in what was given is refused, without the value; what is only not
// there is empty.
func TestWrongPath(t *testing.T) {
	for source, wrong := range map[string]bool{"{o.idd}": true, "{o.id.x}": true, "{gone.id}": false, "{o.none.id}": false, "{o.lines.3}": false} {
		args := map[string]any{"o": map[string]any{"id": canary, "none": nil, "lines": []any{}}}
		_, err := newTool(t, config.EffectRead, "echo", source).Call(t.Context(), tools.Call{Tool: "t", Args: args})
		if (tools.CodeOf(err) == tools.InvalidInput) != wrong || wrong && strings.Contains(err.Error(), canary) {
			t.Errorf("%s: %v, want an error %v", source, err, wrong)
		}
	}
}

// The deadline kills the program and its children, which would hold its output open.
func TestKilledWithItsChildren(t *testing.T) {
	tool := newTool(t, config.EffectWrite, "hang")
	pipe := os.Getenv("PIDFILE")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	child := make(chan string, 1)
	go func() { // reading the pipe waits for the program
		pid, _ := os.ReadFile(pipe)
		child <- string(pid)
		cancel()
	}()
	_, err := tool.Call(ctx, tools.Call{Tool: "t"})
	var e *tools.Error
	if !errors.As(err, &e) || e.Code != tools.Timeout || !e.Uncertain {
		t.Fatalf("%v, want an uncertain timeout", err)
	}
	if pid := <-child; pid == "" || !gone(pid) {
		t.Errorf("child %q is still running", pid)
	}
}

// gone waits until the process does not run any more; a zombie does not.
func gone(pid string) bool {
	for range 100_000 {
		stat, err := os.ReadFile("/proc/" + pid + "/stat")
		if err != nil || strings.Contains(string(stat), ") Z ") {
			return true
		}
	}
	return false
}

func TestRefusedArguments(t *testing.T) {
	tool := newTool(t, config.EffectWrite, "echo", "{x}")
	for name, v := range map[string]any{"option": "--" + canary, "zero byte": "a\x00"} {
		_, err := tool.Call(t.Context(), tools.Call{Tool: "t", Args: map[string]any{"x": v}})
		if tools.CodeOf(err) != tools.InvalidInput || strings.Contains(err.Error(), canary) {
			t.Errorf("%s: %v, want invalid_input without the value", name, err)
		}
	}
}

func TestNoSuchProgram(t *testing.T) {
	tool, err := exectool.New(&tools.Spec{Name: "t", Command: []string{"/nowhere/program"}}, func(string) (string, bool) { return "", false })
	if err != nil {
		t.Fatal(err)
	}
	_, err = tool.Call(t.Context(), tools.Call{Tool: "t"})
	var e *tools.Error
	if !errors.As(err, &e) || e.Code != tools.Unavailable || e.Uncertain {
		t.Errorf("%v, want a certain unavailable", err)
	}
}

func TestNewRefuses(t *testing.T) {
	for name, s := range map[string]tools.Spec{
		"empty":            {},
		"program by value": {Command: []string{"{x}"}},
		"unset":            {Command: []string{"a", "${NONE}"}},
		"variable":         {Command: []string{"a"}, Env: map[string]string{"A=B": "c"}},
		"unset variable":   {Command: []string{"a"}, Env: map[string]string{"A": "${NONE}"}},
	} {
		if _, err := exectool.New(&s, func(string) (string, bool) { return "", false }); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}
