package exectool

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/expr"
	"github.com/slotway/slotway/config/source"
	"github.com/slotway/slotway/tools"
)

// waitDelay limits how long a program's descendants may keep its output open after it ended.
const waitDelay = 50 * time.Millisecond

// exits are the statuses with a code other than failed; they promise that nothing was done.
var exits = map[int]tools.Code{22: tools.InvalidInput, 44: tools.NotFound}

// Tool is one declared command.
type Tool struct {
	spec *tools.Spec
	argv []*expr.Template
	env  []string
}

var _ tools.Tool = (*Tool)(nil)

// New returns the tool of a declaration. lookup returns the values of ${NAME} references in the
// command and the environment, and of PATH. Each call looks for the program again.
func New(spec *tools.Spec, lookup func(string) (string, bool)) (*Tool, error) {
	if len(spec.Command) == 0 {
		return nil, errors.New("command: empty")
	}
	t := &Tool{spec: spec, env: []string{"LANG=C.UTF-8"}}
	if path, ok := lookup("PATH"); ok {
		t.env = append(t.env, "PATH="+path)
	}
	for i, raw := range spec.Command {
		text, err := source.Expand(raw, lookup)
		if err != nil {
			return nil, fmt.Errorf("command: %w", err)
		}
		arg := expr.ParseTemplate(text)
		if i == 0 && (len(arg.Names()) > 0 || text == "") {
			return nil, errors.New("command: the program must be named literally")
		}
		t.argv = append(t.argv, arg)
	}
	for name, raw := range spec.Env {
		value, err := source.Expand(raw, lookup)
		if err != nil {
			return nil, fmt.Errorf("env %s: %w", name, err)
		}
		if name == "" || strings.ContainsAny(name, "=\x00") || strings.Contains(value, "\x00") {
			return nil, fmt.Errorf("env %q: not allowed in an environment", name)
		}
		t.env = append(t.env, name+"="+value)
	}
	sort.Strings(t.env[1:])
	return t, nil
}

// Call runs the program.
func (t *Tool) Call(ctx context.Context, call tools.Call) (any, error) {
	argv := make([]string, len(t.argv))
	for i, a := range t.argv {
		var err error
		if argv[i], err = fill(a, call.Args); err != nil {
			return nil, t.fail(tools.InvalidInput, err.Error())
		}
	}
	input, err := json.Marshal(call.Args)
	if err != nil {
		return nil, t.fail(tools.InvalidInput, "arguments have no JSON form")
	}
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Env = t.env
	if t.spec.Effect != config.EffectRead && call.IdempotencyKey != "" {
		cmd.Env = append(t.env[:len(t.env):len(t.env)], "SLOTWAY_IDEMPOTENCY_KEY="+call.IdempotencyKey)
	}
	out := &output{}
	cmd.Stdin, cmd.Stdout, cmd.WaitDelay = bytes.NewReader(input), out, waitDelay
	ownGroup(cmd)
	if err := cmd.Start(); err != nil {
		return nil, t.notStarted(ctx)
	}
	return t.outcome(ctx, cmd.Wait(), cmd.ProcessState.ExitCode(), out)
}

func (t *Tool) notStarted(ctx context.Context) *tools.Error {
	if ctx.Err() != nil {
		e := t.fail(tools.Timeout, "not started in time")
		e.Err = ctx.Err()
		return e
	}
	return t.fail(tools.Unavailable, "the program could not be started")
}

// outcome interprets how the program ended. It ran, so a write is uncertain unless it ended with
// one of the agreed statuses.
func (t *Tool) outcome(ctx context.Context, err error, status int, out *output) (any, error) {
	code, known := exits[status]
	e := &tools.Error{Tool: t.spec.Name, Uncertain: true}
	switch {
	case out.full:
		e.Code, e.Detail = tools.BadResult, fmt.Sprintf("output larger than %d bytes", tools.MaxResult)
	case status == 0 && (err == nil || errors.Is(err, exec.ErrWaitDelay)):
		return out.value(), nil
	case known:
		return nil, t.fail(code, "exit status "+strconv.Itoa(status))
	case ctx.Err() != nil:
		e.Code, e.Detail, e.Err = tools.Timeout, "killed at the deadline", ctx.Err()
		e.Retryable = errors.Is(ctx.Err(), context.DeadlineExceeded)
	case status < 0:
		e.Code, e.Detail = tools.Failed, "ended by a signal"
	case status == 0:
		e.Code, e.Detail = tools.Failed, "its input or output broke"
	default:
		e.Code, e.Detail = tools.Failed, "exit status "+strconv.Itoa(status)
	}
	return nil, e
}

func (t *Tool) fail(code tools.Code, detail string) *tools.Error {
	return &tools.Error{Code: code, Tool: t.spec.Name, Detail: detail}
}

// output keeps what the program prints, up to a limit; the write past the limit fails, which closes
// the pipe.
type output struct {
	text bytes.Buffer
	full bool
}

func (o *output) Write(p []byte) (int, error) {
	if o.text.Len()+len(p) > tools.MaxResult {
		o.full = true
		return 0, errors.New("too much output")
	}
	return o.text.Write(p)
}

func (o *output) value() any {
	text := bytes.TrimSpace(o.text.Bytes())
	if len(text) == 0 {
		return nil
	}
	if v, err := tools.DecodeJSON(text); err == nil {
		return v
	}
	return strings.TrimSuffix(o.text.String(), "\n")
}
